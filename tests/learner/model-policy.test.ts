import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { learnerWriter } from '../../main/trainer/models/engines/writer';
import {
  type LearnerSettings,
  type RunningLearner,
  startLearner,
} from '../../main/trainer/models/learner-process';
import { modelPolicy } from '../../main/trainer/models/model-policy';
import type { WriteRequest } from '../../main/trainer/policy';
import { learnerProgram, tinyModel } from '../support/learner';
import { warmPython } from '../support/warm-python';

/** The real learner, with a tiny model of random weights. */
describe.skipIf(warmPython === null)('a language model as a policy of the trainer', () => {
  let folder = '';
  let learner: RunningLearner;
  const start = async (change: Partial<LearnerSettings> = {}): Promise<RunningLearner> =>
    startLearner(
      {
        agentId: 'tiny',
        model: await tinyModel(1),
        lora: { rank: 4, alpha: 8 },
        needsReference: true,
        seed: 1,
        device: 'cpu',
        dtype: 'float32',
        processes: 1,
        threads: 1,
        visibleGpus: null,
        ...change,
      },
      { python: warmPython as string, program: learnerProgram, out: folder, onLine: () => undefined },
    );
  const policyOf = ({ client }: RunningLearner) =>
    modelPolicy({ id: 'tiny', client, writer: learnerWriter(client, 256), hasReference: true });
  const request = (seed: number, content = 'Print 1.', maxTokens = 12): WriteRequest => ({
    agent: {
      id: 'tiny',
      name: 'tiny',
      serverId: 'tiny',
      role: null,
      sampling: { temperature: 1, topP: 1, maxTokens },
      extraction: 'last-fence',
    },
    messages: [{ role: 'user', content }],
    seed,
    problemId: 'p',
    part: 'search',
    ordinal: 0,
    parent: null,
    turn: 0,
    signal: new AbortController().signal,
  });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mars2-model-policy-'));
    learner = await start();
  });
  afterAll(async () => {
    await learner?.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const write = async (seed: number) => {
    const written = await policyOf(learner).write(request(seed));
    if (!written.ok) throw new Error(JSON.stringify(written.error));
    return written.value;
  };

  it('writes the same answer for a seed, with the log-probabilities that it scores later', async () => {
    const [first, again] = [await write(7), await write(7)];
    expect(again).toEqual(first);
    expect(first.completionTokens).toBe(first.trace.tokens.length);
    const policy = policyOf(learner);
    const [scores] = await policy.score([first.trace], 'now');
    expect(scores).toHaveLength(first.trace.tokens.length);
    for (let t = 0; t < first.rollout.length; t++)
      expect(scores?.[t]).toBeCloseTo(first.rollout[t] as number, 4);
    const [reference] = await policy.score([first.trace], 'reference');
    expect(reference?.[0]).toBeCloseTo(first.rollout[0] as number, 4);
  });

  it('reports the same log-probabilities for answers that were written together', async () => {
    const policy = policyOf(learner);
    const contents = ['a', 'Print one.', 'x = 1\n'.repeat(20), 'Print the number that is read, plus one.'];
    const written = await Promise.all(
      contents.flatMap((content) => [1, 2, 3].map((seed) => policy.write(request(seed, content, 3)))),
    );
    const samples = written.map((answer) => {
      if (!answer.ok) throw new Error(JSON.stringify(answer.error));
      return answer.value;
    });
    const scores = await policy.score(
      samples.map(({ trace }) => trace),
      'now',
    );
    const gaps = samples.flatMap(({ rollout }, i) =>
      Array.from(rollout, (log, t) => Math.abs(log - (scores[i]?.[t] as number))),
    );
    expect(Math.max(...gaps)).toBeLessThan(1e-3);
  });

  it('raises what is to be raised and lowers what is to be lowered', async () => {
    const samples = [await write(1), await write(2)];
    const traces = samples.map(({ trace }) => trace);
    const policy = policyOf(learner);
    const before = (await policy.score(traces, 'now')).map(sum);
    // The loss falls as the first answer becomes likelier and the second unlikelier.
    const slopes = samples.map(({ trace }, i) =>
      new Float64Array(trace.tokens.length).fill(i === 0 ? -1 : 1),
    );
    await policy.backward(traces, slopes);
    expect((await policy.step(0.01)).gradientNorm).toBeGreaterThan(0);
    const after = (await policy.score(traces, 'now')).map(sum);
    expect(after[0]).toBeGreaterThan(before[0] as number);
    expect(after[1]).toBeLessThan(before[1] as number);
    const reference = (await policy.score(traces, 'reference')).map(sum);
    expect(reference[0]).toBeCloseTo(before[0] as number, 3);
  });

  it('does not move without a signal', async () => {
    const { trace } = await write(3);
    const policy = policyOf(learner);
    const before = await policy.score([trace], 'now');
    await policy.backward([trace], [new Float64Array(trace.tokens.length)]);
    const length = trace.prompt.length;
    expect(await policy.step(0.01)).toEqual({ gradientNorm: 0, values: { 'prompt-tokens': length } });
    expect(await policy.score([trace], 'now')).toEqual(before);
  });

  it('continues from a saved state after its process was killed', async () => {
    const policy = policyOf(learner);
    const { trace, rollout } = await write(4);
    const mark = await policy.save();
    const expected = await policy.score([trace], 'now');
    await learner.dispose();
    learner = await start();
    const next = policyOf(learner);
    await next.restore(JSON.parse(JSON.stringify(mark)));
    expect(await next.score([trace], 'now')).toEqual(expected);
    const kept = next.codec.decode(JSON.parse(JSON.stringify(next.codec.encode({ trace, rollout }))));
    expect(kept).toEqual({ trace, rollout });
  });

  it('keeps two states, and exports a folder that others load', async () => {
    const policy = policyOf(learner);
    for (let i = 0; i < 3; i++) await policy.save();
    expect((await readdir(join(folder, 'learners/tiny/states'))).length).toBeLessThanOrEqual(3);
    await policy.exportTo(join(folder, 'checkpoints/tiny-000001'));
    expect(await readdir(join(folder, 'checkpoints/tiny-000001'))).toContain('adapter_config.json');
  });

  it('refuses a prompt that leaves no room for the answer before it is sent', async () => {
    const written = await policyOf(learner).write(request(1, 'x = 1\n'.repeat(400)));
    expect(written).toMatchObject({ ok: false, error: { kind: 'server' } });
    expect(JSON.stringify(written)).toContain('leave room for an answer');
  });

  it('says why a learner did not start', async () => {
    await expect(start({ agentId: 'none', model: join(folder, 'nothing') })).rejects.toThrow(
      /did not start.*nothing/s,
    );
  });
});

function sum(values: ArrayLike<number>): number {
  return Array.prototype.reduce.call(
    values,
    (total, value) => (total as number) + (value as number),
    0,
  ) as number;
}
