import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { build, type Plugin } from 'vite';

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

/** electron-vite looks under src/ by itself; our folders are named for what runs where, so every input is set. */
export default defineConfig({
  main: {
    plugins: [inOneFile],
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
        output: { format: 'es' },
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
    plugins: [react()],
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
