import { defineConfig } from 'vitest/config';

/** Measurements, not tests: `npx vitest run --config tests/bench/training/bench.config.ts`. */
// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export
export default defineConfig({
  test: {
    globalSetup: ['tests/support/run-folder-setup.ts'],
    include: ['tests/bench/training/*.bench.ts'],
    testTimeout: 600_000,
    pool: 'forks',
    maxWorkers: 1,
  },
});
