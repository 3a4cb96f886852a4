import { appendFile, copyFile, mkdir, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Machine } from '../../../../main/machines';
import { generatedSample } from '../../../../main/trainings/logic/watch/workflow-rollouts';
import { openTrainingWatch } from '../../../../main/trainings/watch';
import { martiTrainingSchema } from '../../../../preload/contract';
import { pythonEvents } from '../../../support/python-events';
import { temporaryFolder } from '../../../support/temporary-folder';
import { unwrap } from '../../../support/unwrap';
import { localMachine } from '../../../support/watch-bench';

/** Written by tensorboardX; see make_events.py next to it. */
const REAL = join(
  import.meta.dirname,
  '../../../fixtures/tensorboard/events.out.tfevents.1763760000.training',
);
const agents = [
  { id: 'qwen', name: 'Qwen3' },
  { id: 'areal', name: 'AReaL' },
];

async function openMarti(machine?: Machine) {
  const folder = await temporaryFolder();
  const inside = (...names: string[]) => join(folder, ...names);
  await mkdir(inside('tensorboard', 'ppo_1121T21:00'), { recursive: true });
  const watch = openTrainingWatch({
    machine: machine ?? (await localMachine()),
    spec: martiTrainingSchema.parse({
      kind: 'marti',
      preset: 'multi',
      checkout: '/marti',
      agents: [{ model: 'a' }, { model: 'b' }],
      data: '/data',
      output: folder,
    }),
    agents,
    paths: {
      metrics: null,
      logs: [inside('output.log')],
      events: [inside('tensorboard')],
      checkpoints: agents.map(({ id }, at) => ({
        path: inside(`ckpt agent${at}`),
        agentId: id,
        names: 'marti' as const,
      })),
      workflow: inside('workflow'),
    },
    clock: { now: () => Date.now() },
  });
  const run = inside('tensorboard', 'ppo_1121T21:00');
  return { folder, inside, run, watch };
}

const scalarEvent = (step: number, tag: string, value: number | 'nan', wall = 1_763_760_000 + 60 * step) => ({
  wall,
  step,
  values: [{ tag, value }],
});

describe("TensorBoard's event files", () => {
  test('written by a real writer become the curves of their agents', async () => {
    const { run, watch } = await openMarti();
    await copyFile(REAL, join(run, 'events.out.tfevents.1763760000.training'));
    await unwrap(watch.read());
    const curves = watch.curves(1_000);
    expect(curves.map(({ agentId, part, key }) => [agentId, part, key])).toEqual([
      ['qwen', 'train', 'reward'],
      ['qwen', 'train', 'policy-loss'],
      ['areal', 'train', 'reward'],
      ['areal', 'train', 'policy-loss'],
      ['qwen', 'train', 'kl'],
      ['qwen', 'evaluation', 'pass@1'],
      ['areal', 'evaluation', 'pass@1'],
      [null, 'evaluation', 'pass@1'],
    ]);
    const [qwen, , areal, loss] = curves;
    expect(qwen?.steps).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
    expect(qwen?.seconds).toEqual(Array.from({ length: 40 }, (_, at) => 60 * at));
    // Of floats of four bytes.
    expect(qwen?.values[9]).toBe(Math.fround(0.35));
    expect(loss?.values.at(-1)).toBe(Math.fround(-0.0125));
    // The second agent learns every other round: its curve is over the rounds, its updates are its own.
    expect(areal?.steps).toEqual(Array.from({ length: 20 }, (_, at) => 2 * at + 2));
    expect(watch.step()).toBe(20);
    expect(watch.alarms(Date.now(), null)).toEqual([]);
  });

  test('give their samples to be read', async () => {
    const { run, watch } = await openMarti();
    await copyFile(REAL, join(run, 'events.out.tfevents.1763760000.training'));
    await unwrap(watch.read());
    const rollouts = await unwrap(watch.rollouts({ limit: 10 }));
    expect(rollouts.map(({ step }) => step)).toEqual([40, 20]);
    expect(rollouts[0]).toMatchObject({
      agentId: 'qwen',
      prompt: 'user\nAdd two numbers, step 40.',
      answer: 'print(1 + 2)  # é',
      reward: null,
      shapedReward: 0.5,
    });
  });

  test('are read as they grow, and new ones as they appear', async () => {
    const { run, watch } = await openMarti();
    const values = () => watch.curves(100).flatMap(({ key, steps }) => (key === 'reward' ? [...steps] : []));
    const bytes = pythonEvents([1, 2, 3].map((step) => scalarEvent(step, 'train/agent_0/reward', step)));
    const first = join(run, 'events.out.tfevents.100.host.1.0');
    await writeFile(first, bytes.subarray(0, bytes.length - 7));
    await unwrap(watch.read());
    expect(values()).toEqual([1, 2]);
    await appendFile(first, bytes.subarray(bytes.length - 7));
    expect((await unwrap(watch.read())).changed).toBe(true);
    expect(values()).toEqual([1, 2, 3]);
    // Resumed from the checkpoint of step 2, in a run folder of its own.
    const second = join(run, '..', 'ppo_1121T23:00', 'events.out.tfevents.200.host.1.0');
    await mkdir(join(second, '..'));
    await writeFile(
      second,
      pythonEvents([3, 4].map((step) => scalarEvent(step, 'train/agent_0/reward', 10 * step))),
    );
    await unwrap(watch.read());
    expect(watch.curves(100)).toMatchObject([{ steps: [1, 2, 3, 4], values: [1, 2, 30, 40] }]);
    expect((await unwrap(watch.read())).changed).toBe(false);
  });

  test('that are cut or replaced are read from the start', async () => {
    const { run, watch } = await openMarti();
    const path = join(run, 'events.out.tfevents.100.host');
    const of = (factor: number, count: number) =>
      pythonEvents(
        Array.from({ length: count }, (_, at) =>
          scalarEvent(at + 1, 'train/agent_0/reward', factor * (at + 1)),
        ),
      );
    await writeFile(path, of(1, 5));
    await unwrap(watch.read());
    await truncate(path, 0);
    await unwrap(watch.read());
    expect(watch.curves(100)).toMatchObject([{ values: [1, 2, 3, 4, 5] }]);
    await writeFile(`${path}.new`, of(3, 9));
    await rm(path);
    await rename(`${path}.new`, path);
    await unwrap(watch.read());
    expect(watch.curves(100)).toMatchObject([{ values: [3, 6, 9, 12, 15, 18, 21, 24, 27] }]);
  });

  test('with a damaged record lose that record, and say so', async () => {
    const { run, watch } = await openMarti();
    const bytes = pythonEvents([1, 2, 3].map((step) => scalarEvent(step, 'train/agent_0/reward', step)));
    bytes[bytes.length - 70] = 0xff;
    const path = join(run, 'events.out.tfevents.100.host');
    await writeFile(path, bytes);
    await unwrap(watch.read());
    expect(watch.curves(100)).toMatchObject([{ steps: [1, 3] }]);
    expect(watch.alarms(Date.now(), null)).toMatchObject([
      {
        kind: 'unreadable',
        message: expect.stringContaining(`${path} has damaged parts, which were skipped.`),
      },
    ]);
  });

  test('report values that are not numbers', async () => {
    const { run, watch } = await openMarti();
    const events = [
      scalarEvent(1, 'train/agent_1/policy_loss', 0.5),
      scalarEvent(2, 'train/agent_1/policy_loss', 'nan'),
    ];
    await writeFile(join(run, 'events.out.tfevents.100.host'), pythonEvents(events));
    await unwrap(watch.read());
    expect(watch.alarms(Date.now(), null)).toMatchObject([{ kind: 'nan', agentId: 'areal', step: 2 }]);
    expect(watch.curves(100)).toMatchObject([{ values: [0.5] }]);
  });
});

test("MARTI's log gives its stage, and numbers where there are no event files", async () => {
  const { inside, watch } = await openMarti();
  const line =
    "WARNING 11-21 21:22:31 multi_agent_ppotrainer.py:275] ✨ Global step 3: {'reward': 0.5, 'agent_id': 1.0}\n";
  await writeFile(
    inside('output.log'),
    `${line}INFO 11-21 21:22:32 t.py:1] [MultiAgent_PPOTrainer] Begin ROLLOUT\n`,
  );
  await unwrap(watch.read());
  expect(watch.stage()).toBe('rollout');
  expect(watch.curves(10)).toMatchObject([{ agentId: 'areal', key: 'reward', steps: [3], values: [0.5] }]);
});

test("of MARTI's log only the end is read where event files have the numbers", async () => {
  const mark = 'INFO 11-21 21:22:32 t.py:1] make_experience FINISHED! Begin Training\n';
  const row = "WARNING 11-21 21:22:31 t.py:275] ✨ Global step 3: {'kl': 0.5, 'agent_id': 1.0}\n";
  const log = row + 'words of a trainer\n'.repeat(1_000_000) + mark;
  const bare = await openMarti();
  await writeFile(bare.inside('output.log'), log);
  await unwrap(bare.watch.read());
  expect([bare.watch.latest().length, bare.watch.stage()]).toEqual([1, 'training']);
  const both = await openMarti();
  await copyFile(REAL, join(both.run, 'events.out.tfevents.1763760000.training'));
  await writeFile(both.inside('output.log'), log);
  await unwrap(both.watch.read());
  const isThere = both.watch.curves(10).some(({ agentId, key }) => agentId === 'areal' && key === 'kl');
  expect([isThere, both.watch.stage()]).toEqual([false, 'training']);
  await appendFile(both.inside('output.log'), 'INFO 11-21 21:22:33 t.py:1] [T] Begin ROLLOUT\n');
  await unwrap(both.watch.read());
  expect(both.watch.stage()).toBe('rollout');
});

test("MARTI's checkpoints are listed by agent; complete weights alone can be served", async () => {
  const { inside, watch } = await openMarti();
  const put = async (path: string, bytes: number) => {
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, 'x'.repeat(bytes));
  };
  const at = new Date('2026-11-20T10:00:00Z');
  for (const step of [4, 16]) {
    const folder = inside('ckpt agent0', `global_step${step}_hf`);
    await put(join(folder, 'config.json'), 10);
    await put(join(folder, 'model-00001-of-00001.safetensors'), 300_000);
    await put(inside('ckpt agent0', '_actor', `global_step${step}`, 'mp_rank_00_model_states.pt'), 100_000);
    await utimes(folder, at, at);
  }
  // Still being written.
  await put(inside('ckpt agent1', 'global_step4_hf', 'config.json'), 10);
  await put(inside('ckpt agent1', '_actor', 'latest'), 10);
  const checkpoints = await unwrap(watch.checkpoints());
  expect(checkpoints.map(({ id, step, canServe }) => [id, step, canServe])).toEqual([
    ['qwen-global_step4', 4, false],
    ['qwen-global_step4_hf', 4, true],
    ['qwen-global_step16', 16, false],
    ['qwen-global_step16_hf', 16, true],
    ['areal-global_step4_hf', 4, false],
  ]);
  expect(checkpoints[1]).toMatchObject({
    path: inside('ckpt agent0', 'global_step4_hf'),
    at: at.toISOString(),
    agentId: 'qwen',
  });
  expect(checkpoints[1]?.bytes).toBeGreaterThanOrEqual(300_010);
  expect(checkpoints[1]?.bytes).toBeLessThan(350_000);
});

test("OpenRLHF's samples are read, whose lines are separated by a backslash and an n", () => {
  const text = 'Sample:\\nuser\nAdd.\nassistant\nprint("\\n\\nReward: 9")\\n\\nReward: 0.5000';
  expect(generatedSample(text, 'policy', 3)).toMatchObject({
    prompt: 'user\nAdd.',
    answer: 'print("\\n\\nReward: 9")',
    shapedReward: 0.5,
  });
});

test("answers in MARTI's workflow folder are read newest first, without their tokens", async () => {
  const { inside, run, watch } = await openMarti();
  await writeFile(
    join(run, 'events.out.tfevents.100.host'),
    pythonEvents(
      [1, 2, 3].map((step) => scalarEvent(step, 'train/agent_0/reward', step, 1_000_000 + 100 * step)),
    ),
  );
  const put = async (prompt: number, agent: number, seconds: number, answer: string) => {
    const folder = inside('workflow', `${prompt}`, 'llm_logs');
    await mkdir(folder, { recursive: true });
    const path = join(folder, `log_20261121_2122${prompt}${agent}_123_${agent}.txt`);
    const result = {
      request: { messages: `Solve "it", é\n${prompt}` },
      action_text: answer,
      action_tokens: Array.from({ length: 5_000 }, (_, at) => at),
      agent_id: `${agent}`,
    };
    await writeFile(path, JSON.stringify({ agent_id: `${agent}`, result }, null, 4));
    await utimes(path, seconds, seconds);
  };
  await put(0, 0, 1_000_050, 'print(0)');
  await put(1, 1, 1_000_150, 'print("1")\n');
  await put(2, 0, 1_000_250, 'x'.repeat(500_000));
  await unwrap(watch.read());
  const brief = async (query: Parameters<typeof watch.rollouts>[0]) =>
    (await unwrap(watch.rollouts(query))).map(({ agentId, step, problemId }) => [agentId, step, problemId]);
  expect(await brief({ limit: 10 })).toEqual([
    ['qwen', 3, '2'],
    ['areal', 2, '1'],
    ['qwen', 1, '0'],
  ]);
  expect(await brief({ limit: 1 })).toEqual([['qwen', 3, '2']]);
  expect(await brief({ limit: 10, agentId: 'qwen' })).toEqual([
    ['qwen', 3, '2'],
    ['qwen', 1, '0'],
  ]);
  expect(await brief({ limit: 10, upToStep: 2 })).toEqual([
    ['areal', 2, '1'],
    ['qwen', 1, '0'],
  ]);
  const [long, second] = await unwrap(watch.rollouts({ limit: 10 }));
  expect(second).toMatchObject({ prompt: 'Solve "it", é\n1', answer: 'print("1")\n', reward: null });
  expect(long?.answer).toMatch(/^x{40000}\n\.\.\.$/);
});
