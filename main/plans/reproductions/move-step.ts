import type { Refusal, ReproductionView } from '../../../preload/contract/index';
import { failed, ok, RefusalError, type Result } from '../../base/index';
import { notStarted } from '../logic/plan-record';
import { movedPlan } from '../logic/reproductions/moved-plan';
import type { Reproduction } from '../logic/reproductions/record';
import type { PlanDriver } from '../plan-service';
import type { ReproductionDeps } from './deps';
import type { createReproductionSteps } from './reproduction-steps';
import type { ReproductionStore } from './reproduction-store';

const MOVED = {
  train: 'It resumes from its checkpoints if both machines share its folder, else it starts again.',
  serve: 'Searches that name the machine of their servers start again there; others continue.',
} as const;

/** Refused where the step cannot be done there; else whether the plan with it could be saved. */
export async function moveStep(
  parts: Pick<ReproductionDeps, 'trainings' | 'machines'> & {
    readonly store: ReproductionStore;
    readonly steps: ReturnType<typeof createReproductionSteps>;
    readonly plans: Pick<PlanDriver<ReproductionView>, 'between'>;
  },
  reproduction: Reproduction,
  to: { readonly stepId: string; readonly machineId: string },
): Promise<Result<Result<null, Refusal>, Refusal>> {
  const { store, steps, plans, trainings, machines } = parts;
  const { stepId, machineId } = to;
  const { id } = reproduction.record;
  const machine = machines.get(machineId);
  if (!machine.ok) return machine;
  const moved = movedPlan(reproduction, stepId, machineId);
  if (!moved.ok) return moved;
  const { planned: next, training, serves, searches } = moved.value;
  if (training !== null) {
    const fits = await trainings.plan(training, false);
    if (!fits.ok) return fits;
    const [problem] = fits.value.problems;
    if (problem !== undefined) return failed({ code: 'bad-input', message: problem });
  }
  const text = `Moved to ${machineId}. ${MOVED[training === null ? 'serve' : 'train']}`;
  await store.decide(id, stepId, text);
  const restart = async (): Promise<Result<null, Refusal>> => {
    try {
      if (training !== null) await steps.abandonTraining(id, stepId);
      if (serves.length > 0) await steps.halt(id);
      await store.note(id, [...serves, ...searches], notStarted);
    } catch (error) {
      if (error instanceof RefusalError) return failed(error.refusal);
      throw error;
    }
    return store.replan(id, next);
  };
  return ok(await plans.between(restart));
}
