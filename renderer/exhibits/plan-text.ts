import { LOCAL_MACHINE } from '../../preload/contract/folds/local-machine';
import type { MachineView } from '../../preload/contract/machine';
import type { PlanStep, ReproductionPlan } from '../../preload/contract/reproduction';
import { STEP_KIND_NAMES } from '../text/exhibits';
import { bytes, plural, roughDuration } from '../widgets/index';
import { gpuHours, tokenText } from './cell-text';

/** "15 trainings, 15 searches" to run, "12 steps reused". */
function workParts(steps: readonly PlanStep[]): readonly string[] {
  const parts = (['train', 'search'] as const).flatMap((kind) => {
    const [one, many] = STEP_KIND_NAMES[kind];
    const own = steps.filter((step) => step.kind === kind && step.reuse === null).length;
    return own === 0 ? [] : [plural(own, one, many)];
  });
  const reused = steps.filter(({ reuse }) => reuse !== null).length;
  return [...parts, ...(reused === 0 ? [] : [`${plural(reused, 'step')} reused`])];
}

/** "5 seeds"; nothing where there is one or none. */
function seedParts(steps: readonly PlanStep[]): readonly string[] {
  const seeds = [
    ...new Set(steps.flatMap(({ seed, reuse }) => (seed === null || reuse !== null ? [] : seed))),
  ];
  return seeds.length < 2 ? [] : [`${seeds.length} seeds`];
}

/** The cost of a plan in short parts; unknown amounts are left out. */
export function planCost(plan: ReproductionPlan): readonly string[] {
  const { seconds, gpuSeconds, tokens } = plan.estimate;
  return [
    seconds === null
      ? 'time unknown until a similar step has run'
      : `about ${roughDuration(seconds * 1_000)}`,
    ...(gpuSeconds === null || gpuSeconds === 0 ? [] : [gpuHours(gpuSeconds)]),
    ...seedParts(plan.steps),
    ...workParts(plan.steps),
    ...(tokens === null || tokens === 0 ? [] : [`${tokenText(tokens)} tokens`]),
    ...(plan.diskBytes === null ? [] : [`${bytes(plan.diskBytes)} on disk`]),
  ];
}

/** "gpu1 and gpu2": where the steps run that are not reused. */
export function machinesText({ steps }: ReproductionPlan, machines: readonly MachineView[]): string {
  const ids = new Set(steps.flatMap(({ machineId, reuse }) => (reuse === null ? (machineId ?? []) : [])));
  const nameOf = (id: string): string =>
    id === LOCAL_MACHINE ? 'this computer' : (machines.find(({ spec }) => spec.id === id)?.spec.name ?? id);
  const names = [...ids].map(nameOf);
  if (names.length === 0) return 'this computer';
  return names.length === 1 ? `${names[0]}` : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
