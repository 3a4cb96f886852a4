import { defineConfig } from 'vitest/config';

/** Not a test: makes a fixture. `FOLDER=2026-11-27 npx vitest run --config tests/bench/data-folders/bench.config.ts`. */
// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export
export default defineConfig({
  test: {
    include: ['tests/bench/data-folders/*.bench.ts'],
    globalSetup: ['tests/support/run-folder-setup.ts'],
    testTimeout: 1_800_000,
    pool: 'forks',
    maxWorkers: 1,
  },
});
