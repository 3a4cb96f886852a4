import type { Refusal, TrainingRequest } from '../../../../preload/contract';
import { failed, ok, type Result } from '../../../base';
import { noteOf } from '../plan-record';
import { openSteps } from '../step-status';
import type { Reproduction } from './record';
import type { PlannedServer, StepWork } from './work';

export type MovedPlan = {
  readonly planned: Omit<Reproduction, 'record'>;
  /** For a training step: the group to train there. */
  readonly training: TrainingRequest | null;
  /** Serve steps that start again. */
  readonly serves: readonly string[];
  /** Search steps that start again: their runs name the machine. */
  readonly searches: readonly string[];
};

/** The plan with this step on another machine: a training, a server, or a search with all its servers. */
export function movedPlan(
  reproduction: Reproduction,
  stepId: string,
  machineId: string,
): Result<MovedPlan, Refusal> {
  const step = reproduction.plan.steps.find(({ id }) => id === stepId);
  const work = reproduction.work.get(stepId);
  if (step === undefined || work === undefined) {
    return failed({ code: 'not-found', message: `The plan has no step "${stepId}".` });
  }
  const isNeeded =
    work.kind === 'serve' && openSteps(reproduction, 'search').some(({ needs }) => needs.includes(stepId));
  if (noteOf(reproduction.record, stepId).state.kind === 'done' && !isNeeded) {
    return failed({ code: 'conflict', message: `"${step.title}" is done already.` });
  }
  switch (work.kind) {
    case 'train': {
      const training = { ...work.order, machineId };
      const next = new Map(reproduction.work).set(stepId, { ...work, order: training, trainingId: null });
      return ok({
        planned: onMachine(reproduction, next, new Set([stepId]), machineId),
        training,
        serves: [],
        searches: [],
      });
    }
    case 'serve':
      return ok(moveServers(reproduction, new Set([work.server.id]), machineId));
    case 'search':
      return ok(moveServers(reproduction, new Set(work.members), machineId));
    case 'grade':
    case 'metrics':
    case 'cell': {
      const message = `"${step.title}" runs in the workbench itself, so it has no machine.`;
      return failed({ code: 'bad-input', message });
    }
  }
}

function moveServers(reproduction: Reproduction, ids: ReadonlySet<string>, machineId: string): MovedPlan {
  const moved = (server: PlannedServer): PlannedServer => {
    if (!ids.has(server.id)) return server;
    const { place } = server;
    return place.kind === 'pocket'
      ? { ...server, place: { ...place, machineId } }
      : // The GPUs were chosen for the old machine.
        { ...server, place: { ...place, launch: { ...place.launch, machineId, gpuIds: null } } };
  };
  const serves: string[] = [];
  const searches: string[] = [];
  const touched = new Set<string>();
  const work = new Map<string, StepWork>();
  for (const [stepId, old] of reproduction.work) {
    work.set(stepId, old);
    if (old.kind === 'serve' && ids.has(old.server.id)) {
      work.set(stepId, { ...old, server: moved(old.server) });
      serves.push(stepId);
      touched.add(stepId);
    }
    const isOpen = noteOf(reproduction.record, stepId).state.kind !== 'done';
    if (old.kind === 'search' && isOpen && old.members.some((id) => ids.has(id))) {
      work.set(stepId, { ...old, servers: old.servers.map(moved) });
      touched.add(stepId);
      if (old.servers.some(({ id, place }) => ids.has(id) && place.kind === 'pocket')) searches.push(stepId);
    }
  }
  return { planned: onMachine(reproduction, work, touched, machineId), training: null, serves, searches };
}

function onMachine(
  { plan, unmeasured }: Reproduction,
  work: ReadonlyMap<string, StepWork>,
  moved: ReadonlySet<string>,
  machineId: string,
): Omit<Reproduction, 'record'> {
  const steps = plan.steps.map((step) => (moved.has(step.id) ? { ...step, machineId } : step));
  return { plan: { ...plan, steps }, work, unmeasured };
}
