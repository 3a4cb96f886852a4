import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/{main,preload,renderer,scripts,walls}/**/*.test.{ts,tsx}'],
    // Real processes and sandboxes on a two-core machine: patience is not a measurement.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: 'forks',
    // Collaborators are handed in, so that files share no state by sharing their modules; loading those is a third of
    // the time.
    isolate: false,
    maxWorkers: 2,
  },
});
