import type { ExperimentView } from '../../preload/contract/experiment';
import type { TrainingView } from '../../preload/contract/training';
import { trainingWasStopped } from '../text/trainings';
import { plural } from '../widgets/format';

/** The state that a square shows. */
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
  /** Progress in [0, 1]. */
  readonly share: number;
  /** null: none yet. */
  readonly trainingId: string | null;
  /** The training has raised an alarm. */
  readonly hasAlarm: boolean;
  /** Tooltip. */
  readonly title: string;
};
export type SquareRow = { readonly label: string; readonly squares: readonly Square[] };

const WORDS: Readonly<Record<SquareKind, string>> = {
  waiting: 'waiting',
  queued: 'starting',
  running: 'training',
  done: 'done',
  stopped: 'stopped',
  failed: 'failed',
  unknown: 'unknown, its machine does not answer',
  gone: 'removed; its results are kept',
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

/** Rows by seeds, in the experiment's order. `known`: all existing trainings; null: not loaded yet. */
export function progressSquares(
  { order, trainings }: Pick<ExperimentView, 'order' | 'trainings'>,
  views: readonly TrainingView[] | null,
): readonly SquareRow[] {
  const byId = new Map((views ?? []).map((training) => [training.id, training]));
  return order.rows.map(({ label, method }) => ({
    label,
    squares: order.seeds.map((seed): Square => {
      const id =
        trainings.find((training) => training.label === label && training.seed === seed)?.trainingId ?? null;
      const training = id === null ? undefined : byId.get(id);
      const isGone = id !== null && views !== null;
      const kind = training === undefined ? (isGone ? 'gone' : 'waiting') : kindOf(training);
      const step = training?.step ?? 0;
      const steps = training?.steps ?? null;
      const share = kind === 'done' ? 1 : steps === null ? 0 : Math.min(1, step / steps);
      const far =
        kind === 'done' || method === 'base' || steps === null || step === 0
          ? ''
          : `, ${step} of ${plural(steps, 'update')}`;
      const [alarm] = training?.alarms ?? [];
      const stage = kind === 'running' && training?.stage ? `, ${training.stage}` : '';
      return {
        seed,
        kind,
        share,
        trainingId: training === undefined ? null : id,
        hasAlarm: alarm !== undefined,
        title: `${label}, seed ${seed}: ${kind === 'running' && method === 'base' ? 'evaluating' : WORDS[kind]}${far}${stage}${alarm === undefined ? '' : `. ${alarm.message}`}`,
      };
    }),
  }));
}

/** Number of squares by kind; absent kinds are left out. */
export function squareCounts(rows: readonly SquareRow[]): ReadonlyMap<SquareKind, number> {
  const counts = new Map<SquareKind, number>();
  for (const { squares } of rows) {
    for (const { kind } of squares) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}
