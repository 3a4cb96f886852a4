import {
  type Amount,
  type Exhibit,
  exhibitAtScale,
  LOCAL_MACHINE,
  type MachineView,
  type Missing,
  type ReproductionPlan,
  type ReproductionRequest,
} from '../../../../preload/contract';
import { NO_AMOUNT } from '../costs';
import { demandOf, partsOf } from './demand';
import { sumOf } from './estimates';
import { gpuPools } from './gpu-pools';
import { createPlacement } from './placement';
import type { PlanInputs } from './plan-inputs';
import { firstNotes, planNotes } from './plan-notes';
import { planSearches } from './planned-searches';
import { planSteps } from './planned-steps';
import { oneSeedOf, oursNotes } from './seed-notes';
import { createTrainingCatalog } from './training-catalog';
import { trainerOf } from './training-requests';
import { arraySizes, type PlanContext } from './trainings';
import { wallSeconds } from './wall-time';
import type { StepWork } from './work';

export type PlannedReproduction = {
  readonly plan: ReproductionPlan;
  /** By step id: one for every step of the plan. */
  readonly work: ReadonlyMap<string, StepWork>;
  /** By "row.column" or series id: the reason why it cannot be measured at this scale. Such cells have no steps. */
  readonly unmeasured: ReadonlyMap<string, string>;
};

/**
 * The graph train -> serve -> search -> grade -> metrics -> cell of a reproduction. The same exhibit, order and inputs
 * give the same plan. Missing prerequisites of a step are in its `missing` and in the plan's; the graph is complete
 * anyway.
 */
export function planReproduction(
  written: Exhibit,
  exhibitDigest: string,
  request: ReproductionRequest,
  inputs: PlanInputs,
): PlannedReproduction {
  // All titles and labels of the plan name the policies that really answer.
  const exhibit = exhibitAtScale(written, request.scale);
  const { parts, unmeasured } = demandOf(exhibit, request, inputs);
  const unknown = unknownCells(exhibit, request);
  if (parts.length === 0) {
    const missing = [...unknown, nothingToDo(exhibit, request)];
    const notes = firstNotes({ exhibit, request, unmeasured, inputs });
    const nothing = { steps: [], estimate: NO_AMOUNT, diskBytes: 0, modelLoads: 0 };
    return {
      plan: { order: request, exhibitDigest, ...nothing, missing, notes },
      work: new Map(),
      unmeasured,
    };
  }
  const context = planContext(exhibit, request, inputs);
  const { pools } = context;
  const { scale } = request;
  const seeds = [...new Set(request.seeds ?? exhibit.scales[scale]?.seeds ?? [])];
  const catalog = createTrainingCatalog(parts, seeds, context);
  const searched = planSearches(parts, seeds, { ...context, trainingOf: catalog.of });
  const trainings = catalog.all();
  const isSlurm = (id: string): boolean =>
    pools.some(({ machineId, isSlurm }) => machineId === id && isSlurm);
  const arrays = arraySizes(trainings, isSlurm);
  const curveTrainings = catalog.ofCurve;
  const planned = planSteps({ scale, parts, trainings, searched, curveTrainings });

  const steps = planned.map(({ step }) => step);
  const run = {
    trainings: trainings.filter(({ existing }) => existing === null),
    batches: searched.batches,
  };
  const costOf = ({ trainings, batches }: Parameters<typeof wallSeconds>[0]): Amount => {
    const searches = batches.flat();
    return {
      seconds: wallSeconds({ trainings, batches }, { scale, slots: slotsOf(inputs.machines), pools }),
      gpuSeconds: sumOf([...trainings, ...searches].map(({ estimate }) => estimate.gpuSeconds)),
      tokens: sumOf(searches.map(({ estimate }) => estimate.tokens)),
    };
  };
  const seeded = { exhibit, scale, trainings, searched, costOf };
  const oneSeed = oneSeedOf(seeded);
  return {
    plan: {
      order: request,
      exhibitDigest,
      steps,
      estimate: costOf(run),
      ...(oneSeed === null ? {} : { oneSeed }),
      diskBytes: sumOf([...run.trainings, ...run.batches.flat()].map(({ bytes }) => bytes)),
      modelLoads: searched.modelLoads.length,
      missing: withoutRepeats([...unknown, ...steps.flatMap((step) => step.missing)]),
      notes: [
        ...firstNotes({ exhibit, request, unmeasured, inputs }),
        ...searched.notes,
        ...planNotes({ ...request, trainings, searched, arrays, pools }),
        ...oursNotes(seeded),
      ],
    },
    work: new Map(planned.map(({ step, work }) => [step.id, work])),
    unmeasured,
  };
}

/** Leaves out machines that were not chosen. */
function planContext(exhibit: Exhibit, request: ReproductionRequest, inputs: PlanInputs): PlanContext {
  const mayUse = (machineId: string): boolean => request.machineIds?.includes(machineId) ?? true;
  const machines = inputs.machines.filter(({ spec }) => mayUse(spec.id));
  const pools = request.scale === 'paper' ? gpuPools(machines, inputs.clusters) : [];
  const placement = createPlacement(pools, trainerOf(request.paper));
  return { exhibit, request, inputs: { ...inputs, machines }, pools, placement, mayUse };
}

/** Pocket trainings run in parallel, one per core. */
function slotsOf(machines: readonly MachineView[]): number {
  return machines.find(({ spec }) => spec.id === LOCAL_MACHINE)?.facts?.cores ?? 1;
}

/** Lists requested cells that the exhibit does not have. */
function unknownCells(exhibit: Exhibit, { only }: ReproductionRequest): Missing[] {
  const keys = partsOf(exhibit).map(({ key }) => key);
  return (only ?? [])
    .filter((key) => !keys.includes(key))
    .map((key) => ({
      what: `"${exhibit.title}" has no cell or line "${key}".`,
      todo: `Write row and column with a dot between them, or the id of a line: ${keys.slice(0, 3).join(', ')} ...`,
      address: null,
    }));
}

function nothingToDo(exhibit: Exhibit, { scale, only }: ReproductionRequest): Missing {
  if (exhibit.scales[scale] === null) {
    return {
      what: `"${exhibit.title}" has no settings for the ${scale} scale.`,
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

function withoutRepeats(missing: readonly Missing[]): Missing[] {
  return [...new Map(missing.map((item) => [`${item.what}\n${item.todo}`, item])).values()];
}
