import { defineConfig } from 'vitest/config';

/** Measurements, not tests: `npx vitest run --config tests/bench/trainer/bench.config.ts`. */
// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export
export default defineConfig({
  test: {
    include: ['tests/bench/trainer/*.bench.ts'],
    testTimeout: 600_000,
    pool: 'forks',
    maxWorkers: 1,
    execArgv: ['--expose-gc'],
  },
});
