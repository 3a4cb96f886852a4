import { appendFile, mkdir, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { randomStream } from '../../../../main/base';
import { openTrainingWatch } from '../../../../main/trainings/watch';
import { cutMachine } from '../../../support/cut-machine';
import { temporaryFolder } from '../../../support/temporary-folder';
import { unwrap } from '../../../support/unwrap';
import { localMachine, pocketSpec } from '../../../support/watch-bench';

const agents = [
  { id: 'reader', name: 'Reader' },
  { id: 'tracer', name: 'Tracer' },
];
const BEGIN = Date.parse('2026-11-21T21:00:00.000Z');

const metric = (step: number, agent: string | null, values: Record<string, number | null>, more = {}) =>
  `${JSON.stringify({ step, round: step, agent, samples: step * 128, values, ...more })}\n`;
const time = (step: number, agent: string | null) =>
  `${JSON.stringify({ step, agent, at: new Date(BEGIN + step * 2_000).toISOString(), seconds: step * 2 })}\n`;
const rollout = (step: number, agentId: string) => ({
  agentId,
  step,
  problemId: `p${step}`,
  node: 0,
  parent: -1,
  prompt: `é ${step}`,
  answer: 'print(1)',
  reward: 1,
  shapedReward: 1.5,
  advantage: -0.5,
});

async function openPocket(clockMs = BEGIN) {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'checkpoints'));
  const line = cutMachine(join(folder, 'home'));
  const clock = { ms: clockMs };
  const watch = openTrainingWatch({
    machine: line.machine,
    spec: pocketSpec({ checkpointEvery: 10 }),
    agents,
    paths: {
      metrics: folder,
      logs: [],
      events: [],
      checkpoints: [{ path: join(folder, 'checkpoints'), agentId: null, names: 'own' }],
      workflow: null,
    },
    clock: { now: () => clock.ms },
  });
  const file = (name: string) => join(folder, name);
  const grow = (name: string, text: string) => appendFile(file(name), text);
  return { folder, watch, file, grow, clock, line };
}

describe("the pocket trainer's files", () => {
  test('become curves with samples and seconds', async () => {
    const { watch, grow, file } = await openPocket();
    expect(await unwrap(watch.read())).toEqual({ changed: false, isBehind: false });
    await writeFile(file('stage.json'), JSON.stringify({ stage: 'rollout', updates: { reader: 2 } }));
    for (const step of [1, 2, 3]) {
      await grow('metrics.jsonl', metric(step, 'reader', { reward: step / 4, kl: 0.5 }));
      await grow('times.jsonl', time(step, 'reader'));
    }
    await grow('metrics.jsonl', metric(2, 'tracer', { reward: 1 }));
    await grow('metrics.jsonl', metric(2, null, { 'pass@1': 0.3 }, { part: 'evaluation' }));
    expect(await unwrap(watch.read())).toEqual({ changed: true, isBehind: false });
    expect(await unwrap(watch.read())).toEqual({ changed: false, isBehind: false });
    expect(watch.curves(100)).toEqual([
      {
        agentId: 'reader',
        key: 'reward',
        part: 'train',
        steps: [1, 2, 3],
        values: [0.25, 0.5, 0.75],
        samples: [128, 256, 384],
        seconds: [0, 2, 4],
      },
      expect.objectContaining({ agentId: 'reader', key: 'kl' }),
      expect.objectContaining({ agentId: 'tracer', key: 'reward', steps: [2], samples: [256] }),
      expect.objectContaining({ agentId: null, key: 'pass@1', part: 'evaluation', values: [0.3] }),
    ]);
    expect([watch.step(), watch.stage(), watch.steps()]).toEqual([2, 'rollout', null]);
    expect(watch.problemsKept()).toBeNull();
    expect(watch.alarms(BEGIN, null)).toEqual([]);
  });

  test('say which problems were kept, in every stage after the choice', async () => {
    const { watch, file } = await openPocket();
    const kept = { from: 0.1, to: 0.8, measured: 20, kept: 7, neverSolved: 12, below: 0, above: 1 };
    const stages = [
      ['Measuring Pass@1: 3 of 20 problems', null, null],
      ['rollout', kept, kept],
      ['evaluation, 1 of 9 problems', kept, kept],
    ] as const;
    for (const [stage, written, expected] of stages) {
      await writeFile(file('stage.json'), JSON.stringify({ stage, ...(written ? { kept: written } : {}) }));
      await unwrap(watch.read());
      expect([watch.stage(), watch.problemsKept()]).toEqual([stage, expected]);
    }
  });

  test('may be read while a line is written', async () => {
    const { watch, grow } = await openPocket();
    const text = metric(1, 'reader', { reward: 0.25 });
    await grow('metrics.jsonl', text.slice(0, 30));
    await unwrap(watch.read());
    expect(watch.curves(10)).toEqual([]);
    await grow('metrics.jsonl', text.slice(30));
    await unwrap(watch.read());
    expect(watch.latest()).toEqual([{ agentId: 'reader', key: 'reward', part: 'train', value: 0.25 }]);
  });

  test('show a value that is not a number as null', async () => {
    const { watch, grow } = await openPocket();
    await grow('metrics.jsonl', metric(4, 'reader', { reward: null }));
    await unwrap(watch.read());
    expect(watch.alarms(BEGIN, 0)).toMatchObject([{ kind: 'nan', agentId: 'reader', step: 4 }]);
  });

  test('that are cut back and continued, as after a kill, give the curves of an uninterrupted training', async () => {
    const whole = await openPocket();
    const broken = await openPocket();
    const lines = Array.from({ length: 40 }, (_, at) => [
      metric(at + 1, 'reader', { reward: Math.sin(at) }),
      `${JSON.stringify(rollout(at + 1, 'reader'))}\n`,
    ]);
    const [metrics, rollouts] = [lines.map(([one = '']) => one), lines.map(([, one = '']) => one)];
    await whole.grow('metrics.jsonl', metrics.join(''));
    await whole.grow('rollouts.jsonl', rollouts.join(''));
    await unwrap(whole.watch.read());

    const random = randomStream('cuts', 1);
    let at = 0;
    while (at < lines.length) {
      const upTo = Math.min(lines.length, at + 1 + random.integer(8));
      await broken.grow('metrics.jsonl', metrics.slice(at, upTo).join(''));
      await broken.grow('rollouts.jsonl', rollouts.slice(at, upTo).join(''));
      await unwrap(broken.watch.read());
      at = upTo === lines.length ? upTo : Math.max(0, upTo - random.integer(4));
      await truncate(broken.file('metrics.jsonl'), Buffer.byteLength(metrics.slice(0, at).join('')));
      await truncate(broken.file('rollouts.jsonl'), Buffer.byteLength(rollouts.slice(0, at).join('')));
      if (random.integer(2) === 0) await unwrap(broken.watch.read());
    }
    await unwrap(broken.watch.read());
    expect(broken.watch.curves(1_000)).toEqual(whole.watch.curves(1_000));
    const query = { limit: 100 };
    expect(await unwrap(broken.watch.rollouts(query))).toEqual(await unwrap(whole.watch.rollouts(query)));
    expect(broken.watch.alarms(BEGIN, null)).toEqual([]);
  });

  test('with an invalid line lose that line, and say so', async () => {
    const { watch, grow, file } = await openPocket();
    await grow(
      'metrics.jsonl',
      `${metric(1, 'reader', { reward: 1 })}{"step": \n${metric(2, 'reader', { reward: 2 })}`,
    );
    await unwrap(watch.read());
    expect(watch.curves(10)).toMatchObject([{ values: [1, 2] }]);
    expect(watch.alarms(BEGIN, null)).toMatchObject([
      { message: expect.stringContaining(`A line of ${file('metrics.jsonl')} cannot be read`) },
    ]);
  });

  test('hold rollouts that are read when somebody asks: newest first, by agent and step', async () => {
    const { watch, grow } = await openPocket();
    for (let step = 1; step <= 30; step++)
      await grow(
        'rollouts.jsonl',
        `${JSON.stringify(rollout(step, step % 2 === 0 ? 'tracer' : 'reader'))}\n`,
      );
    await unwrap(watch.read());
    const rolloutsFor = async (query: Parameters<typeof watch.rollouts>[0]) =>
      (await unwrap(watch.rollouts(query))).map(({ step }) => step);
    expect(await rolloutsFor({ limit: 3 })).toEqual([30, 29, 28]);
    expect(await rolloutsFor({ limit: 3, agentId: 'reader' })).toEqual([29, 27, 25]);
    expect(await rolloutsFor({ limit: 2, agentId: 'tracer', upToStep: 9 })).toEqual([8, 6]);
    expect((await unwrap(watch.rollouts({ limit: 1 })))[0]).toEqual(rollout(30, 'tracer'));
  });

  test('are read on where a cut connection left them', async () => {
    const { watch, grow, line } = await openPocket();
    await grow('metrics.jsonl', metric(1, 'reader', { reward: 1 }));
    await unwrap(watch.read());
    line.cut();
    await grow('metrics.jsonl', metric(2, 'reader', { reward: 2 }));
    const refused = await watch.read();
    expect(refused).toMatchObject({ ok: false, error: { code: 'unreachable' } });
    expect(watch.curves(10)).toMatchObject([{ values: [1] }]);
    line.mend();
    await unwrap(watch.read());
    expect(watch.curves(10)).toMatchObject([{ values: [1, 2] }]);
  });
});

describe('the pocket trainer as time passes', () => {
  test('stalls when no step comes, but not while it evaluates or measures problems', async () => {
    // The machine's clock is the real one: what it says of now is what counts.
    const begin = Date.now() - 3_600_000;
    const { watch, grow, file, clock } = await openPocket(Date.now());
    for (let step = 1; step <= 10; step++) {
      await grow(
        'metrics.jsonl',
        metric(step, 'reader', { reward: 1 }) + metric(step, 'tracer', { reward: 1 }),
      );
      await grow(
        'times.jsonl',
        `${JSON.stringify({ step, agent: 'reader', at: new Date(begin + step * 1_000).toISOString(), seconds: step })}\n`,
      );
    }
    await unwrap(watch.read());
    expect(watch.alarms(clock.ms, 0)).toMatchObject([{ kind: 'stall', step: 10 }]);
    expect(watch.alarms(clock.ms, null)).toEqual([]);
    for (const stage of ['evaluation, 3 of 100 problems', 'Measuring Pass@1: 3 of 20 problems']) {
      await writeFile(file('stage.json'), JSON.stringify({ stage }));
      expect((await unwrap(watch.read())).changed).toBe(true);
      expect(watch.alarms(clock.ms, 0)).toEqual([]);
    }
  });

  test('is not reported as stalled while its machine does not answer', async () => {
    const { watch, grow, clock, line } = await openPocket(Date.now());
    for (let step = 1; step <= 10; step++) {
      await grow('metrics.jsonl', metric(step, 'reader', { reward: 1 }));
      const at = new Date(clock.ms - 20_000 + step * 1_000).toISOString();
      await grow('times.jsonl', `${JSON.stringify({ step, agent: 'reader', at, seconds: step })}\n`);
    }
    await unwrap(watch.read());
    line.cut();
    clock.ms += 3_600_000;
    expect((await watch.read()).ok).toBe(false);
    expect(watch.alarms(clock.ms, 0)).toEqual([]);
  });

  test('is not reported as stalled because of a clock that is an hour off', async () => {
    const wrong = Date.now() + 3_600_000;
    const { watch, grow } = await openPocket(wrong);
    for (let step = 1; step <= 10; step++) {
      await grow('metrics.jsonl', metric(step, 'reader', { reward: 1 }));
      const at = new Date(Date.now() - 20_000 + step * 1_000).toISOString();
      await grow('times.jsonl', `${JSON.stringify({ step, agent: 'reader', at, seconds: step })}\n`);
    }
    await unwrap(watch.read());
    expect(watch.alarms(wrong, 0)).toEqual([]);
  });

  test('has its checkpoints listed by agent, oldest first, with bytes and time', async () => {
    const { watch, folder, grow, clock } = await openPocket();
    const put = async (name: string, bytes: number) => {
      const path = join(folder, 'checkpoints', name);
      await writeFile(path, 'x'.repeat(bytes));
      await utimes(path, new Date(BEGIN), new Date(BEGIN));
      return path;
    };
    const second = await put('tracer-000010.json', 20);
    await put('reader-000020.json', 10);
    const first = await put('reader-000010.json', 5);
    await put('reader-000030.json.draft', 5);
    await mkdir(join(folder, 'checkpoints', 'reader-000040.json'));
    const checkpoints = await unwrap(watch.checkpoints());
    const at = new Date(BEGIN).toISOString();
    expect(checkpoints.map(({ id }) => id)).toEqual(['reader-000010', 'reader-000020', 'tracer-000010']);
    expect(checkpoints[0]).toEqual({
      id: 'reader-000010',
      agentId: 'reader',
      step: 10,
      path: first,
      at,
      bytes: 5,
      canServe: true,
    });
    expect(checkpoints[2]?.path).toBe(second);
    // The tracer's newest one is of step 10, and one is due every 10.
    for (const agent of ['reader', 'tracer']) await grow('metrics.jsonl', metric(50, agent, { reward: 1 }));
    await unwrap(watch.read());
    expect(watch.alarms(clock.ms, 0)).toMatchObject([{ kind: 'old-checkpoint', step: 10 }]);
  });

  test('has no checkpoints and no alarm before its folder is there', async () => {
    const machine = await localMachine();
    const sources = {
      metrics: '/nonexistent',
      logs: [],
      events: [],
      checkpoints: [{ path: '/nonexistent/a b/checkpoints', agentId: null, names: 'own' as const }],
      workflow: null,
    };
    const watch = openTrainingWatch({
      machine,
      spec: pocketSpec(),
      agents,
      paths: sources,
      clock: { now: () => 0 },
    });
    await unwrap(watch.read());
    expect(await unwrap(watch.checkpoints())).toEqual([]);
    expect(watch.alarms(0, 0)).toEqual([]);
  });
});
