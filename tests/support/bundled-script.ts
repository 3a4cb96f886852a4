import { copyFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { build } from 'vite';
import { oncePerRun } from './once-per-run';

/**
 * Bundles a TypeScript program into one file that plain Node runs, for tests that need a process of its own (to
 * kill it, to race it, to limit it). Puts it into the folder and returns the file's path.
 */
export async function bundleScript(entry: string, folder: string): Promise<string> {
  const script = join(folder, 'script.mjs');
  await copyFile(await buildScript(entry), script);
  return script;
}

/** The same, where all test files of the run have it. */
export async function buildScript(entry: string): Promise<string> {
  const name = relative(resolve('.'), entry).replaceAll(/\W+/g, '-');
  const folder = await oncePerRun(`script-${name}`, async (outDir) => {
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
  });
  return join(folder, 'script.mjs');
}
