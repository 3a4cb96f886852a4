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
import { type LineAtHand, trainedLine, whyNotOneLine } from './trained-line';

/** More than any training has updates. */
const ALL_POINTS = 100_000;

export type FilledLine = LineAtHand & { readonly seriesId: string };

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
    wanted: NonNullable<ExhibitFill['lines']>,
  ): Promise<Result<readonly FilledLine[], Refusal>> => {
    const filled: FilledLine[] = [];
    for (const { seriesId, trainings: named } of wanted) {
      const series = all.find(({ id }) => id === seriesId);
      if (series?.curve.kind !== 'learning') {
        const others = all.flatMap(({ id, curve }) => (curve.kind === 'learning' ? [id] : []));
        const message = `"${title}" has no line over a training "${seriesId}". It has: ${others.join(', ') || 'none'}.`;
        return failed({ code: 'bad-input', message });
      }
      const read: ReadTraining[] = [];
      for (const id of named) {
        const one = await readTraining(trainings, id);
        if (!one.ok) return one;
        read.push(one.value);
      }
      const line = trainedLine({ series, configurations }, read);
      if (!line.ok) {
        return failed({ code: 'bad-input', message: `"${series.label}": ${line.error}` });
      }
      filled.push({ seriesId, ...line.value });
    }
    return ok(filled);
  };
}

/** What is wrong with the trainings that lines of a correct exhibit name, as far as their records tell. */
export function wrongTrainings(
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
    const why = whyNotOneLine({ series: line, configurations }, found);
    return why === null ? [] : [{ path, message: why }];
  });
}
