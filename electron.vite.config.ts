import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { build, type Plugin } from 'vite';
import { packagesNamedIn, withDependencies } from './scripts/package/contents.mjs';

/** Programs that are copied to machines that have neither our packages nor our other files: each is one file. */
const shippedPrograms = {
  'model-server': 'main/servers/model-server.ts',
  'pocket-trainer': 'main/trainer/program.ts',
  'grader-service': 'main/grader-service/program.ts',
};

const inOneFile: Plugin = {
  name: 'programs-in-one-file',
  writeBundle: async () => {
    for (const [name, entry] of Object.entries(shippedPrograms)) {
      await build({
        configFile: false,
        logLevel: 'warn',
        build: {
          ssr: resolve(entry),
          outDir: resolve('out/main'),
          emptyOutDir: false,
          target: 'node20.18',
          minify: false,
          rollupOptions: { output: { format: 'es', entryFileNames: `${name}.js`, codeSplitting: false } },
        },
        ssr: { noExternal: true },
      });
    }
  },
};

/** The npm packages that the built files ask for: installers hold them, and machines get them with a service. */
const listOfPackages: Plugin = {
  name: 'list-of-packages',
  writeBundle: async () => {
    const folder = resolve('out/main');
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.js'));
    const code = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    const json = async (path: string) => JSON.parse(await readFile(path, 'utf8'));
    const asked = packagesNamedIn(code.join('\n'), Object.keys((await json('package.json')).dependencies));
    const packages = withDependencies(asked, await json('package-lock.json'), (path: string) =>
      existsSync(join(path, 'package.json')),
    );
    await writeFile(join(folder, 'packages.json'), `${JSON.stringify(packages, null, 2)}\n`);
  },
};

/**
 * A script with one letter beyond Latin-1 is held with two bytes for each letter, and read more slowly: such letters are
 * written as escapes.
 */
const inOneByte: Plugin = {
  name: 'in-one-byte',
  generateBundle: (_options, bundle) => {
    const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk') file.code = file.code.replace(/[^\0-\xff]/g, escaped);
    }
  },
};

/** By this a window and a service of one version know that they are of two builds. */
const buildId: Plugin = {
  name: 'build-id',
  writeBundle: async (_options, bundle) => {
    const hash = createHash('sha256');
    for (const name of Object.keys(bundle).sort()) {
      const file = bundle[name];
      hash.update(`${name}\0${file?.type === 'chunk' ? file.code : ''}\0`);
    }
    await writeFile(resolve('out/main/build-id'), `${hash.digest('hex').slice(0, 8)}\n`);
  },
};

/** electron-vite looks under src/ by itself; our folders are named for what runs where, so every input is set. */
export default defineConfig({
  main: {
    plugins: [inOneByte, inOneFile, listOfPackages, buildId],
    build: {
      outDir: 'out/main',
      target: 'node20.18',
      minify: false,
      // But for these: their hundred files take a sixth of each terminal command's start.
      externalizeDeps: { exclude: ['zod', 'commander'] },
      rollupOptions: {
        // Our modules do nothing when they are loaded, so who imports one name of a folder's index.ts loads only what that
        // needs: the entry stays small (tests/main/entry.test.ts).
        treeshake: { moduleSideEffects: false },
        input: {
          index: resolve('main/index.ts'),
          cli: resolve('main/cli/main.ts'),
          'pretrain-pocket': resolve('main/studies/pretrain-pocket.ts'),
          'figure-program': resolve('main/reports/figure-program.ts'),
          'table-program': resolve('main/benchmarks/table-program.ts'),
        },
        output: {
          format: 'es',
          minify: { mangle: false, compress: false, codegen: { removeWhitespace: true } },
        },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      // electron-vite wants Node's name here; a sandboxed preload runs on Chrome 130's engine all the same.
      target: 'node20.18',
      externalizeDeps: false,
      rollupOptions: {
        input: { index: resolve('preload/index.ts') },
        // A sandboxed preload must be one CommonJS file.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'renderer',
    plugins: [react(), inOneByte],
    build: {
      outDir: 'out/renderer',
      target: 'chrome130',
      rollupOptions: {
        input: { index: resolve('renderer/index.html') },
        // Half as much to read at each start; names stay, since they are what an error in the log is known by.
        output: { minify: { mangle: false, compress: true, codegen: { removeWhitespace: true } } },
      },
    },
  },
});
