import type { Payload } from '../../preload/contract/commands/index';
import { mars2Search, searchName } from '../../preload/contract/plans/index';
import type { Benchmark } from '../../preload/contract/problem';
import { plural } from '../widgets/index';
import { wholeNumber } from '../widgets/typed-numbers';

/** A checkpoint to evaluate. */
export type CheckpointRef = { readonly trainingId: string; readonly checkpointId: string };

/** The fields of the dialog, as entered. */
export type EvaluateDraft = {
  readonly name: string;
  readonly benchmarkId: string;
  /** Empty: all. */
  readonly problems: string;
  readonly nodes: string;
  readonly samples: string;
  readonly team: boolean;
};

type EvaluateErrors = Partial<Record<keyof EvaluateDraft, string>>;

/** Bounds of the contract. */
const NODES = [1, 1_000] as const;
const SAMPLES = [0, 1_000] as const;
export const MAX_CHECKPOINTS = 16;
const MAX_NAME = 120;

/**
 * The preselected benchmark, of the training's own scale: pocket policies solve only pocket problems, which say nothing
 * about language models. null: none.
 */
export function defaultBenchmark(
  benchmarks: readonly Benchmark[],
  isPocket: boolean,
): BenchmarkOption | null {
  const fitting = fittingBenchmarks(benchmarks, isPocket);
  return fitting.find(({ id }) => id.includes('test')) ?? fitting[0] ?? null;
}

type BenchmarkOption = Pick<Benchmark, 'id' | 'name' | 'problems'>;

/** The quickstart's benchmark, which main generates on demand. */
const GENERATED: BenchmarkOption = {
  id: 'pocket-test-1-60',
  name: 'Pocket, test split, seed 1',
  problems: 60,
};

/** Benchmarks of the training's scale; offers a generated one if the library has no pocket benchmark. */
export function fittingBenchmarks(
  benchmarks: readonly Benchmark[],
  isPocket: boolean,
): readonly BenchmarkOption[] {
  const fitting = benchmarks.filter(({ scale }) => (scale === 'pocket') === isPocket);
  return isPocket && fitting.length === 0 ? [GENERATED] : fitting;
}

/** "My heter and My grpo: 2 checkpoints". `names`: of the trainings that they are of, in their order. */
export function evaluationName(names: readonly string[], checkpoints: number): string {
  const tail = `: ${plural(checkpoints, 'checkpoint')}`;
  return `${[...new Set(names)].join(' and ').slice(0, MAX_NAME - tail.length)}${tail}`;
}

/** What the study searches by, and the most programs that it writes and grades. `problems`: of the benchmark. */
export function evaluationCost(request: Payload<'training.evaluate'>, problems: number): string {
  const { checkpoints, nodes = 0, samples = 0, team = false } = request;
  const of = Math.min(problems, request.problems ?? problems);
  const alone = checkpoints.length * (nodes + samples);
  const teamPrograms = team ? nodes + samples * checkpoints.length : 0;
  const strategy = searchName(mars2Search({ nodes, samplesPerAgent: samples }));
  return `Searches with ${strategy}: ${plural(of * (alone + teamPrograms), 'program')} to write and grade.`;
}

type CheckedEvaluation =
  | { readonly ok: true; readonly request: Payload<'training.evaluate'> }
  | { readonly ok: false; readonly errors: EvaluateErrors };

/** The request that the dialog describes, or its errors by field. */
export function checkEvaluation(
  draft: EvaluateDraft,
  picked: readonly CheckpointRef[],
  benchmark: Pick<Benchmark, 'problems'> | null,
): CheckedEvaluation {
  const errors: { -readonly [K in keyof EvaluateErrors]: EvaluateErrors[K] } = {};
  const name = draft.name.trim();
  if (name === '') errors.name = 'Enter a name for the study.';
  if (name.length > MAX_NAME) errors.name = `At most ${MAX_NAME} characters.`;
  if (benchmark === null) errors.benchmarkId = 'Choose a benchmark.';
  const problems =
    draft.problems.trim() === ''
      ? null
      : wholeNumber(draft.problems, [1, Math.max(1, benchmark?.problems ?? 1_000_000)]);
  if (problems?.ok === false) errors.problems = problems.message;
  const nodes = wholeNumber(draft.nodes, NODES);
  if (!nodes.ok) errors.nodes = nodes.message;
  const samples = wholeNumber(draft.samples, SAMPLES);
  if (!samples.ok) errors.samples = samples.message;
  if (Object.keys(errors).length > 0 || !nodes.ok || !samples.ok || problems?.ok === false) {
    return { ok: false, errors };
  }
  return {
    ok: true,
    request: {
      name,
      checkpoints: picked.map(({ trainingId, checkpointId }) => ({ trainingId, checkpointId })),
      team: draft.team && picked.length > 1,
      benchmarkId: draft.benchmarkId,
      nodes: nodes.value,
      samples: samples.value,
      ...(problems === null ? {} : { problems: problems.value }),
    },
  };
}
