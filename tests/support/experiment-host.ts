// A program of its own that runs an experiment as the workbench does, for tests that kill it: node SCRIPT FOLDER
// TRAINER RESOURCES ORDER. Real jobs, a trainer of the test's choice. Says how far it is at every change, and at the
// end all in JSON.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { ok } from '../../main/base/index';
import { createBenchmarkLibrary } from '../../main/benchmarks/index';
import { createLocalMachine } from '../../main/machines/index';
import { createExperimentService } from '../../main/plans/index';
import { createTrainingService } from '../../main/trainings/index';
import { experimentRequestSchema } from '../../preload/contract/index';
import { openJobsIn } from './job-bench';
import { throwProblem } from './throw-problem';

const [folder = '', pocketTrainerScript = '', resourcesDir = '', order = ''] = process.argv.slice(2);
const machine = createLocalMachine(folder);
const clock = { now: () => Date.now() };
const jobs = await openJobsIn(folder, { machine: () => machine });
const trainings = await createTrainingService({
  jobs,
  machines: { get: () => ok(machine) },
  gpus: async () => ok({ gpus: [], reservations: [], user: 'me' }),
  dataDir: folder,
  clock,
  newId: () => randomUUID(),
  nodeRuntime: { command: process.execPath, env: {} },
  pocketTrainerScript,
  benchmarks: createBenchmarkLibrary({ dataDir: folder, clock: () => Date.now() }),
  resourcesDir,
  checkpointsDir: join(folder, 'checkpoints'),
  onError: throwProblem,
});
const experiments = await createExperimentService({
  trainings,
  heldOutProblems: async () => [],
  folder: join(folder, 'experiments'),
  clock,
  newId: () => randomUUID(),
  slots: 2,
  onError: ({ error }) => process.stderr.write(`${String(error)}\n`),
});
const print = (text: string): void => void process.stdout.write(`${text}\n`);
const finish = async (): Promise<void> => {
  const [view] = experiments.list();
  if (view === undefined || view.state.kind === 'running') return;
  const names = trainings.list().map(({ name }) => name);
  const attempts = jobs.list().map((job) => job.view.attempts);
  const result = await experiments.result(view.id);
  print(JSON.stringify({ state: view.state, done: view.done, names, attempts, result }));
  process.exit(0);
};
experiments.onChange((view) => {
  print(
    `${view.done} of ${view.total}, ${view.trainings.filter(({ trainingId }) => trainingId !== null).length} begun`,
  );
  void finish();
});
if (experiments.list().length === 0) {
  const started = await experiments.start(experimentRequestSchema.parse(JSON.parse(order)));
  if (!started.ok) throw new Error(started.error.message);
}
print('open');
await finish();
