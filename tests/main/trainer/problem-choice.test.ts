import { existsSync } from 'node:fs';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LearningInput } from '../../../main/trainer/learning-input';
import type { WriteRequest } from '../../../main/trainer/policy';
import { TrainerError } from '../../../main/trainer/trainer-error';
import type { PassCount } from '../../../preload/contract';
import { temporaryFolder } from '../../support/temporary-folder';
import {
  type Answer,
  type ScriptedPolicy,
  scriptedEnvironment,
  scriptedLearning,
  scriptedPolicy,
  trainScripted,
} from './scripted-training';

const MEASURED = 'measured-problems.json';
const CHOOSE = { measured: 100, samples: 10, from: 0.1, to: 0.8 };

function numberOf(id: string): number {
  return Number(id.split('-')[1]);
}

/** Of ten first attempts at problem i, i pass; every other node of a tree does, so that there is something to learn. */
function byNumber({ problemId, part, ordinal }: WriteRequest): Answer {
  const passes = part === 'samples' ? ordinal < numberOf(problemId) : ordinal % 2 === 0;
  return passes ? 'pass' : 'fail';
}

/** The problems that it was asked to search, i.e. those of the training. */
function searched({ asked }: ScriptedPolicy): string[] {
  return [...new Set(asked.filter(({ part }) => part === 'search').map(({ problemId }) => problemId))].sort();
}

function measured({ asked }: ScriptedPolicy): Set<string> {
  return new Set(asked.filter(({ part }) => part === 'samples').map(({ problemId }) => problemId));
}

async function countsIn(folder: string): Promise<Record<string, readonly number[]>> {
  const { problems } = JSON.parse(await readFile(join(folder, MEASURED), 'utf8'));
  return Object.fromEntries(
    (problems as PassCount[]).map(({ problemId, samples }) => [
      problemId,
      samples.map(({ passed }) => passed),
    ]),
  );
}

function choosing(choose: Partial<typeof CHOOSE> = {}, changes: Parameters<typeof scriptedLearning>[1] = {}) {
  return scriptedLearning(['one'], { choose: { ...CHOOSE, ...choose }, ...changes });
}

describe('a training on problems chosen by Pass@1', () => {
  test('trains on those in the range alone, both ends included, and says why the others were left out', async () => {
    const policy = scriptedPolicy('one', byNumber);
    const lines: string[] = [];
    const onProgress = (line: string): void => void lines.push(line);
    const learning = choosing();
    const { out, outcome } = await trainScripted(learning, [policy], scriptedEnvironment(11, 0), {
      onProgress,
    });
    expect(outcome).toBe('done');
    expect(searched(policy)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((i) => `train-${i}`));
    const counts = await countsIn(out);
    expect(counts).toEqual(Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`train-${i}`, [i]])));
    const stage = JSON.parse(await readFile(join(out, 'stage.json'), 'utf8'));
    expect(stage).toMatchObject({
      stage: 'done',
      kept: { from: 0.1, to: 0.8, measured: 11, kept: 8, neverSolved: 1, below: 0, above: 2 },
    });
    expect(lines[0]).toBe('Kept 8 of 11 problems with Pass@1 from 10 to 80 %: 1 never solved, 2 above.');
  });

  test('takes the mean over the agents, each asked alone', async () => {
    // At train-1 and train-9 the mean is 0.5; at train-0 one solves 0 and the other 1 of 10: below 0.1.
    const other = (request: WriteRequest): Answer => {
      const mirrored = { ...request, problemId: `train-${10 - numberOf(request.problemId)}` };
      return byNumber(request.problemId === 'train-0' ? { ...request, problemId: 'train-1' } : mirrored);
    };
    const policies = [scriptedPolicy('one', byNumber), scriptedPolicy('two', other)];
    const learning = scriptedLearning(['one', 'two'], {
      choose: { ...CHOOSE, from: 0.45, to: 0.55 },
      spec: { method: 'heter-mars2' },
    });
    const { out } = await trainScripted(learning, policies, scriptedEnvironment(10, 0));
    expect(searched(policies[0] as ScriptedPolicy)).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => `train-${i}`),
    );
    expect(await countsIn(out)).toMatchObject({ 'train-0': [0, 1], 'train-9': [9, 1] });
    for (const { asked, id } of policies) {
      expect(new Set(asked.map(({ agent }) => agent.serverId))).toEqual(new Set([id]));
    }
  });

  test('counts what passes the private tests too', async () => {
    const script = (request: WriteRequest): Answer =>
      byNumber(request) === 'pass' && numberOf(request.problemId) < 4 ? 'pass' : 'public-only';
    const { out } = await trainScripted(
      choosing({ from: 0 }),
      [scriptedPolicy('one', script)],
      scriptedEnvironment(7, 0),
    );
    expect(await countsIn(out)).toMatchObject({ 'train-3': [3], 'train-4': [0], 'train-6': [0] });
  });

  test('measures as many as are asked for, drawn by the seed alone', async () => {
    const measuredWith = async (seed: number): Promise<string[]> => {
      const policy = scriptedPolicy('one', byNumber);
      const learning = choosing({ measured: 6, from: 0, to: 1 }, { spec: { seed } });
      const { out } = await trainScripted(learning, [policy], scriptedEnvironment(40, 0));
      const drawn = Object.keys(await countsIn(out));
      expect(measured(policy)).toEqual(new Set(drawn));
      expect(drawn).toHaveLength(6);
      expect(searched(policy).every((id) => drawn.includes(id))).toBe(true);
      return drawn;
    };
    const first = await measuredWith(1);
    expect(await measuredWith(1)).toEqual(first);
    expect(await measuredWith(2)).not.toEqual(first);
  });

  test('ends with the counts and what to do where fewer than two problems are left', async () => {
    const policy = scriptedPolicy('one', byNumber);
    const work = trainScripted(choosing({ from: 0.25, to: 0.35 }), [policy], scriptedEnvironment(9, 0));
    await expect(work).rejects.toThrow(
      'Too few problems to train on. Kept 1 of 9 problems with Pass@1 from 25 to 35 %: 1 never solved, 2 below, 5 above.',
    );
    const error = await work.catch((thrown: unknown) => thrown);
    expect((error as TrainerError).refusal.hint).toMatch(/measures more problems, takes harder ones/);
    expect(searched(policy)).toEqual([]);
  });

  test('without updates measures nothing', async () => {
    const policy = scriptedPolicy('one', byNumber);
    const learning = choosing({}, { spec: { method: 'base' } });
    const { out } = await trainScripted(learning, [policy], scriptedEnvironment(9, 0));
    expect(policy.asked).toEqual([]);
    expect(existsSync(join(out, MEASURED))).toBe(false);
  });
});

describe('the measurement before a training', () => {
  /** More than are measured at once. */
  const MANY = 30;
  const learning = choosing();

  test('goes on after a kill from what was written, to the same counts', async () => {
    const whole = await trainScripted(
      learning,
      [scriptedPolicy('one', byNumber)],
      scriptedEnvironment(MANY, 0),
    );
    const out = await temporaryFolder();
    const atKill = await temporaryFolder();
    const asked = new Set<string>();
    let copy: Promise<void> | null = null;
    const killed = scriptedPolicy('one', async (request) => {
      asked.add(request.problemId);
      // What is on the disk when it has begun one of the later problems.
      if (asked.size === 25) {
        // A file that is being replaced is not one yet.
        copy ??= cp(out, atKill, { recursive: true, filter: (path) => !path.endsWith('.tmp') });
        await copy;
      }
      return byNumber(request);
    });
    await trainScripted(learning, [killed], scriptedEnvironment(MANY, 0), { out });
    await rm(join(atKill, 'workbench.lock'), { force: true });
    const before = Object.keys(await countsIn(atKill));
    expect(before.length).toBeGreaterThan(0);
    expect(before.length).toBeLessThan(MANY);

    const policy = scriptedPolicy('one', byNumber);
    await trainScripted(learning, [policy], scriptedEnvironment(MANY, 0), { out: atKill });
    expect(measured(policy).size).toBe(MANY - before.length);
    expect(before.filter((id) => measured(policy).has(id))).toEqual([]);
    expect(await readFile(join(atKill, MEASURED), 'utf8')).toBe(await readFile(whole.file(MEASURED), 'utf8'));
    expect(await readFile(join(atKill, 'metrics.jsonl'), 'utf8')).toBe(
      await readFile(whole.file('metrics.jsonl'), 'utf8'),
    );
  });

  test('that is stopped begins no further problem, and goes on', async () => {
    const out = await temporaryFolder();
    const stop = { aborted: false };
    const stopping = scriptedPolicy('one', (request) => {
      stop.aborted = true;
      return byNumber(request);
    });
    const stopped = await trainScripted(learning, [stopping], scriptedEnvironment(MANY, 0), { out, stop });
    expect(stopped.outcome).toBe('stopped');
    expect(measured(stopping).size).toBe(20);
    expect(existsSync(join(out, 'state.json'))).toBe(false);
    expect(JSON.parse(await readFile(join(out, 'stage.json'), 'utf8')).stage).toBe('stopped');
    const policy = scriptedPolicy('one', byNumber);
    expect((await trainScripted(learning, [policy], scriptedEnvironment(MANY, 0), { out })).outcome).toBe(
      'done',
    );
    expect(measured(policy).size).toBe(MANY - 20);
  });

  test('that is cancelled loses the problems in progress only', async () => {
    const out = await temporaryFolder();
    const cancel = new AbortController();
    let answers = 0;
    const policy = scriptedPolicy('one', (request) => {
      answers += 1;
      if (answers > 250) cancel.abort();
      return byNumber(request);
    });
    const cancelled = { out, signal: cancel.signal };
    const { outcome } = await trainScripted(learning, [policy], scriptedEnvironment(MANY, 0), cancelled);
    expect(outcome).toBe('stopped');
    const counts = Object.entries(await countsIn(out));
    expect(counts.length).toBeGreaterThan(0);
    for (const [id, [passed]] of counts) expect(passed).toBe(Math.min(10, numberOf(id)));
  });

  test('is not repeated by agents that have learned', async () => {
    const out = await temporaryFolder();
    const stop = { aborted: false };
    const onProgress = (line: string): void => {
      if (line.startsWith('Round 1.')) stop.aborted = true;
    };
    const first = scriptedPolicy('one', byNumber);
    await trainScripted(learning, [first], scriptedEnvironment(MANY, 0), { out, stop, onProgress });
    const next = scriptedPolicy('one', byNumber);
    const copy = await temporaryFolder();
    await cp(out, copy, { recursive: true });
    await trainScripted(learning, [next], scriptedEnvironment(MANY, 0), { out });
    expect(measured(next).size).toBe(0);
    expect(searched(next).every((id) => [1, 2, 3, 4, 5, 6, 7, 8].includes(numberOf(id)))).toBe(true);
    await rm(join(copy, MEASURED));
    const without = trainScripted(learning, [next], scriptedEnvironment(MANY, 0), { out: copy });
    await expect(without).rejects.toThrow(/the agents have learned since/);
  });

  test('of other settings, or a damaged one, is refused', async () => {
    const stop = { aborted: false };
    const run = async (of: LearningInput, out: string) =>
      trainScripted(of, [scriptedPolicy('one', byNumber)], scriptedEnvironment(MANY, 0), { out });
    const out = await temporaryFolder();
    const policy = scriptedPolicy('one', (request) => {
      stop.aborted = true;
      return byNumber(request);
    });
    await trainScripted(learning, [policy], scriptedEnvironment(MANY, 0), { out, stop });
    await expect(run(choosing({ samples: 11 }), out)).rejects.toThrow(/other settings/);
    await writeFile(join(out, MEASURED), '{"kind":');
    await expect(run(learning, out)).rejects.toBeInstanceOf(TrainerError);
    await expect(run(learning, out)).rejects.toThrow(/is damaged/);
  });
});
