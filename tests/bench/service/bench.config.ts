import { defineConfig } from 'vitest/config';

/** A measurement, not a test: `npx vitest run --config tests/bench/service/bench.config.ts`. */
// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export
export default defineConfig({
  test: {
    include: ['tests/bench/service/*.bench.ts'],
    globalSetup: ['tests/support/run-folder-setup.ts'],
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 1,
  },
});
