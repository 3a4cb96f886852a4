import { defineConfig } from 'vitest/config';

/**
 * Tests that change the process they run in (its user, its environment, its modules), and so need one of their own.
 * tests/scripts/isolated-tests.test.ts holds the list complete.
 */
export const isolatedTests = [
  'tests/main/app/grader-provider.test.ts',
  'tests/main/grading/hostile/attacks-as-user.test.ts',
  'tests/main/jobs/job-endings.test.ts',
  'tests/main/jobs/job-service.test.ts',
  'tests/main/jobs/logs.test.ts',
  'tests/main/jobs/slurm/slurm-failures.test.ts',
  'tests/main/jobs/slurm/slurm-jobs.test.ts',
  'tests/main/jobs/slurm/slurm-starter.test.ts',
  'tests/main/servers/on-slurm.test.ts',
  'tests/main/servers/slurm-hop.test.ts',
  'tests/main/trainings/on-slurm.test.ts',
  'tests/main/trainings/pocket-elsewhere.test.ts',
  'tests/renderer/training/checkpoints.test.tsx',
];

export default defineConfig({
  test: {
    // Real processes and sandboxes on a two-core machine: patience is not a measurement.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    pool: 'forks',
    // More than the cores of a small machine: many tests wait for processes and connections.
    maxWorkers: 4,
    globalSetup: ['tests/support/run-folder-setup.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['tests/{faults,main,preload,recipes,renderer,scripts,walls}/**/*.test.ts'],
          exclude: isolatedTests,
          // Collaborators are handed in, so test files may share modules; loading them is a third of the time.
          isolate: false,
        },
      },
      {
        extends: true,
        // Apart from the others, as a process with a DOM is not used again for tests without one, nor the reverse.
        test: {
          name: 'screens',
          include: ['tests/renderer/**/*.test.tsx'],
          exclude: isolatedTests,
          environment: 'happy-dom',
          isolate: false,
        },
      },
      { extends: true, test: { name: 'isolated', include: isolatedTests } },
      // They need Python with torch, which the step "learner" sets up.
      { extends: true, test: { name: 'learner', include: ['tests/learner/**/*.test.ts'] } },
    ],
  },
});
