import type { TrainingView } from '../../../preload/contract/index';
import { NO_AMOUNT } from '../logic/costs';
import type { Reproduction } from '../logic/reproductions/record';
import { isOver } from '../logic/step-status';
import { equalTraining } from '../logic/training-action';
import { createTrainingSteps, type TrainingKind } from '../training-steps';
import { jobAmount } from './amounts';
import { createBatchServers } from './batch-servers';
import type { ReproductionDeps } from './deps';
import { createMetricSteps } from './metric-steps';
import type { ProgramCosts } from './program-costs';
import type { ReproductionStore } from './reproduction-store';
import { createSearchSteps } from './search-steps';
import { createServerLeases } from './server-leases';

/** All steps of reproductions: what runs is followed, what can be started is started. */
export type ReproductionSteps = {
  readonly reconcile: (id: string) => Promise<void>;
  /** What a reproduction waits for, in words; null: nothing outside of the plan. */
  readonly waitsFor: (id: string) => string | null;
  /** Stops this training step, as if it had never been started. */
  readonly abandonTraining: (id: string, stepId: string) => Promise<void>;
  /** Stops studies and servers of a reproduction; the next tick continues with what is not paused. */
  readonly halt: (id: string) => Promise<void>;
  /** After the last tick, which may have leased servers. Resolves when none is in the middle of its launch. */
  readonly dispose: () => Promise<void>;
};

export function createReproductionSteps(
  deps: Omit<ReproductionDeps, 'exhibits' | 'folder' | 'newId'> & {
    readonly store: ReproductionStore;
    readonly programCosts: ProgramCosts;
    /** Something that a reproduction waits for is over. */
    readonly onChange: () => void;
  },
): ReproductionSteps {
  const { store, jobs, clock } = deps;
  const waits = new Map<string, string>();

  const leases = createServerLeases(deps);
  const batchServers = createBatchServers({ ...deps, leases });
  const metrics = createMetricSteps(deps);
  const searches = createSearchSteps({ ...deps, servers: batchServers });

  /** A training of the same settings is not run twice, whichever plan or person started it. */
  const trainingKind: TrainingKind<Reproduction> = {
    origin: (reproductionId) => ({ reproductionId }),
    existing: ({ record }, { spec, machineId }, all) => {
      const isOwn = ({ reproductionId }: TrainingView): boolean => reproductionId === record.id;
      const training = equalTraining(spec, machineId, all, isOwn);
      return training === null ? null : { training, own: isOwn(training) };
    },
    collect: metrics.saveCurves,
    amountOf: ({ jobId }) => {
      const job = jobs.list().find(({ id }) => id === jobId);
      return job === undefined ? NO_AMOUNT : jobAmount(job, clock.now());
    },
    failure: (cause, { message, hint }) => ({ message, hint: hint ?? HINTS[cause] }),
    decide: store.decide,
  };
  const trainingSteps = createTrainingSteps({ ...deps, kind: trainingKind });

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
    const now = store.get(id);
    if (now === null || !isOver(now)) return;
    await batchServers.release(now, now.plan.steps);
    await store.end(id);
    await store.decide(id, null, 'Nothing is left to do.');
  };

  return {
    reconcile,
    waitsFor: (id) => waits.get(id) ?? null,
    abandonTraining: trainingSteps.abandon,
    halt: searches.halt,
    dispose: async () => {
      metrics.dispose();
      await leases.dispose();
    },
  };
}

/** What to do about a training that failed. */
const HINTS = {
  stopped: 'Retry the step to continue it.',
  failed: 'Retry the step once its cause is gone.',
  refused: null,
} as const;
