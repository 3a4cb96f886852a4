import { copyFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { build } from 'vite';
import { oncePerRun } from './once-per-run';

/**
 * Bundles a TypeScript program into one file that plain Node runs, for tests that need a process of its own (to
 * kill it, to race it, to limit it). Puts it into the folder and returns the file's path.
 */
export async function bundleScript(entry: string, folder: string): Promise<string> {
  const name = relative(resolve('.'), entry).replaceAll(/\W+/g, '-');
  const built = await oncePerRun(`script-${name}`, (outDir) => buildScript(entry, outDir));
  const script = join(folder, 'script.mjs');
  await copyFile(join(built, 'script.mjs'), script);
  return script;
}

async function buildScript(entry: string, outDir: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      ssr: entry,
      outDir,
      emptyOutDir: false,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'script.mjs', codeSplitting: false } },
    },
    ssr: { noExternal: true },
  });
}
