import { resolve } from 'node:path';
import { build } from 'vite';
import { expect, test } from 'vitest';
import config from '../../electron.vite.config';

/** What is loaded of our own before the window's first frame. The services are more than 2 MB. */
const MAX_CHARACTERS = 80_000;

test('before the window is there, main loads Electron, Node and little of its own, no package', async () => {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      ssr: resolve('main/index.ts'),
      write: false,
      minify: false,
      rollupOptions: {
        treeshake: config.main?.build?.rollupOptions?.treeshake ?? true,
        external: ['electron'],
      },
    },
  });
  if (Array.isArray(built) || !('output' in built)) throw new Error('There is not one output.');
  const chunks = new Map(
    built.output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])),
  );
  const entry = [...chunks.values()].find(({ isEntry }) => isEntry);
  const loaded = new Set(entry === undefined ? [] : [entry.fileName]);
  for (const name of loaded) for (const further of chunks.get(name)?.imports ?? []) loaded.add(further);
  const packages = [...loaded].filter((name) => !chunks.has(name) && !name.startsWith('node:'));
  const characters = [...loaded].reduce((sum, name) => sum + (chunks.get(name)?.code.length ?? 0), 0);
  expect(packages).toEqual(['electron']);
  expect(characters).toBeLessThan(MAX_CHARACTERS);
  // The rest is there, in files that are loaded later.
  expect(entry?.dynamicImports).toHaveLength(1);
});
