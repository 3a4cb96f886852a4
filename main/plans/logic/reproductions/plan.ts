import {
  type Amount,
  type Exhibit,
  exhibitAtScale,
  LOCAL_MACHINE,
  type MachineView,
  type Missing,
  type ReproductionOrder,
  type ReproductionPlan,
} from '../../../../preload/contract';
import { demandOf, partsOf } from './demand';
import { sumOf } from './estimates';
import { gpuPools } from './gpu-pools';
import { createPlacement } from './placement';
import { NO_AMOUNT, type PlanInputs } from './plan-inputs';
import { planNotes } from './plan-notes';
import { planSearches } from './planned-searches';
import { planSteps } from './planned-steps';
import { arraySizes } from './slurm-arrays';
import { createTrainingCatalog } from './training-catalog';
import type { PlanContext } from './trainings';
import { wallSeconds } from './wall-time';
import type { StepWork } from './work';

export type PlannedReproduction = {
  readonly plan: ReproductionPlan;
  /** By step id: one for every step of the plan. */
  readonly work: ReadonlyMap<string, StepWork>;
  /** By "row.column" or series id: why it can not be measured at this scale. Such cells have no steps. */
  readonly unmeasured: ReadonlyMap<string, string>;
};

/**
 * The graph train -> serve -> search -> grade -> metrics -> cell of one press. The same exhibit, order and world give
 * the same plan. What stands in the way is `missing`, of the step and of the plan; the graph is whole all the same.
 */
export function planReproduction(
  written: Exhibit,
  exhibitDigest: string,
  order: ReproductionOrder,
  world: PlanInputs,
): PlannedReproduction {
  // Every title and label of the plan names what really answers.
  const exhibit = exhibitAtScale(written, order.scale);
  const { parts, unmeasured } = demandOf(exhibit, order, world);
  const strangers = unknownCells(exhibit, order);
  if (parts.length === 0) {
    const missing = [...strangers, nothingToDo(exhibit, order)];
    const notes = [...new Set(unmeasured.values())];
    const nothing = { steps: [], estimate: NO_AMOUNT, diskBytes: 0, modelLoads: 0 };
    return { plan: { order, exhibitDigest, ...nothing, missing, notes }, work: new Map(), unmeasured };
  }
  const around = surroundingsOf(exhibit, order, world);
  const { places } = around;
  const { scale } = order;
  const seeds = [...new Set(order.seeds ?? exhibit.scales[scale]?.seeds ?? [])];
  const book = createTrainingCatalog(parts, seeds, around);
  const searched = planSearches(parts, seeds, { ...around, trainingOf: book.of });
  const trainings = book.all();
  const isSlurm = (id: string): boolean => places.some((one) => one.machineId === id && one.isSlurm);
  const arrays = arraySizes(trainings, isSlurm);
  const curveTrainings = book.ofCurve;
  const planned = planSteps({ scale, parts, trainings, searched, curveTrainings });

  const steps = planned.map(({ step }) => step);
  const run = { trainings: trainings.filter(({ known }) => known === null), waves: searched.waves };
  const searches = run.waves.flat();
  const estimate: Amount = {
    seconds: wallSeconds(run, { scale, slots: slotsOf(world.machines), places }),
    gpuSeconds: sumOf([...run.trainings, ...searches].map((one) => one.estimate.gpuSeconds)),
    tokens: sumOf(searches.map((one) => one.estimate.tokens)),
  };
  return {
    plan: {
      order,
      exhibitDigest,
      steps,
      estimate,
      diskBytes: sumOf([...run.trainings, ...searches].map(({ bytes }) => bytes)),
      modelLoads: searched.stretches.length,
      missing: onceEach([...strangers, ...steps.flatMap((step) => step.missing)]),
      notes: [...searched.notes, ...planNotes({ scale, trainings, searched, arrays, places, unmeasured })],
    },
    work: new Map(planned.map(({ step, work }) => [step.id, work])),
    unmeasured,
  };
}

/** Machines that were not chosen are as none. */
function surroundingsOf(exhibit: Exhibit, order: ReproductionOrder, world: PlanInputs): PlanContext {
  const mayUse = (machineId: string): boolean => order.machineIds?.includes(machineId) ?? true;
  const machines = world.machines.filter(({ spec }) => mayUse(spec.id));
  const places = order.scale === 'paper' ? gpuPools(machines, world.clusters) : [];
  const placement = createPlacement(places);
  return { exhibit, order, world: { ...world, machines }, places, placement, mayUse };
}

/** Pocket trainings run side by side, one a core. */
function slotsOf(machines: readonly MachineView[]): number {
  return machines.find(({ spec }) => spec.id === LOCAL_MACHINE)?.facts?.cores ?? 1;
}

/** Of the order, that the exhibit has not. */
function unknownCells(exhibit: Exhibit, { only }: ReproductionOrder): Missing[] {
  const keys = partsOf(exhibit).map(({ key }) => key);
  return (only ?? [])
    .filter((key) => !keys.includes(key))
    .map((key) => ({
      what: `"${exhibit.title}" has no cell or line "${key}".`,
      todo: `Write row and column with a dot between them, or the id of a line: ${keys.slice(0, 3).join(', ')} ...`,
      address: null,
    }));
}

function nothingToDo(exhibit: Exhibit, { scale, only }: ReproductionOrder): Missing {
  if (exhibit.scales[scale] === null) {
    return {
      what: `"${exhibit.title}" does not say how it is measured at ${scale} scale.`,
      todo: `Choose the other scale, or copy the exhibit and write scales.${scale} into it.`,
      address: null,
    };
  }
  return {
    what: `Nothing of "${exhibit.title}" can be measured at ${scale} scale${only === undefined ? '' : ' among the chosen cells'}.`,
    todo: only === undefined ? 'Choose the other scale.' : 'Choose other cells, or all.',
    address: null,
  };
}

function onceEach(missing: readonly Missing[]): Missing[] {
  return [...new Map(missing.map((one) => [`${one.what}\n${one.todo}`, one])).values()];
}
