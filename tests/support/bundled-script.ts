import { join } from 'node:path';
import { build } from 'vite';

/**
 * Bundles a TypeScript program into one file that plain Node runs, for tests that need a process of its own (to
 * kill it, to race it, to limit it). Returns the file's path.
 */
export async function bundleScript(entry: string, outDir: string): Promise<string> {
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
  return join(outDir, 'script.mjs');
}
