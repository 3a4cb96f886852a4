import { defineConfig } from 'vitest/config';

/** The one file that replaces a module: it needs modules of its own. */
const mocksModules = ['tests/main/app/grader-provider.test.ts'];

export default defineConfig({
  test: {
    // Real processes and sandboxes on a two-core machine: patience is not a measurement.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['tests/{main,preload,renderer,scripts,walls}/**/*.test.{ts,tsx}'],
          exclude: mocksModules,
          // Collaborators are handed in, so test files may share modules; loading them is a third of the time.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'isolated', include: mocksModules } },
    ],
  },
});
