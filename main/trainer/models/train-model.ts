import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelTraining, ServerSpec } from '../../../preload/contract/index';
import { evaluationSampling, trainingSampling } from '../../../preload/contract/plans/index';
import type { Grader } from '../../grading/index';
import { MAX_CONCURRENT } from '../learner-groups';
import type { LearningInput } from '../learning-input';
import { openProblemWorld } from '../problem-file';
import { type TrainingOptions, train } from '../trainer';
import { TrainerError } from '../trainer-error';
import {
  type LearnerPlace,
  type LearnerSettings,
  type RunningLearner,
  startLearner,
} from './learner-process';
import { type ModelInput, PROBLEMS_FILE } from './model-input';
import { modelPolicy } from './model-policy';

export type ModelTrainerOptions = Pick<
  TrainingOptions,
  'out' | 'now' | 'stop' | 'signal' | 'saveEveryMs' | 'onProgress'
> & {
  readonly input: ModelInput;
  /** Folder that holds the Python package mars2_learner. */
  readonly learnerProgram: string;
  readonly grader: Pick<Grader, 'grade' | 'health'>;
  /** Each line that a learner prints. */
  readonly onLearnerLine: (agentId: string, line: string) => void;
};

/**
 * Trains language models with a learner each, which also writes their answers. After a kill the training continues from
 * the last saved state with the same updates, to rounding. Throws TrainerError.
 */
export async function trainModel(options: ModelTrainerOptions): Promise<'done' | 'stopped'> {
  const { input, out, grader } = options;
  const closing: (() => Promise<void>)[] = [];
  try {
    return await train(
      {
        ...options,
        learning: modelLearning(input.spec),
        oldFrom: input.spec.oldFrom,
        isReproducible: false,
        sleep: (ms) => sleep(ms),
      },
      async () => {
        const path = join(out, PROBLEMS_FILE);
        await checkProblems(path, input);
        const world = await openProblemWorld({ path, spec: input.spec, grader });
        const learners = await openLearners(options, (learner) => closing.push(learner.dispose));
        const policies = await Promise.all(
          input.spec.agents.map(async ({ id }, i) => {
            const { client } = learners[i] as RunningLearner;
            const { context_length: contextTokens, lora } = await client.capabilities();
            const hasReference = lora !== null || needsReference(input.spec);
            return modelPolicy({ id, client, contextTokens, hasReference });
          }),
        );
        return { policies, world };
      },
    );
  } finally {
    await Promise.all(closing.map((close) => close()));
  }
}

/** Throws TrainerError unless the problems are those with which the training was started. */
async function checkProblems(path: string, { problemsDigest }: ModelInput): Promise<void> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
  } catch (error) {
    throw new TrainerError({
      code: 'unavailable',
      message: `Cannot read ${path}: ${(error as Error).message}.`,
    });
  }
  if (hash.digest('hex') === problemsDigest) return;
  throw new TrainerError({
    code: 'conflict',
    message: `${path} has other problems than those with which the training was started.`,
    hint: 'Start a new training.',
  });
}

/** Starts a learner per agent, all at once. `onOpen`: it runs, and must be disposed of even if another does not start. */
export async function openLearners(
  {
    input,
    learnerProgram,
    out,
    onLearnerLine,
  }: Pick<ModelTrainerOptions, 'input' | 'learnerProgram' | 'out' | 'onLearnerLine'>,
  onOpen: (learner: RunningLearner) => void,
): Promise<readonly RunningLearner[]> {
  const { spec } = input;
  const place: LearnerPlace = { python: spec.python, program: learnerProgram, out, onLine: onLearnerLine };
  const started = await Promise.allSettled(
    spec.agents.map(async (_, i) => {
      const learner = await startLearner(settingsOf(spec, i), place);
      onOpen(learner);
      return learner;
    }),
  );
  const failure = started.find((result) => result.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
  return started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

function settingsOf(spec: ModelTraining, i: number): LearnerSettings {
  const agent = spec.agents[i];
  if (agent === undefined) throw new TrainerError({ code: 'bad-input', message: `There is no agent ${i}.` });
  const { lora, seed, device, dtype, processes, threads, agents } = spec;
  return {
    agentId: agent.id,
    model: agent.model,
    lora,
    needsReference: needsReference(spec),
    // Two agents of one model begin with different adapters.
    seed: seed + i,
    device,
    dtype,
    processes,
    threads:
      threads ?? (device === 'cuda' ? null : Math.max(1, Math.floor(availableParallelism() / agents.length))),
  };
}

/** Full training keeps a frozen copy for the divergence; with adapters the reference is the model without them. */
function needsReference({ lora, objective }: ModelTraining): boolean {
  return lora === null && objective.kl.coefficient > 0;
}

/** What the loop trains in a model training: answers at temperature 1, nothing cut. */
export function modelLearning(spec: ModelTraining): LearningInput {
  const members = spec.agents.map((agent) => {
    const { id, model, extraction } = agent;
    // Two agents of one model are two servers: each learner answers for itself.
    const server: ServerSpec = { kind: 'launch', id, model, launchId: id, maxInFlight: MAX_CONCURRENT };
    return { server, sampling: trainingSampling(agent), extraction };
  });
  const { sampling, every, before = every > 0 } = spec.evaluation;
  const { choose } = spec.problems;
  const learning = { spec, members, measuresBefore: before, ...(choose === undefined ? {} : { choose }) };
  if (sampling === undefined) return learning;
  const evaluationMembers = spec.agents.map((agent, i) => ({
    ...(members[i] as (typeof members)[number]),
    sampling: evaluationSampling(spec, agent),
  }));
  return { ...learning, evaluationMembers };
}
