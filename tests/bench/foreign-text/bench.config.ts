import { defineConfig } from 'vitest/config';

/** Measurements, not tests: `npx vitest run --config tests/bench/foreign-text/bench.config.ts`. */
// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export
export default defineConfig({
  test: {
    globalSetup: ['tests/support/run-folder-setup.ts'],
    include: ['tests/bench/foreign-text/*.bench.ts'],
    testTimeout: 1_800_000,
    pool: 'forks',
    maxWorkers: 1,
  },
});
