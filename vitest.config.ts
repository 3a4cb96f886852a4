import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/{main,preload,renderer,scripts,walls}/**/*.test.{ts,tsx}'],
    // Real processes and sandboxes on a two-core machine: patience is not a measurement.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
