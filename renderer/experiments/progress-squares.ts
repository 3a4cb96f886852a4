import type { ExperimentView } from '../../preload/contract/experiment';
import type { TrainingView } from '../../preload/contract/training';
import { trainingWasStopped } from '../text/trainings';

/** What a square says of its training. */
export type SquareKind =
  | 'waiting'
  | 'queued'
  | 'running'
  | 'done'
  | 'stopped'
  | 'failed'
  | 'unknown'
  | 'gone';

export type Square = {
  readonly seed: number;
  readonly kind: SquareKind;
  /** How far it is, in [0, 1]. */
  readonly share: number;
  /** null: there is none yet. */
  readonly trainingId: string | null;
  /** Something there should be looked at. */
  readonly hasAlarm: boolean;
  /** All that it says, in words. */
  readonly title: string;
};
export type SquareRow = { readonly label: string; readonly squares: readonly Square[] };

const WORDS: Readonly<Record<SquareKind, string>> = {
  waiting: 'waits for its turn',
  queued: 'is about to start',
  running: 'trains',
  done: 'is done',
  stopped: 'was stopped',
  failed: 'failed',
  unknown: 'cannot be seen',
  gone: 'was removed; what it had measured by then is kept',
};

function kindOf(training: Pick<TrainingView, 'state'>): SquareKind {
  const { state } = training;
  switch (state.kind) {
    case 'queued':
    case 'starting':
      return 'queued';
    case 'running':
      return 'running';
    case 'exited':
      if (state.code === 0) return 'done';
      return trainingWasStopped(training) ? 'stopped' : 'failed';
    case 'lost':
      return 'failed';
    case 'unknown':
      return 'unknown';
  }
}

/** Rows by seeds, in the order of the experiment. `known`: all trainings that there are; null: not read yet. */
export function progressSquares(
  { order, trainings }: Pick<ExperimentView, 'order' | 'trainings'>,
  known: readonly TrainingView[] | null,
): readonly SquareRow[] {
  const byId = new Map((known ?? []).map((training) => [training.id, training]));
  return order.rows.map(({ label }) => ({
    label,
    squares: order.seeds.map((seed): Square => {
      const id = trainings.find((one) => one.label === label && one.seed === seed)?.trainingId ?? null;
      const training = id === null ? undefined : byId.get(id);
      const isGone = id !== null && known !== null;
      const kind = training === undefined ? (isGone ? 'gone' : 'waiting') : kindOf(training);
      const step = training?.step ?? 0;
      const steps = training?.steps ?? null;
      const share = kind === 'done' ? 1 : steps === null ? 0 : Math.min(1, step / steps);
      const far = kind === 'done' || steps === null || step === 0 ? '' : `, ${step} of ${steps} updates`;
      const [alarm] = training?.alarms ?? [];
      const stage = kind === 'running' && training?.stage ? `, ${training.stage}` : '';
      return {
        seed,
        kind,
        share,
        trainingId: training === undefined ? null : id,
        hasAlarm: alarm !== undefined,
        title: `${label}, seed ${seed}: ${WORDS[kind]}${far}${stage}${alarm === undefined ? '' : `. ${alarm.message}`}`,
      };
    }),
  }));
}

/** "12 done, 2 train, 21 wait" over all squares; kinds of which there is none are left out. */
export function squareCounts(rows: readonly SquareRow[]): ReadonlyMap<SquareKind, number> {
  const counts = new Map<SquareKind, number>();
  for (const { squares } of rows) {
    for (const { kind } of squares) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}
