import type { Refusal, TrainingCurve, TrainingView } from '../../../preload/contract/index';
import { failed, ok, type Result } from '../../base/index';
import type { TrainingService } from '../../trainings/index';
import type { Outcome } from '../logic/experiments/experiment-record';

/** What an experiment needs of the trainings' service. */
export type Trainings = Pick<
  TrainingService,
  | 'list'
  | 'plan'
  | 'startMany'
  | 'stop'
  | 'resume'
  | 'remove'
  | 'curves'
  | 'evaluation'
  | 'onChange'
  | 'onRemoved'
>;

/** More than any training has updates. */
const ALL_POINTS = 100_000;

/** What a training that is done measured: at its end, and of its samples on the way. */
export async function readOutcome(
  trainings: Pick<Trainings, 'evaluation' | 'curves'>,
  trainingId: string,
): Promise<Result<Outcome, Refusal>> {
  const evaluation = await trainings.evaluation(trainingId);
  if (!evaluation.ok) return evaluation;
  if (evaluation.value === null) {
    return failed({ code: 'not-found', message: 'It ended without an evaluation. Its log may say why.' });
  }
  const curves = await trainings.curves(trainingId, ALL_POINTS);
  if (!curves.ok) return curves;
  return ok({ evaluation: evaluation.value, zeroAdvantage: zeroAdvantages(curves.value) });
}

/** Each update has as many samples as another one, so the mean over updates is that over samples. */
function zeroAdvantages(curves: readonly TrainingCurve[]): Outcome['zeroAdvantage'] {
  return curves.flatMap(({ agentId, key, part, values }) => {
    if (key !== 'zero-advantage' || part !== 'train' || agentId === null || values.length === 0) return [];
    return [{ agentId, share: values.reduce((sum, value) => sum + value, 0) / values.length }];
  });
}

/** Seconds since the training was last started, up to its end where it has ended. `now` in milliseconds. */
export function elapsedSeconds({ startedAt, endedAt }: TrainingView, now: number): number {
  if (startedAt === null) return 0;
  const end = endedAt === null ? now : Date.parse(endedAt);
  return Math.max(0, (end - Date.parse(startedAt)) / 1_000);
}
