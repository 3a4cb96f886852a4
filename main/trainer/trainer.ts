import { join } from 'node:path';
import type { TeamEvaluation } from '../../preload/contract/index';
import type { Stop } from '../search/index';
import { type BeforeTraining, measureBeforeTraining } from './before-training';
import {
  type Evaluator,
  emptyEvaluation,
  evaluateProblem,
  evaluationGroups,
  evaluationValues,
  meanRates,
  nextProblems,
  passRates,
} from './evaluation';
import type { TreeDeps } from './grow-tree';
import type { OldPolicySource } from './learner';
import type { LearningInput } from './learning-input';
import type { Policy } from './policy';
import { Progress } from './progress';
import { lockRunFolder, makeRunFolder, RunFolder } from './run-folder';
import { TrainerError, TrainingStopped } from './trainer-error';
import {
  type LearnerState,
  policyStateOf,
  readState,
  type TrainedInput,
  type TrainerState,
} from './trainer-state';
import type { TrainingEnvironment } from './training-environment';
import { TrainingLoop } from './training-loop';

/** Stopped before its end; the same command continues. As EX_TEMPFAIL in sysexits.h. */
export const STOPPED_EXIT_CODE = 75;

export type TrainingOptions = {
  /** The whole input: a folder that holds the state of another one is refused. */
  readonly input: TrainedInput;
  readonly learning: LearningInput;
  readonly oldFrom: OldPolicySource;
  /** The same seed writes the same bytes, so no metric depends on a clock. */
  readonly isReproducible: boolean;
  /** Folder of this training. */
  readonly out: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Asked between rounds and blocks of evaluated problems: what is done is saved before the training stops. */
  readonly stop: Stop;
  /** Cancels a round in progress; it is done again from the last saved state. */
  readonly signal: AbortSignal;
  /** Minimum time between two saved states; work lost by a kill is repeated. */
  readonly saveEveryMs: number;
  /** Called with a progress line whenever a state is saved. */
  readonly onProgress?: (line: string) => void;
};

/** What a training learns with: a policy per agent, in the agents' order, and its problems. */
export type TrainingParts<Trace> = {
  readonly policies: readonly Policy<Trace>[];
  readonly environment: TrainingEnvironment;
};

/**
 * Trains and evaluates, or continues where an earlier call stopped. `open` is called once, unless the training is already
 * done. Throws TrainerError.
 */
export async function train<Trace>(
  options: TrainingOptions,
  open: () => Promise<TrainingParts<Trace>>,
): Promise<'done' | 'stopped'> {
  await makeRunFolder(options.out);
  const lock = await lockRunFolder(options.out);
  try {
    return await trainLocked(options, open);
  } finally {
    lock.dispose();
  }
}

async function trainLocked<Trace>(
  options: TrainingOptions,
  open: () => Promise<TrainingParts<Trace>>,
): Promise<'done' | 'stopped'> {
  const { input, out } = options;
  const saved = await readState(out, input);
  if (saved?.done) return 'done';
  const folder = await RunFolder.open(out, saved?.bytes ?? { metrics: 0, times: 0, rollouts: 0 });
  try {
    const { policies, environment } = await open();
    await restore(policies, saved);
    return await trainWith(options, { folder, saved, policies, environment });
  } finally {
    await folder.close();
  }
}

async function restore<Trace>(policies: readonly Policy<Trace>[], saved: TrainerState | null): Promise<void> {
  if (saved === null) return;
  await Promise.all(
    policies.map(async (policy) => {
      const state = saved.learners.find(({ id }) => id === policy.id);
      if (state === undefined) throw missing(policy.id);
      await policy.restore(policyStateOf(state));
    }),
  );
}

function missing(id: LearnerState['id']): TrainerError {
  return new TrainerError({
    code: 'bad-input',
    message: `The saved state holds nothing of ${id}.`,
    hint: 'Delete state.json to start over.',
  });
}

async function trainWith<Trace>(
  options: TrainingOptions,
  from: TrainingParts<Trace> & { readonly folder: RunFolder; readonly saved: TrainerState | null },
): Promise<'done' | 'stopped'> {
  const { learning, out, stop, now, sleep, signal, oldFrom, isReproducible } = options;
  const { policies, environment, saved } = from;
  const deps: TreeDeps<Trace> = {
    policies: new Map(policies.map((policy) => [policy.id, policy])),
    environment,
    now,
    sleep,
    signal,
  };
  const evaluator: Evaluator<Trace> = {
    spec: learning.spec,
    environment,
    groups: evaluationGroups(learning),
    deps,
  };
  let measured: BeforeTraining = { problemOf: environment.problemOf, heldOut: null };
  const rounds: TrainingLoop<Trace> = new TrainingLoop<Trace>({
    learning,
    deps,
    environment: { problemOf: (tree) => measured.problemOf(tree) },
    oldFrom,
    isReproducible,
    checkpoints: join(out, 'checkpoints'),
    saved,
    passRates: async () =>
      rounds.round === 0 && measured.heldOut !== null
        ? meanRates(measured.heldOut.map(({ samples }) => samples))
        : passRates(evaluator),
    onTree: (done, of) => progress.grown(done, of),
  });
  const evaluation = [...(saved?.evaluation ?? [])];
  const progress: Progress = new Progress({ ...options, ...from, rounds, evaluation });
  try {
    measured = await measureBeforeTraining(
      { learning, environment, evaluator },
      {
        ...{ folder: from.folder, input: options.input, stop, signal },
        ...{ hasTrained: saved !== null, progress },
      },
    );
    await progress.begin(() => rounds.untrained());
    while (!rounds.isDone) {
      if (stop.aborted) return await progress.stopped();
      await progress.roundDone(await rounds.next());
    }
    if (environment.heldOut.length > 0 && evaluation.length === 0)
      evaluation.push(...emptyEvaluation(evaluator));
    if (!(await evaluate(evaluator, evaluation, progress, stop))) return await progress.stopped();
    await progress.finish(
      evaluation.map((team) => ({ team, values: evaluationValues(team) })),
      measured.heldOut,
    );
    return 'done';
  } catch (error) {
    if (error instanceof TrainingStopped) return progress.cancelled();
    throw error;
  }
}

/** false: stopped before the last problem. */
async function evaluate<Trace>(
  evaluator: Evaluator<Trace>,
  evaluation: readonly TeamEvaluation[],
  progress: Progress,
  stop: Stop,
): Promise<boolean> {
  const problems = evaluator.environment.heldOut.length;
  for (;;) {
    const done = evaluation[0]?.problems.length ?? problems;
    if (done === problems) return true;
    if (stop.aborted) return false;
    const results = await nextProblems(evaluator, done, (problem, deps) =>
      evaluateProblem(problem, { ...evaluator, deps }),
    );
    for (const teams of results) teams.forEach((result, i) => void evaluation[i]?.problems.push(result));
    await progress.evaluated(done + results.length, problems);
  }
}
