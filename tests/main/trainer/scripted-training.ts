import { join } from 'node:path';
import { ok } from '../../../main/base';
import type { LearningInput } from '../../../main/trainer/learning-input';
import type { Policy, WriteRequest } from '../../../main/trainer/policy';
import { type TrainingOptions, train } from '../../../main/trainer/trainer';
import type { TrainingEnvironment } from '../../../main/trainer/training-environment';
import { learningSchema, type Problem } from '../../../preload/contract';
import { temporaryFolder } from '../../support/temporary-folder';

/** Answers of a scripted policy, and what its world says of them. */
export type Answer = 'pass' | 'public-only' | 'fail';

export type ScriptedPolicy = Policy<null> & {
  /** What it was asked, in order. */
  readonly asked: readonly Pick<WriteRequest, 'problemId' | 'part' | 'ordinal' | 'agent'>[];
};

/** Answers as the script says; learns nothing. */
export function scriptedPolicy(
  id: string,
  script: (request: WriteRequest) => Answer | Promise<Answer>,
): ScriptedPolicy {
  const asked: WriteRequest[] = [];
  const scores = (traces: readonly null[]) => traces.map(() => [-1]);
  return {
    id,
    asked,
    hasReference: true,
    write: async (request) => {
      asked.push(request);
      const answer = `\`\`\`python\n${await script(request)}\n\`\`\``;
      return ok({ answer, promptTokens: 1, completionTokens: 1, trace: null, rollout: [-1] });
    },
    score: async (traces) => scores(traces),
    backward: async () => {},
    entropy: async () => null,
    step: async () => ({ gradientNorm: 1 }),
    publish: async () => ({}),
    save: async () => ({}),
    restore: async () => {},
    exportTo: async () => {},
    codec: { encode: () => ({}), decode: () => ({ trace: null, rollout: [-1] }) },
  };
}

function problemOf(id: string): Problem {
  return {
    ...{ id, title: id, statement: `Solve ${id}.`, entryPoint: null, starterCode: '' },
    ...{ difficulty: null, date: null, skills: [], canonicalProgram: null },
    publicTests: [{ kind: 'stdin', input: '', expected: '1' }],
    privateTests: [{ kind: 'stdin', input: '', expected: '2' }],
  };
}

/** `training` problems "train-0" ... and `heldOut` ones "held-0" ..., taken in turn, with verdicts by the answer's text. */
export function scriptedEnvironment(training: number, heldOut: number): TrainingEnvironment {
  const named = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}-${i}`);
  const ids = named('train', training);
  const cyclingThrough = (of: readonly string[]): TrainingEnvironment['problemOf'] => {
    return async (tree) => problemOf(of[tree % of.length] as string);
  };
  const result = { actual: null, error: null, cpuMs: 0, wallMs: 0 };
  return {
    benchmarkId: 'scripted',
    problemOf: cyclingThrough(ids),
    training: {
      ids,
      problem: async (id) => problemOf(id),
      problemOfAmong: (among) => cyclingThrough(ids.filter((id) => among.has(id))),
    },
    heldOut: named('held', heldOut),
    heldOutProblem: async (id) => problemOf(id),
    split: 'held out',
    verdicts: {
      publicGrade: async (_, program) => {
        const verdict = program.includes('fail') ? 'wrong-answer' : 'passed';
        return { verdict, results: [{ verdict, ...result }] };
      },
      passes: async (_, program) => program.includes('pass'),
      statistics: { asked: 0, pairs: 0 },
    },
  };
}

export function scriptedLearning(
  agentIds: readonly string[],
  changes: Partial<Omit<LearningInput, 'spec'>> & { readonly spec?: Record<string, unknown> } = {},
): LearningInput {
  const { spec, ...more } = changes;
  const learning = learningSchema.parse({
    ...{ method: 'rs2', rate: 1e-5, updates: 12, batch: 4, treesPerRound: 4, nodes: 4 },
    evaluation: { problems: 0 },
    ...spec,
  });
  const members = agentIds.map((id) => {
    const server = { kind: 'launch' as const, id, model: id, launchId: id, maxInFlight: 64 };
    return { server, sampling: { temperature: 1, topP: 1, maxTokens: 64 } };
  });
  return { spec: { kind: 'model', ...learning }, members, ...more };
}

/** Trains in `out`, or in a new folder. */
export async function trainScripted(
  learning: LearningInput,
  policies: readonly Policy<null>[],
  environment: TrainingEnvironment,
  options: Partial<TrainingOptions> = {},
): Promise<{
  readonly outcome: 'done' | 'stopped';
  readonly out: string;
  readonly file: (name: string) => string;
}> {
  const out = options.out ?? (await temporaryFolder());
  const outcome = await train(
    {
      ...{ input: learning, learning, oldFrom: 'recomputed', isReproducible: true, out },
      ...{ now: () => 0, sleep: async () => {}, stop: { aborted: false }, saveEveryMs: 0 },
      signal: new AbortController().signal,
      ...options,
    },
    async () => ({ policies, environment }),
  );
  return { outcome, out, file: (name) => join(out, name) };
}
