import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { probeSandbox } from '../../../main/grading';
import { createSlurmStarter } from '../../../main/jobs';
import { createLocalMachine, type Machine } from '../../../main/machines';
import { type TrainingView, trainingRequestSchema } from '../../../preload/contract';
import { saveBasePolicies } from '../../support/base-policies';
import { bundleScript } from '../../support/bundled-script';
import { eventually } from '../../support/eventually';
import { connectedMachine } from '../../support/fleet-bench';
import { CLUSTER_HERE, openSlurm, whySlurmIsMissing } from '../../support/slurm';
import { hasSshdAccounts, startSshd } from '../../support/sshd';
import { makeTemporaryFolder, temporaryFolder } from '../../support/temporary-folder';
import { openTrainingBench, type TrainingBench } from '../../support/training-bench';
import { unwrap } from '../../support/unwrap';
import { smallTraining, trainHere } from '../trainer/small-training';

/*
 * The real trainer with the real sandbox on another machine: one that ssh reaches, and a cluster.
 */
const sandboxProblem = await probeSandbox({ resourcesDir: resolve('resources'), allowUnsandboxed: false });

/** Long enough to be killed in its middle. */
const input = smallTraining({
  updates: 10,
  batch: 8,
  evaluation: { split: 'validation', problems: 2, nodes: 4, samples: 2 },
});

async function trainerScript(): Promise<string> {
  const { path, dispose } = await makeTemporaryFolder();
  onTestFinished(dispose);
  return bundleScript(resolve('main/trainer/program.ts'), path);
}

/** Texts of a training's files that must be the same wherever it runs, by name. */
async function filesIn(folder: string): Promise<Record<string, string>> {
  const checkpoints = (await readdir(join(folder, 'checkpoints'))).sort();
  const names = ['metrics.jsonl', 'rollouts.jsonl', 'evaluation.json'].concat(
    checkpoints.map((name) => join('checkpoints', name)),
  );
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return Object.fromEntries(names.map((name, i) => [name, texts[i] as string]));
}

function isDone({ state }: TrainingView): boolean {
  return state.kind === 'exited' && state.code === 0;
}

/** Trains there, is killed there, and continues, by itself where its job is tried again. */
async function killedAndResumed(bench: TrainingBench, machine: Machine): Promise<void> {
  const home = await unwrap(machine.home());
  await saveBasePolicies(join(home, 'checkpoints'), ['reader', 'weak']);
  const request = trainingRequestSchema.parse({ name: 'Elsewhere', machineId: machine.id, spec: input.spec });
  const { id } = await unwrap(bench.trainings.start(request));
  const there = join(home, 'trainings', id);
  const lines = async (): Promise<number> =>
    (await readFile(join(there, 'metrics.jsonl'), 'utf8').catch(() => '')).split('\n').length - 1;
  await eventually('the first updates', async () => (await lines()) > 4);
  // The folder's lock names the process that holds it.
  const { pid } = JSON.parse(await readFile(join(there, 'workbench.lock'), 'utf8'));
  process.kill(pid, 'SIGKILL');
  const ended = await bench.ended(id);
  if (!isDone(ended)) await unwrap(bench.trainings.resume(id));
  const done = await bench.ended(id);
  expect(isDone(done)).toBe(true);
  expect(await readdir(join(home, 'jobs', done.jobId ?? ''))).toContain('attempt-2');

  const here = await temporaryFolder();
  const checkpoints = await temporaryFolder();
  await saveBasePolicies(checkpoints, ['reader', 'weak']);
  await trainHere(input, { out: here, checkpoints });
  expect(await filesIn(there)).toEqual(await filesIn(here));

  // What is read of it here: curves, the evaluation, checkpoints that can be served from this computer.
  const curves = await unwrap(bench.trainings.curves(id, 100));
  expect(curves.filter(({ key, part }) => key === 'reward' && part === 'train')).toHaveLength(2);
  expect((await unwrap(bench.trainings.evaluation(id)))?.teams).toHaveLength(3);
  const listed = await unwrap(bench.trainings.checkpoints(id));
  expect(listed.map(({ path }) => path)).toContain(join(there, 'checkpoints', 'reader-000010.json'));
  const copy = join(bench.trainings.folderOf(id), 'checkpoints', 'reader-000010.json');
  expect(await readFile(copy, 'utf8')).toBe((await filesIn(here))['checkpoints/reader-000010.json']);

  await unwrap(bench.trainings.erase(id, { checkpoints: true }));
  expect(await readdir(join(home, 'trainings'))).toEqual([]);
}

describe.skipIf(sandboxProblem !== null)('a pocket training (skipped where no sandbox starts)', () => {
  test.skipIf(!hasSshdAccounts)(
    'over ssh, killed and resumed, has the bytes of one on this computer (needs root and sshd)',
    async () => {
      const sshd = await startSshd();
      onTestFinished(() => sshd.stop());
      const { machine } = await connectedMachine(sshd);
      const bench = await openTrainingBench({
        machine: () => machine,
        trainerScript: await trainerScript(),
      });
      onTestFinished(bench.dispose);
      await killedAndResumed(bench, machine);
    },
  );

  const missing = whySlurmIsMissing();
  test.skipIf(missing !== null)(
    `on a cluster, killed and resumed, has the bytes of one on this computer${missing === null ? '' : ` (not run: ${missing})`}`,
    async () => {
      const slurm = await openSlurm();
      onTestFinished(() => slurm.dispose());
      vi.stubEnv('SLURM_CONF', slurm.conf);
      onTestFinished(() => void vi.unstubAllEnvs());
      const bench = await openTrainingBench({
        machine: (home) => createLocalMachine(join(home, 'cluster'), CLUSTER_HERE),
        starter: createSlurmStarter({ clock: { now: () => Date.now() } }),
        trainerScript: await trainerScript(),
      });
      onTestFinished(bench.dispose);
      await killedAndResumed(bench, createLocalMachine(join(bench.folder, 'cluster'), CLUSTER_HERE));
    },
  );
});
