import { defineConfig } from 'vitest/config';

/** Measurements, not tests; MARS2_LEARNER_PYTHON names the learner's Python. */
// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export
export default defineConfig({
  test: { include: ['tests/bench/learner/*.bench.ts'], testTimeout: 1_800_000, pool: 'forks', maxWorkers: 1 },
});
