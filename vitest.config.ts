import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Tests that change the process they run in for good (its user, its modules), and so need one of their own. Variables that
 * `vi.stubEnv` sets are restored after each file. tests/scripts/isolated-tests.test.ts holds the list complete.
 */
export const isolatedTests = [
  'tests/main/app/grader-provider.test.ts',
  'tests/main/electron/import-again.test.ts',
  'tests/main/electron/window.test.ts',
  'tests/main/grading/hostile/attacks-as-user.test.ts',
  'tests/renderer/training/checkpoints.test.tsx',
];

/** They take longest, whatever their size: begun last, they would be all that still runs while cores are idle. */
export const slowTests = [
  'tests/learner/vllm.test.ts',
  'tests/learner/train-model.test.ts',
  'tests/learner/elsewhere.test.ts',
  'tests/learner/small-model.test.ts',
  'tests/learner/serve-trained.test.ts',
  'tests/recipes/recipes.test.ts',
  'tests/faults/short.test.ts',
  'tests/main/jobs/over-ssh.test.ts',
  'tests/main/machines/ssh-connection.test.ts',
  'tests/main/grading/machine-grader.test.ts',
  'tests/main/plans/reproductions/killed.test.ts',
  'tests/main/machines/login-shells.test.ts',
  'tests/main/storage/data-lock.test.ts',
  'tests/main/plans/reproductions/moved.test.ts',
  'tests/main/trainings/marti-trainings.test.ts',
  'tests/main/trainings/pocket-trainings.test.ts',
  'tests/main/trainer/models/engine-writer.test.ts',
  'tests/main/plans/reproductions/reproduction-service.test.ts',
  'tests/main/grading/hostile/escapes.test.ts',
  'tests/main/machines/monitor-over-ssh.test.ts',
  'tests/main/benchmarks/parquet.test.ts',
  'tests/main/machines/gpus/nvidia.test.ts',
  'tests/main/studies/pocket-checkpoints.test.ts',
  'tests/main/plans/gpu-day/gpu-day.test.ts',
  'tests/main/plans/experiments/killed.test.ts',
  'tests/main/grading/hostile/attacks.test.ts',
  'tests/main/grading/agreement/corpus.test.ts',
  'tests/main/trainings/prepare-learner.test.ts',
];

/** Files of a project stay together, as its processes are used again. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    const isSlow = ({ moduleId }: TestSpecification) => slowTests.some((path) => moduleId.endsWith(path));
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      return [...own.filter(isSlow), ...own.filter((file) => !isSlow(file))];
    });
  }
}

export default defineConfig({
  test: {
    // Real processes and sandboxes on a two-core machine: patience is not a measurement.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    pool: 'forks',
    // More than the cores of a small machine: many tests wait for processes and connections. Six took longer than four.
    maxWorkers: 4,
    sequence: { sequencer: SlowFirst },
    globalSetup: ['tests/support/run-folder-setup.ts'],
    setupFiles: ['tests/support/equal-bytes.ts', 'tests/support/restored-environment.ts'],
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
      {
        extends: true,
        test: {
          name: 'learner',
          include: ['tests/learner/**/*.test.ts'],
          globalSetup: ['tests/support/warm-python-setup.ts'],
          isolate: false,
          // Models on processors that other tests keep busy: some take ten minutes there.
          testTimeout: 1_800_000,
          hookTimeout: 1_800_000,
        },
      },
    ],
  },
});
