import { type Exhibit, type ReproductionRequest, trainingMethodOf } from '../../../../preload/contract';
import { counted } from '../../../base';
import { partsOf } from './demand';
import { fewestTrainingGpus, SERVED_GIB } from './gpu-needs';
import type { GpuPool } from './gpu-pools';
import { groupedBy } from './grouped';
import { gpuText } from './missing';
import type { PlanInputs } from './plan-inputs';
import type { PlannedSearches } from './planned-searches';
import { martiPreset, trainerOf } from './training-requests';
import { type PlannedTraining, sizesOf } from './trainings';

type Limits = {
  readonly exhibit: Exhibit;
  readonly request: ReproductionRequest;
  readonly unmeasured: ReadonlyMap<string, string>;
  readonly inputs: Pick<PlanInputs, 'notTrainedReason'>;
};

/** What a plan leaves out or ignores, in sentences, which come before all others. */
export function firstNotes(limits: Limits): string[] {
  return [...martiNotes(limits), ...unmeasuredNotes(limits.unmeasured), ...unknownModelNotes(limits)];
}

/** Where MARTI trains: how many cells stay, by method. */
function martiNotes({ exhibit, request, unmeasured, inputs }: Limits): string[] {
  if (request.scale === 'pocket' || trainerOf(request.paper) === 'own') return [];
  const parts = partsOf(exhibit).filter(({ key, ours }) => request.only?.includes(key) ?? !ours);
  const methodsOf = (isReleased: boolean): string =>
    [
      ...groupedBy(
        parts.filter(({ key }) => unmeasured.has(key) !== isReleased),
        ({ configuration }) => trainingMethodOf(configuration.method).name,
      ),
    ]
      .map(([name, { length }]) => `${length} of ${name}`)
      .join(', ');
  const isRefused = parts.some(
    ({ key, configuration: { method } }) =>
      unmeasured.has(key) &&
      method !== 'base' &&
      (martiPreset(method) === null || inputs.notTrainedReason(method) !== null),
  );
  if (!isRefused) return [];
  const which = methodsOf(true) === '' ? '' : ` (${methodsOf(true)})`;
  return [
    `MARTI as released trains only RS²: of ${counted(parts.length, 'cell')} ${parts.filter(({ key }) => !unmeasured.has(key)).length} can be measured${which}, the others (${methodsOf(false)}) cannot, unless you name checkpoints or let our trainer train ("trainer": "own").`,
  ];
}

/** Weights and checkpoints of models that the exhibit does not have: a typing error would pass unseen. */
function unknownModelNotes({ exhibit, request: { scale, paper } }: Limits): string[] {
  if (scale === 'pocket') return [];
  const modelIds = exhibit.models.map(({ id }) => id);
  const named = [
    ...Object.keys(paper.weights),
    ...paper.checkpoints.flatMap(({ modelId, trainedWith }) => [modelId, ...trainedWith]),
  ];
  const unknown = [...new Set(named)].filter((id) => !modelIds.includes(id)).map((id) => `"${id}"`);
  return unknown.length === 0
    ? []
    : [
        `Not used: "weights" or "checkpoints" of ${unknown.join(', ')}, which this exhibit does not have. Its models are ${modelIds.join(', ')}.`,
      ];
}

/** Notes about a plan besides its steps, in sentences. */
export function planNotes(plan: {
  readonly scale: ReproductionRequest['scale'];
  readonly paper: ReproductionRequest['paper'];
  readonly trainings: readonly PlannedTraining[];
  readonly searched: PlannedSearches;
  /** Number of trainings in each Slurm job array. */
  readonly arrays: readonly number[];
  readonly pools: readonly GpuPool[];
}): string[] {
  return [
    ...workNotes(plan),
    ...leastNotes(plan),
    ...requestNotes(plan),
    ...plan.arrays.map((size) => `${size} trainings go to Slurm together, as one job array.`),
    ...machineNotes(plan),
    ...estimateNotes(plan),
  ];
}

type Plan = Parameters<typeof planNotes>[0];

function workNotes({ trainings, searched }: Plan): string[] {
  const run = searched.batches.flat();
  const programs = run.reduce((sum, search) => sum + search.programs, 0);
  const trained = trainings.filter(({ existing }) => existing === null).length;
  const parts = [
    ...(trained === 0 ? [] : [counted(trained, 'training')]),
    ...(run.length === 0
      ? []
      : [
          `${counted(run.length, 'search', 'searches')} of ${programs.toLocaleString('en-GB')} ${programs === 1 ? 'program' : 'programs'} in all`,
        ]),
  ];
  const reused = trainings.length - trained + searched.all.length - run.length;
  return [
    ...(parts.length === 0 ? [] : [`To be run: ${parts.join(', ')}.`]),
    ...(reused === 0 ? [] : [`${counted(reused, 'step')} of training and search will be reused.`]),
  ];
}

/** If no machine is sufficient: the smallest one that would be. */
function leastNotes({ scale, paper, trainings, searched, pools }: Plan): string[] {
  if (scale === 'pocket' || pools.length > 0) return [];
  const most = (needs: readonly ReturnType<typeof fewestTrainingGpus>[]): string | null => {
    const possible = needs.filter((need) => need !== null);
    const [largest] = possible.toSorted((a, b) => b.memoryGib * b.gpus - a.memoryGib * a.gpus);
    return largest === undefined ? null : gpuText(largest);
  };
  const training = most(
    trainings
      .filter(({ missing }) => missing.length > 0)
      .map(({ group }) => fewestTrainingGpus(sizesOf(group), trainerOf(paper))),
  );
  const search = most(
    searched.batches.flat().map(({ servers }) => ({
      gpus: servers.reduce((sum, { gpus }) => sum + gpus, 0),
      memoryGib: SERVED_GIB,
    })),
  );
  const parts = [
    ...(training === null ? [] : [`${training} for the largest training`]),
    ...(search === null ? [] : [`${search} for the largest team's servers`]),
  ];
  return parts.length === 0
    ? []
    : [
        `The smallest sufficient machine has ${parts.join(' and ')}; everything then runs one after the other.`,
      ];
}

function requestNotes({ searched: { servers, batches, modelLoads } }: Plan): string[] {
  if (batches.length === 0 || servers.every(({ machineId }) => machineId === null)) return [];
  const loads = counted(modelLoads.length, 'model load');
  const least = modelLoads.length === servers.length ? ', each model once' : '';
  return [
    batches.length === 1
      ? `All searches have their servers up together: ${loads}${least}.`
      : `Searches run in ${batches.length} batches, ordered to load few models: ${loads}${least}.`,
  ];
}

function machineNotes({ trainings, searched, pools }: Plan): string[] {
  return pools.flatMap(({ machineId, machineName, memoryGib, isAssumed, total, free }) => {
    const needed = [
      ...trainings
        .filter((training) => training.existing === null && training.machineId === machineId)
        .map(({ gpus }) => gpus),
      ...searched.servers.filter((server) => server.machineId === machineId).map(({ gpus }) => gpus),
    ];
    if (needed.length === 0) return [];
    const assumed = isAssumed
      ? [`${machineName} does not report the memory of its GPUs: ${memoryGib} GiB are assumed.`]
      : [];
    const most = Math.max(...needed);
    const busy =
      free < most
        ? [`${total - free} of ${total} GPUs of ${machineName} are in use now: it waits for them.`]
        : [];
    return [...assumed, ...busy];
  });
}

function estimateNotes({ scale, trainings, searched }: Plan): string[] {
  const run = [...trainings.filter(({ existing }) => existing === null), ...searched.batches.flat()];
  if (run.length === 0) return [];
  const unknown = run.filter(({ estimate }) => estimate.seconds === null).length;
  const from = 'Estimates use past trainings and searches of the same models here';
  if (unknown > 0) {
    return [
      `${from}. ${unknown === run.length ? 'There are none yet' : `There are none yet for ${counted(unknown, 'step')}`}, so time and GPU-hours are not known.`,
    ];
  }
  return [
    scale === 'pocket'
      ? `${from}; without any, those of a laptop with two cores.`
      : `${from}. They leave out loading models.`,
  ];
}

function unmeasuredNotes(unmeasured: ReadonlyMap<string, string>): string[] {
  const reasons = groupedBy(unmeasured, ([, why]) => why);
  return [...reasons].map(([why, keys]) => `Not measured (${counted(keys.length, 'cell')}): ${why}`);
}
