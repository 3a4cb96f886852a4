import type { Benchmark, ModelTraining } from '../../../preload/contract';
import { counted, randomStream, shuffled } from '../../base';

/** A benchmark's digest and the ids of its problems, in order. */
export type ProblemIds = { readonly benchmark: Benchmark; readonly ids: readonly string[] };

export type ChosenProblems = {
  readonly training: readonly string[];
  readonly heldOut: readonly string[];
  /** Why the training cannot be started with them. */
  readonly problems: readonly string[];
};

/**
 * The problems to learn from and those to evaluate on; none is both. Without a choice of the user's the held-out ones are
 * drawn by the benchmark alone, so that trainings with other seeds and methods are compared on the same.
 */
export function chooseProblems(
  { problems: part, evaluation }: Pick<ModelTraining, 'problems' | 'evaluation'>,
  from: ProblemIds,
  evaluatedOn: ProblemIds,
): ChosenProblems {
  const wanted = part.problemIds ?? from.ids;
  const missing = [...unknown(wanted, from), ...unknown(evaluation.on?.problemIds ?? [], evaluatedOn)];
  if (missing.length > 0) return { training: [], heldOut: [], problems: missing };
  const isSame = from.benchmark.id === evaluatedOn.benchmark.id;
  const excluded = new Set(marked(from));
  const drawn = shuffled(evaluatedOn.ids, randomStream('held-out', evaluatedOn.benchmark.digest));
  const candidates =
    evaluation.on?.problemIds ??
    drawn.filter((id) => !marked(evaluatedOn).has(id) && !(isSame && part.problemIds?.includes(id)));
  const heldOut = candidates.slice(0, evaluation.problems);
  const isHeldOut = isSame ? new Set(heldOut) : new Set<string>();
  const training = wanted.filter(
    (id) => !excluded.has(id) && (part.problemIds !== null || !isHeldOut.has(id)),
  );
  const both = training.filter((id) => isHeldOut.has(id));
  return {
    training,
    heldOut,
    problems: [
      ...(both.length === 0
        ? []
        : [
            `${counted(both.length, 'problem is', 'problems are')} both trained and evaluated on, "${both[0]}" among them. Choose others.`,
          ]),
      ...(training.length === 0 ? ['No problem is left to train on.'] : []),
      ...(heldOut.length < evaluation.problems
        ? [
            `Only ${counted(heldOut.length, 'problem is', 'problems are')} left to evaluate on, not ${evaluation.problems}.`,
          ]
        : []),
    ],
  };
}

function unknown(ids: readonly string[], { benchmark, ids: known }: ProblemIds): string[] {
  const all = new Set(known);
  const missing = ids.filter((id) => !all.has(id));
  if (missing.length === 0) return [];
  return [
    `${benchmark.name} has no problem "${missing[0]}"${missing.length > 1 ? ` (and ${missing.length - 1} more)` : ''}.`,
  ];
}

/** People have marked them as not to be used. */
function marked({ benchmark }: ProblemIds): ReadonlySet<string> {
  return new Set(benchmark.marks.filter(({ exclude }) => exclude).map(({ problemId }) => problemId));
}
