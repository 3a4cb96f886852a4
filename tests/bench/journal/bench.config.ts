import { defineConfig } from 'vitest/config';

/** Measurements, not tests: `npx vitest run --config tests/bench/journal/bench.config.ts`. */
// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export
export default defineConfig({
  test: { include: ['tests/bench/journal/*.bench.ts'], testTimeout: 900_000, pool: 'forks', maxWorkers: 1 },
});
