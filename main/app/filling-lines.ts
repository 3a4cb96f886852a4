import type {
  Exhibit,
  ExhibitFill,
  Refusal,
  TrainingCurve,
  TrainingView,
} from '../../preload/contract/index';
import { trainingsOfLine } from '../../preload/contract/plans/index';
import { failed, findById, ok, type Result } from '../base/index';
import type { TrainingService } from '../trainings/index';
import { type LineAtHand, lineProblem, onePointProblem, trainedLine } from './trained-line';

/** More than any training has updates. */
const ALL_POINTS = 100_000;

export type FilledLine = LineAtHand & { readonly seriesId: string };

/** The lines, and of each that its trainings do not give: why. */
export type FilledLines = {
  readonly lines: readonly FilledLine[];
  readonly missing: ReadonlyMap<string, Refusal>;
};

/** A training by its id, or by the first letters of it. */
function trainingAtHand(all: readonly TrainingView[], id: string): Result<TrainingView, Refusal> {
  return findById(ok(all), id, { noun: 'training', list: 'mars2 trainings list' });
}

type ReadTraining = TrainingView & { readonly curves: readonly TrainingCurve[] };

async function readTraining(
  trainings: Pick<TrainingService, 'list' | 'curves'>,
  named: string,
): Promise<Result<ReadTraining, Refusal>> {
  const found = trainingAtHand(trainings.list(), named);
  if (!found.ok) return found;
  const { id } = found.value;
  const curves = await trainings.curves(id, ALL_POINTS);
  if (!curves.ok) return curves;
  // Only a read shows what is damaged in its files.
  const view = trainings.list().find((one) => one.id === id) ?? found.value;
  return ok({ ...view, curves: curves.value });
}

/** Reads what trainings at hand did on held-out problems, for the lines of an exhibit that name them. */
export function fillingLines(trainings: Pick<TrainingService, 'list' | 'curves'>) {
  return async (
    { title, series: all, configurations }: Exhibit,
    requested: NonNullable<ExhibitFill['lines']>,
  ): Promise<Result<FilledLines, Refusal>> => {
    const lines: FilledLine[] = [];
    const missing = new Map<string, Refusal>();
    for (const { seriesId, trainings: named } of requested) {
      const series = all.find(({ id }) => id === seriesId);
      if (series?.curve.kind !== 'learning') {
        const others = all.flatMap(({ id, curve }) => (curve.kind === 'learning' ? [id] : []));
        const message = `"${title}" has no line over a training "${seriesId}". It has: ${others.join(', ') || 'none'}.`;
        return failed({ code: 'bad-input', message });
      }
      const line = await readLine(trainings, named, { series, configurations });
      if (line.ok) lines.push({ seriesId, ...line.value });
      else missing.set(seriesId, line.error);
    }
    return ok({ lines, missing });
  };
}

async function readLine(
  trainings: Pick<TrainingService, 'list' | 'curves'>,
  named: readonly string[],
  line: Parameters<typeof trainedLine>[0],
): Promise<Result<LineAtHand, Refusal>> {
  const read: ReadTraining[] = [];
  for (const id of named) {
    const one = await readTraining(trainings, id);
    if (!one.ok) return one;
    read.push(one.value);
  }
  const made = trainedLine(line, read);
  return made.ok ? made : failed({ code: 'bad-input', message: `"${line.series.label}": ${made.error}` });
}

/** Problems of the trainings that lines of a correct exhibit name, by their records. */
export function lineTrainingProblems(
  { series, configurations }: Exhibit,
  trainings: readonly TrainingView[],
): { readonly path: string; readonly message: string }[] {
  return series.flatMap((line, at) => {
    const named = trainingsOfLine(line).map((id) => trainingAtHand(trainings, id));
    const path = `series[${at}].curve.training`;
    const unknown = named.flatMap((one) => (one.ok ? [] : [one.error.message]));
    const found = named.flatMap((one) => (one.ok ? [one.value] : []));
    if (named.length === 0) return [];
    if (unknown[0] !== undefined) {
      return [{ path, message: `${unknown[0]} Its id is at the end of its address.` }];
    }
    const why = lineProblem({ series: line, configurations }, found) ?? onePointProblem(found);
    return why === null ? [] : [{ path, message: why }];
  });
}
