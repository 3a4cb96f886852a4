import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadPolicy, parseCheckpoint, parseProgram, pocketProblems } from '../../../main/pocket';
import { signatureOf, splitOf } from '../../../main/pocket/signature';
import { readSealed } from '../../../main/storage';
import { heldOutProblems } from '../../../main/trainer/pocket/pocket-problems';
import { TrainerError } from '../../../main/trainer/trainer-error';
import { rolloutSchema, trainingEvaluationSchema, trainingMethodSchema } from '../../../preload/contract';
import { saveBasePolicies } from '../../support/base-policies';
import { eventually } from '../../support/eventually';
import { makeTemporaryFolder, temporaryFolder } from '../../support/temporary-folder';
import { metricLines, outputFiles, smallTraining, trainHere } from './small-training';

let shared: Awaited<ReturnType<typeof makeTemporaryFolder>>;
let checkpoints = '';
beforeAll(async () => {
  shared = await makeTemporaryFolder();
  checkpoints = join(shared.path, 'checkpoints');
  await saveBasePolicies(checkpoints, ['reader', 'weak']);
  // Of a second policy of its family.
  await saveBasePolicies(checkpoints, ['weak'], 2);
});
afterAll(() => shared.dispose());

const done = new Map<string, Promise<string>>();

/** Folder of a training that is done. Who asks for the same one has the same folder, and only reads it. */
function trained(changes: Record<string, unknown> = {}): Promise<string> {
  // With the method that is the usual one, so that who names it has the same one.
  const key = JSON.stringify({ method: 'heter-mars2', ...changes });
  const folder = done.get(key) ?? trainIn(join(shared.path, `training-${done.size}`), changes);
  done.set(key, folder);
  return folder;
}

async function trainIn(out: string, changes: Record<string, unknown> = {}): Promise<string> {
  expect(await trainHere(smallTraining(changes), { out, checkpoints })).toBe('done');
  return out;
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof TrainerError)) throw new Error(`Not refused: ${String(error)}`);
  return `${error.refusal.message} ${error.refusal.hint ?? ''}`;
}

describe('a pocket training', () => {
  test('with the same seed writes the same bytes, with another one others', async () => {
    const files = await outputFiles(await trained());
    expect(await outputFiles(await trainIn(await temporaryFolder()))).toEqual(files);
    const others = await outputFiles(await trained({ method: 'rs2', families: ['reader'], problems: 11 }));
    expect(others['metrics.jsonl']).not.toBe(files['metrics.jsonl']);
  });

  test('that is not to be evaluated writes no evaluation, and learns the same', async () => {
    const evaluation = { split: 'validation', problems: 0, nodes: 1, samples: 1, every: 3 };
    const bare = await trained({ evaluation });
    expect(existsSync(join(bare, 'evaluation.json'))).toBe(false);
    expect((await metricLines(bare)).filter(({ part }) => part === 'evaluation')).toEqual([]);
    const name = join('checkpoints', 'reader-000006.json');
    expect(await readFile(join(bare, name), 'utf8')).toBe(
      await readFile(join(await trained(), name), 'utf8'),
    );
  });

  test.each(trainingMethodSchema.options)(
    'by %s gives every agent its updates and samples, and a checkpoint that can be served',
    async (method) => {
      const out = await trained({ method });
      const lines = (await metricLines(out)).filter(({ part }) => part === undefined);
      const updates = method === 'base' ? 0 : 6;
      for (const agent of ['reader', 'weak']) {
        const own = lines.filter((line) => line.agent === agent);
        expect(own.map(({ step }) => step)).toEqual(Array.from({ length: updates }, (_, i) => i + 1));
        expect(own.map(({ samples }) => samples)).toEqual(own.map(({ step }) => 16 * step));
        const name = `${agent}-${String(updates).padStart(6, '0')}.json`;
        const checkpoint = parseCheckpoint(await readFile(join(out, 'checkpoints', name), 'utf8'));
        expect(checkpoint.ok && checkpoint.value.updates).toBe(updates);
        expect(checkpoint.ok && loadPolicy(checkpoint.value).ok).toBe(true);
      }
    },
  );

  test('begins with what the untrained policies can do, where it is evaluated on the way', async () => {
    const evaluated = async (changes: Record<string, unknown> = {}) =>
      (await metricLines(await trained(changes))).filter(({ part }) => part === 'evaluation');
    const [first, second, third] = await evaluated();
    for (const line of [first, second]) expect(line).toMatchObject({ step: 0, round: 0, samples: 0 });
    expect([first?.agent, second?.agent]).toEqual(['reader', 'weak']);
    expect(third?.step).toBeGreaterThan(0);
    // The same first attempts as those of a method that learns nothing, by the same policies.
    const base = await evaluated({ method: 'base' });
    expect(base.every(({ step }) => step === 0)).toBe(true);
    expect(base.find(({ agent }) => agent === 'reader')?.values['pass@1']).toBe(first?.values['pass@1']);
    const atTheEnd = { split: 'validation', problems: 4, nodes: 6, samples: 4, every: 0 };
    expect((await evaluated({ evaluation: atTheEnd })).some(({ step }) => step === 0)).toBe(false);
  });

  test('keeps the requested checkpoints, and the last', async () => {
    const files = await outputFiles(await trained());
    const names = Object.keys(files).filter((name) => name.startsWith('checkpoints'));
    expect(names).toEqual(
      ['reader', 'weak'].flatMap((agent) =>
        ['000004', '000006'].map((at) => `checkpoints/${agent}-${at}.json`),
      ),
    );
  });

  test('reports numbers of every update, all finite, shares between 0 and 1', async () => {
    const lines = await metricLines(await trained());
    const shares = ['reward', 'zero-advantage', 'clipped', 'node-share', 'distinct', 'pass@n', 'all-wrong'];
    for (const { part, values } of lines) {
      for (const value of Object.values(values)) expect(Number.isFinite(value)).toBe(true);
      if (part === 'evaluation') continue;
      for (const key of shares) {
        expect(values[key], key).toBeGreaterThanOrEqual(0);
        expect(values[key], key).toBeLessThanOrEqual(1);
      }
      for (const key of [
        'shaped-reward',
        'entropy',
        'kl',
        'gradient-norm',
        'policy-loss',
        'learning-rate',
        'tokens',
      ])
        expect(values).toHaveProperty([key]);
    }
  });

  test('of heterogeneous agents fills the buffer of each, and each learns when its own is full', async () => {
    const lines = (await metricLines(await trained())).filter(({ part }) => part === undefined);
    const rounds = (agent: string): number[] =>
      lines.filter((line) => line.agent === agent).map(({ round }) => round);
    expect(rounds('reader').length).toBe(6);
    expect(rounds('weak').length).toBe(6);
    expect(rounds('reader')).not.toEqual(rounds('weak'));
    const shares = lines.map(({ values }) => values['node-share'] as number);
    for (const share of shares) expect(share).toBeGreaterThan(0);
    expect(shares.some((share) => share < 1)).toBe(true);
  });

  test('lets an agent that is done keep writing, unchanged', async () => {
    const out = await trained({ updates: 3 });
    const lines = (await metricLines(out)).filter(({ part }) => part === undefined);
    const [early, late] = ['reader', 'weak']
      .map((agent) => lines.filter((line) => line.agent === agent).at(-1))
      .sort((a, b) => (a?.round ?? 0) - (b?.round ?? 0));
    expect(early?.round).toBeLessThan(late?.round ?? 0);
    expect(late?.values['node-share']).toBeLessThan(1);
    expect(lines.filter(({ agent }) => agent === early?.agent)).toHaveLength(3);
  });

  test('has two policies of a family that is there twice', async () => {
    const out = await trained({ families: ['weak', 'weak'], updates: 1 });
    const policies = ['weak', 'weak-2'].map(async (agent) => {
      const checkpoint = parseCheckpoint(
        await readFile(join(out, 'checkpoints', `${agent}-000001.json`), 'utf8'),
      );
      if (!checkpoint.ok) throw new Error(checkpoint.error.message);
      return checkpoint.value;
    });
    const [one, other] = await Promise.all(policies);
    expect([one?.seed, other?.seed]).toEqual([1, 2]);
    expect(one?.weights).not.toBe(other?.weights);
  });

  test('has first attempts alone where a method has no refinement, and refinements where it has', async () => {
    const refined = async (changes: Record<string, unknown>): Promise<number> =>
      (await metricLines(await trained(changes))).reduce((sum, { values }) => sum + (values.refined ?? 0), 0);
    for (const method of ['grpo', 'grpo-all-wrong', 'mixed-groups'])
      expect(await refined({ method })).toBe(0);
    for (const method of ['rs2', 'homo-mars2', 'heter-mars2']) {
      expect(await refined({ method })).toBeGreaterThan(0);
      expect(await refined({ method, refinement: false })).toBe(0);
    }
  });

  test('gives the samples of all-wrong groups an advantage in the control alone', async () => {
    const zero = async (method: string): Promise<number[]> =>
      (await metricLines(await trained({ method, families: ['weak'] })))
        .filter(({ part }) => part === undefined)
        .map(({ values }) => (values['zero-advantage'] as number) - (values['all-wrong'] as number));
    for (const difference of await zero('grpo')) expect(difference).toBeGreaterThanOrEqual(0);
    expect(Math.min(...(await zero('grpo-all-wrong')))).toBeLessThan(0);
  });

  test('learns with every group and ratio, filter and penalty', async () => {
    const plain = smallTraining().spec.objective;
    for (const change of [
      { group: 'batch' },
      { group: 'agent', ratio: 'token' },
      { group: 'siblings', importanceCap: null, kl: { estimator: 'k1', coefficient: 0.1 } },
      { filter: { low: 0, high: 1 }, overlong: { maximumTokens: 5, bufferTokens: 2, factor: 1 } },
    ]) {
      const lines = await metricLines(
        await trained({ families: ['reader'], objective: { ...plain, ...change } }),
      );
      expect(lines.filter(({ part }) => part === undefined)).toHaveLength(6);
    }
  });

  test('takes problems of the train split, and evaluates on problems of another', async () => {
    const out = await trained();
    const train = pocketProblems({ split: 'train', seed: 1, count: 12 });
    const held = heldOutProblems(smallTraining().spec);
    const rollouts = (await readFile(join(out, 'rollouts.jsonl'), 'utf8')).trim().split('\n');
    for (const line of rollouts) {
      const { problemId, prompt } = rolloutSchema.parse(JSON.parse(line));
      expect(problemId).toMatch(/^pocket\/train\//);
      expect(prompt).toContain(train.find(({ id }) => id === problemId)?.statement ?? 'no such problem');
    }
    const path = join(out, 'evaluation.json');
    expect(JSON.parse(await readFile(path, 'utf8'))).toHaveProperty('sha256');
    const read = await readSealed(path, trainingEvaluationSchema);
    if (read.kind !== 'read') throw new Error('It matches its checksum');
    const evaluation = read.value;
    expect(evaluation.split).toBe('validation');
    for (const { problems } of evaluation.teams) {
      expect(problems.map(({ problemId }) => problemId)).toEqual(held.map(({ id }) => id));
    }
    const splits = (problems: typeof train): Set<string> =>
      new Set(
        problems.map(({ canonicalProgram }) =>
          splitOf(signatureOf(parseProgram(canonicalProgram ?? '')?.program ?? [])),
        ),
      );
    expect([...splits(train)]).toEqual(['train']);
    expect([...splits(held)]).toEqual(['validation']);
  });

  test('evaluates each agent alone and the team, on counts that agree with each other', async () => {
    for (const method of ['base', 'homo-mars2']) {
      const out = await trained({ method });
      const { teams } = trainingEvaluationSchema.parse(
        JSON.parse(await readFile(join(out, 'evaluation.json'), 'utf8')),
      );
      expect(teams.map(({ agentIds }) => agentIds)).toEqual([['reader'], ['weak'], ['reader', 'weak']]);
      for (const { problems, nodes, agentIds } of teams) {
        expect(nodes).toBe(6);
        for (const problem of problems) {
          expect(problem.samples.map(({ agentId, count }) => [agentId, count])).toEqual(
            agentIds.map((id) => [id, 4]),
          );
          expect(problem.distinctPrograms).toBeLessThanOrEqual(nodes);
          if (problem.chosenPasses) expect(problem.somePasses).toBe(true);
          expect(problem.algorithms.length > 0).toBe(problem.somePasses);
        }
      }
    }
  });

  test('raises its reward by plain GRPO within 150 updates', async () => {
    const out = await trained({
      method: 'grpo',
      families: ['reader'],
      updates: 150,
      batch: 32,
      problems: 20,
      treesPerRound: 8,
      evaluation: { split: 'validation', problems: 2, nodes: 4, samples: 2, every: 0 },
    });
    const rewards = (await metricLines(out)).flatMap(({ part, values }) =>
      part === undefined ? [values.reward as number] : [],
    );
    const mean = (some: readonly number[]): number => some.reduce((sum, one) => sum + one, 0) / some.length;
    expect(rewards).toHaveLength(150);
    expect(mean(rewards.slice(-30))).toBeGreaterThan(mean(rewards.slice(0, 30)) + 0.1);
  });
});

describe('a pocket training that is stopped', () => {
  test.each(['heter-mars2', 'grpo', 'base'])(
    'restored after any round of %s continues to the same bytes',
    async (method) => {
      const input = smallTraining({ method });
      const whole = await trained({ method });
      const parts = await temporaryFolder();
      // The fourth question whether to stop is answered with yes, so each call makes three steps.
      let sessions = 0;
      for (let end = 'stopped'; end === 'stopped'; sessions++) {
        let calls = 0;
        const stop = {
          get aborted(): boolean {
            calls += 1;
            return calls > 2;
          },
        };
        end = await trainHere(input, { out: parts, checkpoints, stop });
        expect(sessions).toBeLessThan(100);
      }
      if (method !== 'base') expect(sessions).toBeGreaterThan(2);
      expect(await outputFiles(parts)).toEqual(await outputFiles(whole));
    },
  );

  test('before its first round does not evaluate the untrained policies twice', async () => {
    const input = smallTraining();
    const [whole, parts] = [await trained(), await temporaryFolder()];
    expect(await trainHere(input, { out: parts, checkpoints, stop: { aborted: true } })).toBe('stopped');
    await trainHere(input, { out: parts, checkpoints });
    expect(await outputFiles(parts)).toEqual(await outputFiles(whole));
  });

  test('between two saved states does again what came after the first, to the same bytes', async () => {
    const input = smallTraining();
    const [whole, out] = [await trained(), await temporaryFolder()];
    let calls = 0;
    await trainHere(input, {
      out,
      checkpoints,
      stop: {
        get aborted(): boolean {
          calls += 1;
          return calls > 3;
        },
      },
    });
    // What a killed process may leave behind its last state: further lines, and half a line.
    for (const name of ['metrics.jsonl', 'rollouts.jsonl', 'times.jsonl'])
      await writeFile(join(out, name), '{"step":99}\n{"st', { flag: 'a' });
    expect(await trainHere(input, { out, checkpoints })).toBe('done');
    expect(await outputFiles(out)).toEqual(await outputFiles(whole));
  });

  test('or done is done at once when it is started again', async () => {
    const input = smallTraining();
    const out = await trained();
    const before = await outputFiles(out);
    expect(await trainHere(input, { out, checkpoints })).toBe('done');
    expect(await outputFiles(out)).toEqual(before);
  });
});

describe('a pocket training is refused with a message', () => {
  test('in a folder of another training', async () => {
    const out = await trained();
    const other = smallTraining({ seed: 2 });
    expect(await refusal(trainHere(other, { out, checkpoints }))).toMatch(/other settings.*another folder/);
  });

  test('in a folder in which another one is running, which continues undisturbed', async () => {
    const input = smallTraining();
    const out = await temporaryFolder();
    const first = trainHere(input, { out, checkpoints });
    await eventually('the first to hold the folder', () => existsSync(join(out, 'workbench.lock')));
    expect(await refusal(trainHere(input, { out, checkpoints }))).toMatch(/Another process.*Stop it first/);
    expect(await first).toBe('done');
    expect(await trainHere(input, { out, checkpoints })).toBe('done');
  });

  test('with a saved state that is damaged', async () => {
    const out = await temporaryFolder();
    await writeFile(join(out, 'state.json'), '{"kind":"pocket-tr');
    expect(await refusal(trainHere(smallTraining(), { out, checkpoints }))).toMatch(
      /not a training state.*start over/,
    );
  });

  test('with files that are shorter than its state says', async () => {
    const input = smallTraining();
    const out = await temporaryFolder();
    let calls = 0;
    const stop = {
      get aborted(): boolean {
        calls += 1;
        return calls > 3;
      },
    };
    await trainHere(input, { out, checkpoints, stop });
    await writeFile(join(out, 'metrics.jsonl'), '');
    expect(await refusal(trainHere(input, { out, checkpoints }))).toMatch(/metrics\.jsonl.*0 bytes/);
  });

  test('with a base policy that cannot be read', async () => {
    const broken = await temporaryFolder();
    await writeFile(join(broken, 'pocket-weak-base-1.json'), 'no checkpoint');
    const work = trainHere(smallTraining({ families: ['weak'] }), {
      out: await temporaryFolder(),
      checkpoints: broken,
    });
    expect(await refusal(work)).toMatch(/not JSON.*pocket-weak-base-1\.json.*Delete/);
  });

  test('of an unknown family', async () => {
    const work = trainHere(smallTraining({ families: ['wizard'] }), {
      out: await temporaryFolder(),
      checkpoints,
    });
    expect(await refusal(work)).toMatch(/no pocket family "wizard"/);
  });
});
