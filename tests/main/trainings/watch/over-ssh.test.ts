import { appendFile, copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { randomStream } from '../../../../main/base';
import { openTrainingWatch } from '../../../../main/trainings/watch';
import { connectedMachine } from '../../../support/fleet-bench';
import { pythonEvents } from '../../../support/python-events';
import { hasSshdAccounts, startSshd } from '../../../support/sshd';
import { unwrap } from '../../../support/unwrap';
import { localMachine, recipeOf, recipeSpec } from '../../../support/watch-bench';

const REAL = join(
  import.meta.dirname,
  '../../../fixtures/tensorboard/events.out.tfevents.1763760000.training',
);
const agents = [{ id: 'policy', name: 'Policy' }];

/** A training of a recipe on a real machine behind ssh, in its home folder. */
async function openWatch() {
  const sshd = await startSshd();
  onTestFinished(() => sshd.stop());
  const { machine } = await connectedMachine(sshd);
  const run = join(sshd.home, 'run 1');
  await mkdir(join(run, 'checkpoints', 'checkpoint-500'), { recursive: true });
  const sources = {
    metrics: null,
    logs: [join(run, 'output.log')],
    events: ['~/run 1'],
    checkpoints: [{ path: '~/run 1/checkpoints', agentId: null, names: 'numbered' as const }],
    workflow: null,
  };
  const options = {
    spec: recipeSpec,
    agents,
    recipe: recipeOf({ log: { form: 'pairs', stepKey: null } }),
    clock: { now: () => Date.now() },
  };
  const watch = openTrainingWatch({ machine, paths: sources, ...options });
  return { sshd, run, sources, options, watch };
}

describe.skipIf(!hasSshdAccounts)('a training over ssh (needs root and sshd)', () => {
  test('is watched as one here: event files, log, checkpoints', async () => {
    const { run, sources, options, watch } = await openWatch();
    await copyFile(REAL, join(run, 'events.out.tfevents.1763760000.training'));
    await writeFile(join(run, 'output.log'), 'step:1 - actor/entropy:0.5 - critic/rewards/mean:0.25\n');
    for (const name of ['config.json', 'model.safetensors'])
      await writeFile(join(run, 'checkpoints', 'checkpoint-500', name), 'x'.repeat(100_000));
    expect(await unwrap(watch.read())).toEqual({ changed: true, isBehind: false });
    const local = openTrainingWatch({
      machine: await localMachine(),
      paths: { ...sources, events: [run] },
      ...options,
    });
    await unwrap(local.read());
    expect(watch.curves(1_000)).toEqual(local.curves(1_000));
    expect(watch.curves(1_000).map(({ key }) => key)).toContain('entropy');
    const [checkpoint, ...more] = await unwrap(watch.checkpoints());
    expect(more).toEqual([]);
    expect(checkpoint).toMatchObject({
      id: 'policy-checkpoint-500',
      step: 500,
      canServe: true,
      path: '~/run 1/checkpoints/checkpoint-500',
    });
    expect(Math.abs(Date.parse(checkpoint?.at ?? '') - Date.now())).toBeLessThan(60_000);
  });

  test('is read to its last byte over cuts of the connection', async () => {
    const { sshd, run, watch } = await openWatch();
    const steps = Array.from({ length: 3_000 }, (_, at) => at + 1);
    const bytes = pythonEvents(
      steps.map((step) => ({ wall: step, step, values: [{ tag: 'train/reward', value: Math.sin(step) }] })),
    );
    const path = join(run, 'events.out.tfevents.1.host');
    const random = randomStream('cuts of event files', 1);
    let [at, cuts] = [0, 0];
    while (at < bytes.length) {
      const length = 1 + random.integer(20_000);
      await appendFile(path, bytes.subarray(at, at + length));
      at += length;
      const reading = watch.read();
      if (random.integer(2) === 0) {
        cuts += 1;
        await sleep(random.integer(40));
        await sshd.killSessions();
      }
      const read = await reading;
      if (!read.ok) expect(read.error.code).toBe('unreachable');
    }
    let read = await watch.read();
    for (let attempt = 0; attempt < 100 && !read.ok; attempt++) {
      await sleep(100);
      read = await watch.read();
    }
    expect(cuts).toBeGreaterThan(2);
    expect(watch.curves(10_000)).toMatchObject([
      { steps, values: steps.map((step) => Math.fround(Math.sin(step))) },
    ]);
    expect(watch.alarms(Date.now(), null)).toEqual([]);
  });
});
