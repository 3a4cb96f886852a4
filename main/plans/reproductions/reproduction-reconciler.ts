import { orThrow } from '../../base/index';
import type { Reconciler } from '../../reconcile/index';
import { isOver } from '../logic/reproductions/step-status';
import { createPlanReconciler } from '../plan-reconciler';
import { createTrainingSteps } from '../training-steps';
import { createBatchServers } from './batch-servers';
import type { ReproductionDeps } from './deps';
import { createMetricSteps } from './metric-steps';
import type { ProgramCosts } from './program-costs';
import type { ReproductionStore } from './reproduction-store';
import { createReproductionTrainings } from './reproduction-trainings';
import { createSearchSteps } from './search-steps';
import { createServerLeases } from './server-leases';

/** Brings reproductions forward: what runs is followed, what can be started is started. */
export type ReproductionReconciler = Pick<Reconciler, 'schedule' | 'run' | 'between' | 'dispose'> & {
  /** What a reproduction waits for, in words; null: nothing outside of the plan. */
  readonly waitsFor: (id: string) => string | null;
  /** Stops this training step, as if it had never been started. */
  readonly abandonTraining: (id: string, stepId: string) => Promise<void>;
  /** Stops studies and servers of a reproduction; the next tick goes on with what is not paused. */
  readonly halt: (id: string) => Promise<void>;
};

export function createReproductionReconciler(
  deps: Omit<ReproductionDeps, 'exhibits' | 'folder' | 'newId'> & {
    readonly store: ReproductionStore;
    readonly programCosts: ProgramCosts;
    readonly onTick: () => void;
  },
): ReproductionReconciler {
  const { store, trainings, clock, slots, events } = deps;
  const isoNow = (): string => new Date(clock.now()).toISOString();
  const waits = new Map<string, string>();
  const schedule = (): void => reconciler.schedule();

  const leases = createServerLeases(deps);
  const batchServers = createBatchServers({ ...deps, leases, onChange: schedule });
  const metrics = createMetricSteps({ ...deps, onChange: schedule });
  const plans = createReproductionTrainings({ ...deps, saveCurves: metrics.saveCurves });
  const trainingSteps = createTrainingSteps({ plans, trainings, slots, since: isoNow() });
  const searches = createSearchSteps({ ...deps, servers: batchServers });

  const reconcile = async (id: string): Promise<void> => {
    const record = store.get(id)?.record;
    if (!record || record.removing || record.readOnly || record.endedAt !== null) return;
    await trainingSteps.reconcile(id);
    if (store.get(id)?.record.paused) {
      await searches.halt(id);
      waits.delete(id);
      return;
    }
    const why = await searches.reconcile(id);
    if (why === null) waits.delete(id);
    else waits.set(id, why);
    await metrics.reconcile(id);
    await conclude(id);
  };
  const conclude = async (id: string): Promise<void> => {
    const reproduction = store.get(id);
    if (reproduction === null || !isOver(reproduction)) return;
    await batchServers.release(reproduction, reproduction.plan.steps);
    orThrow(await store.change(id, (record) => ({ ...record, endedAt: isoNow() })));
    await store.decide(id, null, 'Nothing is left to do.');
  };

  const reconciler = createPlanReconciler({
    name: 'reproductions',
    ids: () => store.list().map(({ record }) => record.id),
    reconcile,
    trainings,
    onTick: deps.onTick,
    onError: deps.onError,
  });
  const studies = events.on((event) => {
    if (event.kind === 'study-removed') schedule();
    if (event.kind === 'study-changed') reconciler.observe(event.view.study.id, event.view.state.kind);
  });
  return {
    ...reconciler,
    waitsFor: (id) => waits.get(id) ?? null,
    abandonTraining: plans.abandon,
    halt: searches.halt,
    dispose: async () => {
      studies.dispose();
      metrics.dispose();
      await reconciler.dispose();
      // The last tick may have acquired some.
      await leases.dispose();
    },
  };
}
