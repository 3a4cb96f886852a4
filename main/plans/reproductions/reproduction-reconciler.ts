import type { TrainingView } from '../../../preload/contract/index';
import { jobHasEnded } from '../../../preload/contract/index';
import { createRounds } from '../../base/index';
import { isOver } from '../logic/reproductions/step-status';
import { createBatchServers } from './batch-servers';
import type { ReproductionDeps } from './deps';
import { createMetricSteps, type MetricSteps } from './metric-steps';
import type { ProgramCosts } from './program-costs';
import type { ReproductionBook } from './reproduction-book';
import type { ReproductionFiles } from './reproduction-files';
import { createTrainingTurns } from './reproduction-trainings';
import { createSearchSteps } from './search-steps';
import { createServerLeases } from './server-leases';

/** Looks at what no event may have told. */
const LOOK_EVERY_MS = 5_000;

/**
 * Brings reproductions forward, in turns, one after the other: what goes on is followed, what can be begun is begun.
 * Whatever it does is noted first, so that a turn that was cut off is taken up by the next one.
 */
export type Conductor = {
  /** Resolves when a turn that began after the call is over. */
  readonly turn: () => Promise<void>;
  /** What a reproduction waits for, in words; null: nothing that is out of its hands. */
  readonly waitsFor: (id: string) => string | null;
  /** Stops this training step, as if it had never been begun. */
  readonly abandonTraining: (id: string, stepId: string) => Promise<void>;
  /** Stops studies and servers of a reproduction; the next turn goes on with what is not paused. */
  readonly halt: (id: string) => Promise<void>;
  /** Does this between two turns. */
  readonly still: <T>(work: () => Promise<T>) => Promise<T>;
  readonly dispose: () => Promise<void>;
};

export function createConductor(
  around: Omit<ReproductionDeps, 'exhibits' | 'folder' | 'newId'> & {
    readonly book: ReproductionBook;
    readonly files: ReproductionFiles;
    readonly paces: ProgramCosts;
    readonly onTurn: () => void;
  },
): Conductor {
  const { book, trainings, clock, slots, events } = around;
  const since = new Date(clock.now()).toISOString();
  const waits = new Map<string, string>();

  const rounds = createRounds(() => lookAtAll().finally(around.onTurn));
  const soon = (): void => void rounds.next().catch(() => undefined);

  const holds = createServerLeases(around);
  const waveServers = createBatchServers({ ...around, holds, onChange: soon });
  const measures: MetricSteps = createMetricSteps({ ...around, onChange: soon });
  const training = createTrainingTurns({ ...around, since, onDone: measures.keepCurves });
  const searches = createSearchSteps({ ...around, servers: waveServers });

  const isPocketUnderWay = ({ spec, state }: TrainingView): boolean =>
    spec.kind === 'pocket' && !jobHasEnded(state);
  const lookAt = async (id: string): Promise<void> => {
    const one = book.get(id);
    if (one === null || one.record.removing || one.record.readOnly || one.record.endedAt !== null) return;
    const free = Math.max(0, slots - trainings.list().filter(isPocketUnderWay).length);
    await training.turn(id, free);
    if (book.get(id)?.record.paused) {
      await searches.halt(id);
      waits.delete(id);
      return;
    }
    const why = await searches.turn(id);
    if (why === null) waits.delete(id);
    else waits.set(id, why);
    await measures.turn(id);
    await conclude(id);
  };
  const conclude = async (id: string): Promise<void> => {
    const one = book.get(id);
    if (one === null || !isOver(one)) return;
    await waveServers.release(one, one.plan.steps);
    await book.change(id, (record) => ({ ...record, endedAt: new Date(clock.now()).toISOString() }));
    await book.decide(id, null, 'Nothing is left to be done.');
  };
  const lookAtAll = async (): Promise<void> => {
    for (const { record } of book.all()) if (rounds.isOpen()) await lookAt(record.id);
  };

  const timer = setInterval(soon, LOOK_EVERY_MS);
  timer.unref();
  /** Progress is told several times a second, and is no reason to do anything. */
  const seen = new Map<string, string>();
  const look = (id: string, kind: string): void => {
    if (seen.get(id) === kind) return;
    seen.set(id, kind);
    soon();
  };
  const listening = [
    trainings.onChange(({ id, state }) => look(id, state.kind)),
    trainings.onRemoved(soon),
    events.on((event) => {
      if (event.kind === 'study-removed') soon();
      if (event.kind === 'study-changed') look(event.view.study.id, event.view.state.kind);
    }),
  ];
  return {
    turn: rounds.next,
    waitsFor: (id) => waits.get(id) ?? null,
    abandonTraining: training.abandon,
    halt: searches.halt,
    still: rounds.between,
    dispose: async () => {
      const over = rounds.close();
      clearInterval(timer);
      for (const one of listening) one.dispose();
      measures.dispose();
      await over;
      // The last turn may have begun some.
      await holds.dispose();
    },
  };
}
