import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { modelLearning } from '../../../main/trainer/models/train-model';
import type { WriteRequest } from '../../../main/trainer/policy';
import { modelTrainingSchema, type PassCount, trainingEvaluationSchema } from '../../../preload/contract';
import { temporaryFolder } from '../../support/temporary-folder';
import {
  type Answer,
  type ScriptedPolicy,
  scriptedEnvironment,
  scriptedLearning,
  scriptedPolicy,
  trainScripted,
} from './scripted-training';
import { metricLines } from './small-training';

const BEFORE = 'before-training.json';
const EVALUATED = { updates: 8, evaluation: { problems: 3, samples: 4, nodes: 2 } };

/** Of four first attempts at held-out problem i, i pass before the first update and all after it. */
function improving(id = 'one'): ScriptedPolicy {
  let updates = 0;
  const script = ({ problemId, part, ordinal }: WriteRequest): Answer => {
    if (part === 'search') return ordinal % 2 === 0 ? 'pass' : 'fail';
    return updates > 0 || ordinal < Number(problemId.split('-')[1]) ? 'pass' : 'fail';
  };
  return {
    ...scriptedPolicy(id, script),
    step: async () => {
      updates += 1;
      return { gradientNorm: 1 };
    },
    save: async () => ({ made: updates }),
    restore: async ({ made }) => {
      updates = made as number;
    },
  };
}

async function evaluationIn(folder: string) {
  return trainingEvaluationSchema.parse(JSON.parse(await readFile(join(folder, 'evaluation.json'), 'utf8')));
}

function passedOf(
  counts: readonly PassCount[] | undefined,
): readonly (readonly [string, number | undefined])[] {
  return (counts ?? []).map(({ problemId, samples }) => [problemId, samples[0]?.passed] as const);
}

const UNTRAINED = [
  ['held-0', 0],
  ['held-1', 1],
  ['held-2', 2],
];

describe('the evaluation before the first update', () => {
  const learning = scriptedLearning(['one'], { measuresBefore: true, spec: EVALUATED });

  test('counts first attempts per problem, beside those after the last', async () => {
    const policy = improving();
    const { out } = await trainScripted(learning, [policy], scriptedEnvironment(5, 3));
    const evaluation = await evaluationIn(out);
    expect(passedOf(evaluation.before)).toEqual(UNTRAINED);
    expect(passedOf(evaluation.teams[0]?.problems)).toEqual([
      ['held-0', 4],
      ['held-1', 4],
      ['held-2', 4],
    ]);
    const curve = (await metricLines(out)).filter(({ part }) => part === 'evaluation');
    expect(curve.map(({ step, values }) => [step, values['pass@1']])).toEqual([
      [0, 0.25],
      [8, 1],
    ]);
    // Four attempts before and four after at each problem: nothing is measured twice.
    expect(policy.asked.filter(({ part }) => part === 'samples')).toHaveLength(2 * 3 * 4);
  });

  test('is followed by a log of the training that says nothing twice', async () => {
    const lines: string[] = [];
    const onProgress = (line: string): void => void lines.push(line);
    await trainScripted(learning, [improving()], scriptedEnvironment(5, 3), { onProgress });
    expect(lines.at(-1)).toContain('Evaluated at the end: 3 of 3 held-out problems.');
    expect(new Set(lines).size).toBe(lines.length);
  });

  test('gives way to what the first round does, however fast both are', async () => {
    const stages: string[] = [];
    const out = await temporaryFolder();
    const note = async (): Promise<void> => {
      stages.push(JSON.parse(await readFile(join(out, 'stage.json'), 'utf8')).stage);
    };
    const policy = scriptedPolicy('one', async ({ part }) => {
      if (part === 'search') await note();
      return 'pass' as const;
    });
    const step = async () => {
      await note();
      return { gradientNorm: 1 };
    };
    await trainScripted(learning, [{ ...policy, step }], scriptedEnvironment(5, 3), { out });
    expect(stages[0]).toBe('rollout');
    expect(stages).toContain('learning');
    expect(stages.filter((stage) => stage.startsWith('Measuring'))).toEqual([]);
  });

  test('is the same after a stop, in the measurement or in the training', async () => {
    const out = await temporaryFolder();
    const stops = [1, 3, 5].map((round) => ({ round, aborted: false }));
    const stopped: string[] = [];
    for (const stop of [{ round: 0, aborted: true }, ...stops]) {
      const onProgress = (line: string): void => {
        stop.aborted ||= line.startsWith(`Round ${stop.round}.`);
      };
      const { outcome } = await trainScripted(learning, [improving()], scriptedEnvironment(5, 3), {
        ...{ out, stop, onProgress },
      });
      stopped.push(outcome);
    }
    expect(stopped.slice(0, 2)).toEqual(['stopped', 'stopped']);
    expect(stopped.at(-1)).toBe('done');
    expect(passedOf((await evaluationIn(out)).before)).toEqual(UNTRAINED);
  });

  test('is left out by a training that began without it, whose agents have learned since', async () => {
    const out = await temporaryFolder();
    const stop = { aborted: false };
    const onProgress = (): void => {
      stop.aborted = true;
    };
    const without = { ...learning, measuresBefore: false };
    const input = { spec: learning.spec };
    await trainScripted(without, [improving()], scriptedEnvironment(5, 3), { input, out, stop, onProgress });
    const { outcome } = await trainScripted(learning, [improving()], scriptedEnvironment(5, 3), {
      input,
      out,
    });
    expect(outcome).toBe('done');
    expect(existsSync(join(out, BEFORE))).toBe(false);
    expect((await evaluationIn(out)).before).toBeUndefined();
  });

  test.each([
    ['a training that does not ask for it', false, {}, 3],
    ['a training without updates', true, { method: 'base' }, 3],
    ['a training without held-out problems', true, {}, 0],
  ])('is not made by %s', async (_, measuresBefore, changes, heldOut) => {
    const spec = { ...EVALUATED, ...changes };
    const { out } = await trainScripted(
      scriptedLearning(['one'], { measuresBefore, spec }),
      [improving()],
      scriptedEnvironment(5, heldOut),
    );
    expect(existsSync(join(out, BEFORE))).toBe(false);
  });
});

describe('the sampling of evaluations', () => {
  test('is used for held-out problems alone, before, on the way and after', async () => {
    const plain = scriptedLearning(['one', 'two'], {
      measuresBefore: true,
      choose: { measured: 3, samples: 2, from: 0, to: 1 },
      spec: { ...EVALUATED, method: 'heter-mars2', evaluation: { ...EVALUATED.evaluation, every: 2 } },
    });
    const evaluationMembers = plain.members.map((member, i) => ({
      ...member,
      sampling: { temperature: 0.2 + i / 10, topP: 0.9, maxTokens: 32 },
    }));
    const policies = [improving('one'), improving('two')];
    await trainScripted({ ...plain, evaluationMembers }, policies, scriptedEnvironment(5, 3));
    for (const [i, { asked }] of policies.entries()) {
      const samplings = (isHeldOut: boolean) => {
        const own = asked.filter(({ problemId }) => problemId.startsWith('held') === isHeldOut);
        return new Set(own.map(({ agent, part }) => `${part} ${JSON.stringify(agent.sampling)}`));
      };
      const evaluated = JSON.stringify(evaluationMembers[i]?.sampling);
      expect(samplings(true)).toEqual(new Set([`samples ${evaluated}`, `search ${evaluated}`]));
      const trained = JSON.stringify(plain.members[i]?.sampling);
      expect(samplings(false)).toEqual(new Set([`samples ${trained}`, `search ${trained}`]));
    }
  });

  test('of a model training differs from its training where the spec says so', () => {
    const agents = [{ id: 'one', model: '/models/one', maxTokens: 100, thinking: false }];
    const base = { kind: 'model', method: 'rs2', agents, problems: { benchmarkId: 'mbpp' } };
    const learningOf = (evaluation: object) =>
      modelLearning(modelTrainingSchema.parse({ ...base, evaluation }));
    expect(learningOf({}).evaluationMembers).toBeUndefined();
    const { members, evaluationMembers } = learningOf({ sampling: { temperature: 0.6, topK: 20 } });
    const trained = { temperature: 1, topP: 1, maxTokens: 100, thinking: false };
    expect(members[0]?.sampling).toEqual(trained);
    expect(evaluationMembers?.[0]).toEqual({
      ...members[0],
      sampling: { ...trained, temperature: 0.6, topK: 20 },
    });
  });

  test('of a model training measures before it where evaluations on the way are asked for, unless told', () => {
    const agents = [{ id: 'one', model: '/models/one' }];
    const measured = (evaluation: object) =>
      modelLearning(
        modelTrainingSchema.parse({
          ...{ kind: 'model', method: 'rs2', agents, problems: { benchmarkId: 'mbpp' } },
          evaluation,
        }),
      ).measuresBefore;
    expect([measured({}), measured({ every: 5 })]).toEqual([false, true]);
    expect([measured({ before: true }), measured({ every: 5, before: false })]).toEqual([true, false]);
  });
});
