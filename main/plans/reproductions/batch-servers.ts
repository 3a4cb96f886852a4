import type { PlanStep, Refusal, ServerSpec, TrainingCheckpoint } from '../../../preload/contract/index';
import { failed, ok, type Result } from '../../base/index';
import { addAmounts } from '../logic/costs';
import { noteOf } from '../logic/plan-record';
import type { Reproduction } from '../logic/reproductions/record';
import { type KnownCheckpoint, serverLaunch, serverSpec } from '../logic/reproductions/team';
import type { PlannedServer, ServeWork } from '../logic/reproductions/work';
import { jobAmount } from './amounts';
import type { ReproductionDeps } from './deps';
import type { ReproductionStore } from './reproduction-store';
import type { ServerLeases } from './server-leases';

/** The servers of a batch of searches: brought up before it, released after the last batch that needs them. */
export type BatchServers = {
  /** The real server of a planned one; its launch is saved where it has one. */
  readonly specOf: (
    reproduction: Reproduction,
    server: PlannedServer,
  ) => Promise<Result<ServerSpec, Refusal>>;
  /** Leases the servers of these steps; true when each of them answers or has failed. */
  readonly bringUp: (reproduction: Reproduction, steps: readonly PlanStep[]) => Promise<boolean>;
  readonly release: (reproduction: Reproduction, steps: readonly PlanStep[]) => Promise<void>;
};

export function createBatchServers(
  deps: Pick<ReproductionDeps, 'jobs' | 'clock'> & {
    readonly trainings: Pick<ReproductionDeps['trainings'], 'checkpoints'>;
    readonly servers: Pick<ReproductionDeps['servers'], 'views'>;
    readonly registry: Pick<ReproductionDeps['registry'], 'update'>;
    readonly store: Pick<ReproductionStore, 'note' | 'fail'>;
    readonly leases: ServerLeases;
    /** A server is up, or could not be started. */
    readonly onChange: () => void;
  },
): BatchServers {
  const { trainings, servers, jobs, registry, clock, store, leases, onChange } = deps;
  const isoNow = (): string => new Date(clock.now()).toISOString();

  const checkpointOf = async (
    reproduction: Reproduction,
    { weights }: PlannedServer,
  ): Promise<Result<KnownCheckpoint | null, Refusal>> => {
    if (weights.kind === 'base' || weights.kind === 'path') return ok(null);
    const trainingId =
      noteOf(reproduction.record, weights.stepId).trainingId ??
      (weights.kind === 'known' ? weights.trainingId : null);
    if (trainingId === null) return failed(noCheckpoint(weights.agentId));
    const checkpoints = await trainings.checkpoints(trainingId);
    if (!checkpoints.ok) return checkpoints;
    const last = newest(checkpoints.value, weights.agentId);
    return last === null ? failed(noCheckpoint(weights.agentId)) : ok({ trainingId, ...last });
  };
  const specOf: BatchServers['specOf'] = async (reproduction, server) => {
    const checkpoint = await checkpointOf(reproduction, server);
    if (!checkpoint.ok) return checkpoint;
    const launch = serverLaunch(server, checkpoint.value);
    if (launch !== null) {
      const saved = await registry.update((data) => {
        const earlier = data.launches.find(({ id }) => id === launch.id);
        // A person's changes stay, except for the settings that the plan decides.
        const { machineId, weights } = launch;
        const next = earlier === undefined ? launch : { ...earlier, machineId, weights };
        return { ...data, launches: [...data.launches.filter(({ id }) => id !== launch.id), next] };
      });
      if (!saved.ok) return saved;
    }
    return ok(serverSpec(server, checkpoint.value));
  };

  const serveOf = (reproduction: Reproduction, step: PlanStep): ServeWork | null => {
    const work = reproduction.work.get(step.id);
    return work?.kind === 'serve' ? work : null;
  };
  const fail = async (id: string, step: PlanStep, refusal: Refusal): Promise<void> => {
    await leases.release(id, step.id);
    await store.note(id, [step.id], { heldSince: null });
    await store.fail(id, [step.id], refusal);
  };
  /** `settled`: there is nothing to wait for. Else the server to lease, or that one starts. */
  const nextOf = async (
    reproduction: Reproduction,
    step: PlanStep,
  ): Promise<ServerSpec | 'settled' | 'starting'> => {
    const { id } = reproduction.record;
    const work = serveOf(reproduction, step);
    if (work === null) return 'settled';
    const state = leases.stateOf(id, step.id);
    if (state?.kind === 'starting') return 'starting';
    if (state?.kind === 'failed') {
      await fail(id, step, state.refusal);
      return 'settled';
    }
    const note = noteOf(reproduction.record, step.id);
    if (state?.kind === 'ready' && note.state.kind === 'done') return 'settled';
    const spec = await specOf(reproduction, work.server);
    if (!spec.ok) {
      await fail(id, step, spec.error);
      return 'settled';
    }
    if (state?.kind === 'ready') {
      const views = servers.views().filter(({ model }) => model === spec.value.model);
      const ready = views.filter((view) => view.state.kind === 'ready');
      // An earlier session may have had a clock that was ahead.
      const heldMs = Math.max(0, clock.now() - Date.parse(note.heldSince ?? isoNow()));
      const seconds = heldMs / 1_000;
      await store.note(id, [step.id], ({ took }) => ({
        state: { kind: 'done', reused: false },
        serverIds: ready.map((view) => view.id),
        endedAt: isoNow(),
        took: addAmounts(took, { seconds, gpuSeconds: 0, tokens: 0 }),
      }));
      return 'settled';
    }
    await store.note(id, [step.id], {
      state: note.state.kind === 'done' ? note.state : { kind: 'begun' },
      startedAt: note.startedAt ?? isoNow(),
      heldSince: note.heldSince ?? isoNow(),
    });
    return spec.value;
  };

  return {
    specOf,
    bringUp: async (reproduction, steps) => {
      const next = new Map<string, ServerSpec | 'settled' | 'starting'>();
      for (const step of steps) next.set(step.id, await nextOf(reproduction, step));
      // At once, so that those on one Slurm cluster become one job array.
      for (const [stepId, spec] of next)
        if (typeof spec !== 'string') leases.acquire(reproduction.record.id, stepId, spec, onChange);
      return [...next.values()].every((spec) => spec === 'settled');
    },
    release: async (reproduction, steps) => {
      const { id } = reproduction.record;
      for (const step of steps) {
        const { heldSince, serverIds, state } = noteOf(reproduction.record, step.id);
        if (heldSince === null) continue;
        await leases.release(id, step.id);
        const from = Date.parse(heldSince);
        const amounts = servers
          .views()
          .filter((view) => serverIds.includes(view.id))
          .flatMap((view) => jobs.list().find((job) => job.id === view.jobId) ?? [])
          .map((job) => jobAmount(job, clock.now(), from));
        await store.note(id, [step.id], (note) => ({
          heldSince: null,
          // A server that was not up yet is started again when it is needed.
          state: state.kind === 'begun' ? { kind: 'planned' } : note.state,
          // The time it serves is counted as that of the searches.
          took: amounts.reduce((sum, amount) => addAmounts(sum, { ...amount, seconds: 0 }), note.took),
        }));
      }
    },
  };
}

function newest(checkpoints: readonly TrainingCheckpoint[], agentId: string): TrainingCheckpoint | null {
  return checkpoints
    .filter((checkpoint) => checkpoint.agentId === agentId && checkpoint.canServe)
    .reduce<TrainingCheckpoint | null>(
      (best, checkpoint) => (best === null || checkpoint.step >= best.step ? checkpoint : best),
      null,
    );
}

function noCheckpoint(agentId: string): Refusal {
  return {
    code: 'not-found',
    message: `The training has left no checkpoint of "${agentId}" that a server can load.`,
    hint: 'Remove the training, then retry this step: it is trained again.',
  };
}
