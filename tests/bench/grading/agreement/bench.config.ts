import { defineConfig } from 'vitest/config';

/** A measurement, not a test: see agreement.bench.ts for how it is run. */
// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export
export default defineConfig({
  test: {
    include: ['tests/bench/grading/agreement/*.bench.ts'],
    testTimeout: 14_400_000,
    pool: 'forks',
    maxWorkers: 1,
  },
});
