import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/{main,preload,renderer,scripts,walls}/**/*.test.{ts,tsx}'],
    // Real processes and sandboxes on a two-core machine: patience is not a measurement.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Real processes race the machine they run on: where nobody watches, a failure counts when it repeats. The
    // report names what was tried twice; on a developer's machine nothing is.
    retry: process.env.CI ? 1 : 0,
    pool: 'forks',
    maxWorkers: 2,
  },
});
