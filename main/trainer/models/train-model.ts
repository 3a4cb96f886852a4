import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelAgent, ModelTraining, ServerSpec } from '../../../preload/contract/index';
import { evaluationSampling, trainingSampling } from '../../../preload/contract/plans/index';
import type { Grader } from '../../grading/index';
import { sha256OfFile } from '../../storage/index';
import { MAX_CONCURRENT } from '../learner-groups';
import type { LearningInput } from '../learning-input';
import { openProblemFile } from '../problem-file';
import { type TrainingOptions, train } from '../trainer';
import { TrainerError } from '../trainer-error';
import { openEngineWriter } from './engines/engine-writer';
import { learnerWriter, type Writer } from './engines/writer';
import { gpuShare } from './gpu-share';
import type { LearnerClient } from './learner-client';
import { type LearnerDeps, type LearnerSettings, type RunningLearner, startLearner } from './learner-process';
import { type ModelInput, PROBLEMS_FILE } from './model-input';
import { modelPolicy } from './model-policy';

/** Room for prompts in an engine's context, beside the answer: memory of keys and values is taken for it. */
const ENGINE_PROMPT_TOKENS = 16_384;

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
 * Trains language models with a learner each; it, or an inference engine beside it, writes their answers. After a kill the training continues from
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
        const environment = await openProblemFile({ path, spec: input.spec, grader });
        const learners = await openLearners(options, (learner) => closing.push(learner.dispose));
        const policies = await allOrFirstFailure(
          input.spec.agents.map(async ({ id }, i) => {
            const { client } = learners[i] as RunningLearner;
            const writer = await openWriter(options, i, client);
            closing.push(writer.dispose);
            const hasReference = input.spec.lora !== null || needsReference(input.spec);
            return modelPolicy({ id, client, writer, hasReference });
          }),
        );
        return { policies, environment };
      },
    );
  } finally {
    await Promise.all(closing.map((close) => close()));
  }
}

/** Throws TrainerError unless the problems are those with which the training was started. */
async function checkProblems(path: string, { problemsDigest }: ModelInput): Promise<void> {
  const digest = await sha256OfFile(path).catch((error: Error) => {
    throw new TrainerError({ code: 'unavailable', message: `Cannot read ${path}: ${error.message}.` });
  });
  if (digest === problemsDigest) return;
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
  const learnerDeps: LearnerDeps = {
    python: spec.python,
    program: learnerProgram,
    out,
    onLine: onLearnerLine,
  };
  return allOrFirstFailure(
    spec.agents.map(async (_, i) => {
      const learner = await startLearner(settingsOf(spec, i), learnerDeps);
      onOpen(learner);
      return learner;
    }),
  );
}

/** Waits for all of them, so that what has been opened is known before the first failure is thrown. */
async function allOrFirstFailure<T>(opening: readonly Promise<T>[]): Promise<readonly T[]> {
  const settled = await Promise.allSettled(opening);
  const failure = settled.find((result) => result.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
  return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

/** Where this agent's answers are written; an engine starts on the model as it is before training. */
async function openWriter(
  { input: { spec }, learnerProgram, onLearnerLine }: ModelTrainerOptions,
  i: number,
  learner: LearnerClient,
): Promise<Writer> {
  const { context_length: learnerContext, special, device, lora } = await learner.capabilities();
  if (spec.writer === undefined) return learnerWriter(learner, learnerContext);
  const { id: agentId, model, maxTokens } = agentOf(spec, i);
  const isOnGpus = device.startsWith('cuda');
  return openEngineWriter({
    learner,
    endIds: special.eos,
    host: {
      agentId,
      program: learnerProgram,
      visibleGpus: visibleGpus(spec, i),
      onLine: (agent, line) => onLearnerLine(`${agent}, engine`, line),
    },
    settings: {
      ...spec.writer,
      python: spec.writer.python ?? spec.python,
      model,
      adapter: lora,
      contextTokens: Math.min(learnerContext, maxTokens + ENGINE_PROMPT_TOKENS),
      dtype: spec.dtype,
      seed: spec.seed + i,
      gpus: isOnGpus ? spec.processes : 0,
      threads: threadsOf(spec),
    },
  });
}

function settingsOf(spec: ModelTraining, i: number): LearnerSettings {
  const { id: agentId, model } = agentOf(spec, i);
  const { lora, seed, device, dtype, processes } = spec;
  return {
    agentId,
    model,
    lora,
    needsReference: needsReference(spec),
    // Two agents of one model begin with different adapters.
    seed: seed + i,
    device,
    dtype,
    processes,
    threads: threadsOf(spec),
    visibleGpus: visibleGpus(spec, i),
  };
}

function agentOf({ agents }: ModelTraining, i: number): ModelAgent {
  const agent = agents[i];
  if (agent === undefined) throw new TrainerError({ code: 'bad-input', message: `There is no agent ${i}.` });
  return agent;
}

function threadsOf({ threads, device, agents }: ModelTraining): number | null {
  return (
    threads ?? (device === 'cuda' ? null : Math.max(1, Math.floor(availableParallelism() / agents.length)))
  );
}

function visibleGpus({ device, agents, processes }: ModelTraining, agent: number): string | null {
  const visible = process.env.CUDA_VISIBLE_DEVICES;
  return gpuShare({ visible, device, agents: agents.length, agent, gpus: processes });
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
