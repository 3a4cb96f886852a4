import type { PlanStep, Refusal, ServerSpec, TrainingCheckpoint } from '../../../preload/contract/index';
import { failed, ok, type Result } from '../../base/index';
import { addAmounts } from '../logic/reproductions/costs';
import { noteOf, type Reproduction } from '../logic/reproductions/record';
import { type KnownCheckpoint, serverLaunch, serverSpec } from '../logic/reproductions/team';
import type { PlannedServer, ServeWork } from '../logic/reproductions/work';
import type { ReproductionDeps } from './deps';
import { jobAmount } from './job-amount';
import type { ReproductionBook } from './reproduction-book';
import type { ServerLeases } from './server-leases';

/** The servers of a wave: brought up before its searches, let go of after the last wave that needs them. */
export type BatchServers = {
  /** The real server of a planned one; its launch is saved where it has one. */
  readonly specOf: (one: Reproduction, server: PlannedServer) => Promise<Result<ServerSpec, Refusal>>;
  /** Holds what these steps serve; true when every one of them answers or has failed. */
  readonly bringUp: (one: Reproduction, steps: readonly PlanStep[]) => Promise<boolean>;
  readonly release: (one: Reproduction, steps: readonly PlanStep[]) => Promise<void>;
};

export function createBatchServers(
  around: Pick<ReproductionDeps, 'trainings' | 'servers' | 'jobs' | 'registry' | 'clock'> & {
    readonly book: ReproductionBook;
    readonly holds: ServerLeases;
    /** Something came up, or could not. */
    readonly onChange: () => void;
  },
): BatchServers {
  const { trainings, servers, jobs, registry, clock, book, holds, onChange } = around;
  const isoNow = (): string => new Date(clock.now()).toISOString();

  const checkpointOf = async (
    one: Reproduction,
    { weights }: PlannedServer,
  ): Promise<Result<KnownCheckpoint | null, Refusal>> => {
    if (weights.kind === 'base' || weights.kind === 'path') return ok(null);
    const trainingId =
      noteOf(one.record, weights.stepId).trainingId ?? (weights.kind === 'known' ? weights.trainingId : null);
    if (trainingId === null) return failed(noCheckpoint(weights.agentId));
    const checkpoints = await trainings.checkpoints(trainingId);
    if (!checkpoints.ok) return checkpoints;
    const last = newest(checkpoints.value, weights.agentId);
    return last === null ? failed(noCheckpoint(weights.agentId)) : ok({ trainingId, ...last });
  };
  const specOf: BatchServers['specOf'] = async (one, server) => {
    const checkpoint = await checkpointOf(one, server);
    if (!checkpoint.ok) return checkpoint;
    const launch = serverLaunch(server, checkpoint.value);
    if (launch !== null) {
      const saved = await registry.update((data) => {
        const known = data.launches.find(({ id }) => id === launch.id);
        // What a person has changed of it stays, but for what the plan decides.
        const { machineId, weights } = launch;
        const next = known === undefined ? launch : { ...known, machineId, weights };
        return { ...data, launches: [...data.launches.filter(({ id }) => id !== launch.id), next] };
      });
      if (!saved.ok) return saved;
    }
    return ok(serverSpec(server, checkpoint.value));
  };

  const serveOf = (one: Reproduction, step: PlanStep): ServeWork | null => {
    const work = one.work.get(step.id);
    return work?.kind === 'serve' ? work : null;
  };
  const fail = async (id: string, step: PlanStep, { message, hint }: Refusal): Promise<void> => {
    await holds.release(id, step.id);
    await book.note(id, [step.id], {
      state: { kind: 'failed', message, hint: hint ?? null },
      endedAt: isoNow(),
      heldSince: null,
    });
  };
  /** True when there is nothing to wait for. */
  const bringUpOne = async (one: Reproduction, step: PlanStep): Promise<boolean> => {
    const { id } = one.record;
    const work = serveOf(one, step);
    if (work === null) return true;
    const state = holds.stateOf(id, step.id);
    if (state?.kind === 'starting') return false;
    if (state?.kind === 'failed') {
      await fail(id, step, state.refusal);
      return true;
    }
    const note = noteOf(one.record, step.id);
    if (state?.kind === 'ready' && note.state.kind === 'done') return true;
    const spec = await specOf(one, work.server);
    if (!spec.ok) {
      await fail(id, step, spec.error);
      return true;
    }
    if (state?.kind === 'ready') {
      const views = servers.views().filter(({ model }) => model === spec.value.model);
      const ready = views.filter((view) => view.state.kind === 'ready');
      const seconds = (clock.now() - Date.parse(note.heldSince ?? isoNow())) / 1_000;
      await book.note(id, [step.id], ({ took }) => ({
        state: { kind: 'done', reused: false },
        serverIds: ready.map((view) => view.id),
        endedAt: isoNow(),
        took: addAmounts(took, { seconds, gpuSeconds: 0, tokens: 0 }),
      }));
      return true;
    }
    const noted = await book.note(id, [step.id], {
      state: note.state.kind === 'done' ? note.state : { kind: 'begun' },
      startedAt: note.startedAt ?? isoNow(),
      heldSince: note.heldSince ?? isoNow(),
    });
    if (noted.ok) holds.hold(id, step.id, spec.value, onChange);
    return false;
  };

  return {
    specOf,
    bringUp: async (one, steps) => {
      const settled = await Promise.all(steps.map((step) => bringUpOne(one, step)));
      return settled.every(Boolean);
    },
    release: async (one, steps) => {
      const { id } = one.record;
      for (const step of steps) {
        const { heldSince, serverIds, state } = noteOf(one.record, step.id);
        if (heldSince === null) continue;
        await holds.release(id, step.id);
        const from = Date.parse(heldSince);
        const lives = servers
          .views()
          .filter((view) => serverIds.includes(view.id))
          .map((view) => jobs.list().find((job) => job.id === view.jobId)?.view)
          .map((job) => jobAmount(job, clock.now(), from));
        await book.note(id, [step.id], (note) => ({
          heldSince: null,
          // One that had not come up is brought up again when it is needed.
          state: state.kind === 'begun' ? { kind: 'planned' } : note.state,
          // How long it serves is time of the searches, and none of its own.
          took: lives.reduce((sum, life) => addAmounts(sum, { ...life, seconds: 0 }), note.took),
        }));
      }
    },
  };
}

function newest(checkpoints: readonly TrainingCheckpoint[], agentId: string): TrainingCheckpoint | null {
  return checkpoints
    .filter((one) => one.agentId === agentId && one.canServe)
    .reduce<TrainingCheckpoint | null>(
      (best, one) => (best === null || one.step >= best.step ? one : best),
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
