import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));

/** A page of its own, outside the app's bundle: npx vite build --config tests/support/preview/vite.config.ts */
// biome-ignore lint/style/noDefaultExport: Vite reads it
export default defineConfig({
  root: here,
  base: './',
  logLevel: 'error',
  plugins: [react()],
  build: {
    outDir: resolve(
      process.env.PREVIEW ?? fileURLToPath(new URL('../../../node_modules/.cache/preview', import.meta.url)),
    ),
    emptyOutDir: true,
    target: 'chrome130',
  },
});
