import { defineConfig } from 'vitest/config';

/** A measurement, not a test: `npx vitest run --config tests/bench/run-recorded/bench.config.ts`. */
// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export
export default defineConfig({
  test: {
    include: ['tests/bench/run-recorded/*.bench.ts'],
    testTimeout: 3_600_000,
    pool: 'forks',
    maxWorkers: 1,
  },
});
