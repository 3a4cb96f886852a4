import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

/** electron-vite looks under src/ by itself; our folders are named for what runs where, so every input is set. */
export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      target: 'node20.18',
      minify: false,
      externalizeDeps: true,
      rollupOptions: {
        input: {
          index: resolve('main/index.ts'),
          cli: resolve('main/cli.ts'),
          'model-server': resolve('main/servers/model-server.ts'),
          'pretrain-pocket': resolve('main/studies/pretrain-pocket.ts'),
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
      rollupOptions: { input: { index: resolve('renderer/index.html') } },
    },
  },
});
