import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TrainingView } from '../../../preload/contract';
import { eventually } from '../../support/eventually';
import { pythonEvents } from '../../support/python-events';
import { slurmStandIn } from '../../support/slurm-stand-in';
import { openTrainingBench, type TrainingBench } from '../../support/training-bench';
import { unwrap } from '../../support/unwrap';

let bench: TrainingBench;
let run: string;
beforeEach(async () => {
  bench = await openTrainingBench();
  run = join(bench.folder, 'of others');
  await mkdir(run);
});
afterEach(() => bench.dispose());

const events = (steps: readonly number[], value: (step: number) => number | 'nan' = (step) => step / 64) =>
  pythonEvents(
    steps.map((step) => ({
      wall: 1_700_000_000 + step,
      step,
      values: [{ tag: 'train/reward', value: value(step) }],
    })),
  );

const watch = async (what: string, machineId = 'local'): Promise<TrainingView> =>
  unwrap(bench.trainings.watch({ machineId, source: what }));

test('a TensorBoard folder of others is read as it grows, with alarms, and is only read', async () => {
  const path = join(run, 'events.out.tfevents.1700000000.host');
  await writeFile(path, events([1, 2, 3]));
  const view = await watch(run);
  expect(view).toMatchObject({ name: expect.stringContaining('of others'), scale: 'own', jobId: null });
  expect(view.state).toEqual({ kind: 'running', pid: null });
  const curves = async () => unwrap(bench.trainings.curves(view.id, 100));
  expect(await curves()).toMatchObject([
    { key: 'reward', steps: [1, 2, 3], values: [1 / 64, 2 / 64, 3 / 64] },
  ]);
  await writeFile(
    path,
    events([1, 2, 3, 4], (step) => (step === 4 ? 'nan' : step / 64)),
  );
  await bench.until(view.id, ({ alarms }) => alarms.some(({ kind }) => kind === 'nan'));
  bench = await bench.restarted(() => writeFile(path, events([1, 2, 3, 4, 5])));
  expect((await curves())[0]?.steps).toEqual([1, 2, 3, 4, 5]);

  for (const refused of [await bench.trainings.stop(view.id), await bench.trainings.resume(view.id)]) {
    expect(refused.ok ? '' : refused.error.message).toContain('started by others and is only watched');
  }
  const deleting = await bench.trainings.erase(view.id, { checkpoints: true });
  expect(deleting.ok ? '' : deleting.error.message).toContain('its files belong to those who started it');
  await unwrap(bench.trainings.remove(view.id));
  expect(bench.trainings.list()).toEqual([]);
  expect(await readdir(run)).toEqual(['events.out.tfevents.1700000000.host']);
});

test('a folder of our own trainer says whose curves they are and at which scale', async () => {
  await writeFile(
    join(run, 'spec.json'),
    JSON.stringify({ spec: { kind: 'pocket' }, agents: [{ id: 'reader', name: 'reader' }] }),
  );
  const line = { step: 1, agent: 'reader', samples: 8, values: { reward: 0.5 } };
  await writeFile(join(run, 'metrics.jsonl'), `${JSON.stringify(line)}\n`);
  const view = await watch(run);
  expect(view).toMatchObject({ scale: 'pocket', agents: [{ id: 'reader' }], step: 1 });
});

test('a log that is named is watched alone', async () => {
  const log = join(run, "their run's.txt");
  await writeFile(log, "{'loss': 0.5, 'learning_rate': 1e-6, 'epoch': 0.1}\n");
  const view = await watch(log);
  const [curve] = await unwrap(bench.trainings.curves(view.id, 10));
  expect(curve).toMatchObject({ key: 'policy-loss', values: [0.5] });
});

test.each([
  ['nothing of a training', async () => run, /holds neither event files/],
  ['two runs', async () => run, /holds event files of 2 runs, whose curves would be mixed/],
  ['no such folder', async () => join(run, 'absent'), /There is no folder or log/],
  ['a relative path', async () => 'runs', /neither a Slurm id nor a folder/],
])('%s is refused with what to do', async (what, path, message) => {
  if (what === 'two runs') {
    for (const name of ['a', 'b']) {
      await mkdir(join(run, name));
      await writeFile(join(run, name, 'events.out.tfevents.1.host'), events([1]));
    }
  }
  const refused = await bench.trainings.watch({ machineId: 'local', source: await path() });
  expect(refused.ok ? '' : refused.error.message).toMatch(message);
  expect(bench.trainings.list()).toEqual([]);
});

test('a Slurm job of others is followed by its log, and its end is seen', async () => {
  const slurm = await slurmStandIn();
  await bench.dispose();
  bench = await openTrainingBench({ machine: () => slurm.machine });
  const home = await unwrap(slurm.machine.home());
  const log = join(home, 'their job.out');
  await writeFile(log, "{'loss': 0.5, 'learning_rate': 1e-6, 'epoch': 0.1}\n");
  const script = join(home, 'theirs.sh');
  await writeFile(script, '#!/bin/sh\nsleep 1000\n');
  const submitted = await unwrap(
    slurm.machine.run(`sbatch --parsable --job-name=theirs "--output=${log}" "${script}"`),
  );
  const slurmId = submitted.stdout.trim();
  const view = await watch(slurmId, 'cluster');
  expect(view).toMatchObject({
    name: 'theirs',
    state: { kind: 'running' },
    title: `Watched only: Slurm job ${slurmId}`,
  });
  const [curve] = await unwrap(bench.trainings.curves(view.id, 10));
  expect(curve).toMatchObject({ key: 'policy-loss', values: [0.5] });
  const stopped = await bench.trainings.stop(view.id);
  expect(stopped.ok).toBe(false);
  const pid = await slurm.pidOf(slurmId);
  expect(() => process.kill(pid, 0)).not.toThrow();
  await slurm.say(slurmId, 'TIMEOUT');
  bench = await bench.restarted();
  await eventually('its end', () => {
    const now = bench.trainings.view(view.id);
    return now.ok && now.value.state.kind === 'lost';
  });
  process.kill(-pid, 'SIGKILL');
});

test('names without end in an event file of others fill no memory, and are told of', async () => {
  const path = join(run, 'events.out.tfevents.1.host');
  const values = Array.from({ length: 10_010 }, (_, at) => ({ tag: `t${at}`, value: 1 }));
  await writeFile(
    path,
    pythonEvents([{ wall: 1, step: 1, values: [{ tag: 'x'.repeat(500), value: 1 }, ...values] }]),
  );
  const view = await watch(run);
  const names = (await unwrap(bench.trainings.curves(view.id, 10))).map(({ key }) => key);
  expect(names).toHaveLength(2_000);
  expect(names[0]).toBe('t0');
  expect(view.alarms.map(({ message }) => message)).toEqual([
    expect.stringContaining('Names of more than 400 characters are left out.'),
    expect.stringContaining('More than 10000 names: the others are left out.'),
  ]);
});
