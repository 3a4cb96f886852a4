import type { TeamEvaluation } from '../../preload/contract/index';
import type { Grader } from '../grading/index';
import { basePolicies } from './base-policies';
import {
  type Evaluator,
  emptyEvaluation,
  evaluateProblem,
  evaluationGroups,
  evaluationValues,
} from './evaluation';
import { Progress } from './progress';
import { lockRunFolder, makeRunFolder, RunFolder } from './run-folder';
import { readState } from './trainer-state';
import type { TrainingInput } from './training-input';
import { TrainingLoop } from './training-loop';
import { heldOutProblems } from './training-problems';
import { VerdictCache } from './verdict-cache';

/** Stopped before its end; the same command continues. As EX_TEMPFAIL in sysexits.h. */
export const STOPPED_EXIT_CODE = 75;

/** Problems evaluated concurrently: enough trees to keep the sandbox busy. */
const CONCURRENT_PROBLEMS = 20;

export type TrainerOptions = {
  readonly input: TrainingInput;
  /** Folder of this training. */
  readonly out: string;
  /** Folder of the pre-trained policies, shared by trainings. */
  readonly checkpoints: string;
  readonly grader: Pick<Grader, 'grade' | 'health'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly stop: { readonly aborted: boolean };
  /** Minimum time between two saved states; work lost by a kill is repeated. */
  readonly saveEveryMs: number;
  /** Called with a progress line whenever a state is saved. */
  readonly onProgress?: (line: string) => void;
};

/**
 * Trains and evaluates, or continues where an earlier call stopped. Whenever it is stopped or killed, the files of the
 * whole training (except times.jsonl) are byte-identical to those of an uninterrupted run. Throws TrainerError.
 */
export async function trainPocket(options: TrainerOptions): Promise<'done' | 'stopped'> {
  await makeRunFolder(options.out);
  const lock = await lockRunFolder(options.out);
  try {
    return await trainLocked(options);
  } finally {
    lock.dispose();
  }
}

async function trainLocked(options: TrainerOptions): Promise<'done' | 'stopped'> {
  const { input, out, stop } = options;
  const saved = await readState(out, input);
  if (saved?.done) return 'done';
  const folder = await RunFolder.open(out, saved?.bytes ?? { metrics: 0, times: 0, rollouts: 0 });
  try {
    const cache = new VerdictCache(options.grader);
    const policies = await basePolicies(input, options.checkpoints);
    const rounds = new TrainingLoop({ input, policies, cache, saved });
    const evaluator: Evaluator = {
      spec: input.spec,
      problems: heldOutProblems(input.spec),
      groups: evaluationGroups(input),
      policies: rounds.policies,
      cache,
    };
    const evaluation = [...(saved?.evaluation ?? [])];
    const progress = new Progress({ ...options, folder, rounds, evaluation, cache, saved });
    await progress.begin(() => rounds.untrained(evaluator));
    while (!rounds.isDone) {
      if (stop.aborted) return await progress.stopped();
      await progress.roundDone(await rounds.next(evaluator));
    }
    if (evaluator.problems.length > 0 && evaluation.length === 0)
      evaluation.push(...emptyEvaluation(evaluator));
    if (!(await evaluate(evaluator, evaluation, progress, stop))) return await progress.stopped();
    await progress.finish(evaluation.map((team) => ({ team, values: evaluationValues(team) })));
    return 'done';
  } finally {
    await folder.close();
  }
}

/** false: stopped before the last problem. */
async function evaluate(
  evaluator: Evaluator,
  evaluation: readonly TeamEvaluation[],
  progress: Progress,
  stop: { readonly aborted: boolean },
): Promise<boolean> {
  const { problems } = evaluator;
  for (;;) {
    const done = evaluation[0]?.problems.length ?? problems.length;
    if (done === problems.length) return true;
    if (stop.aborted) return false;
    const next = problems.slice(done, done + CONCURRENT_PROBLEMS);
    const results = await Promise.all(next.map((problem) => evaluateProblem(problem, evaluator)));
    for (const teams of results) teams.forEach((result, i) => void evaluation[i]?.problems.push(result));
    await progress.evaluated(done + next.length, problems.length);
  }
}
