import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';

export type Bundle = { readonly path: string; readonly dispose: () => Promise<void> };

/**
 * One of the app's entries (e.g. "main/servers/model-server.ts") as a file that plain `node` runs, with its packages
 * in it, so that it also runs from a temporary folder.
 */
export async function bundleEntry(entry: string): Promise<Bundle> {
  const outDir = await mkdtemp(join(tmpdir(), 'mars2-bundle-'));
  await build({
    root: resolve('.'),
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: resolve(entry),
      outDir,
      emptyOutDir: true,
      target: 'node20.18',
      minify: false,
      rollupOptions: { output: { format: 'es', entryFileNames: 'entry.mjs' } },
    },
  });
  return { path: join(outDir, 'entry.mjs'), dispose: () => rm(outDir, { recursive: true, force: true }) };
}
