import {
  type Amount,
  type Exhibit,
  LOCAL_MACHINE,
  type MartiTraining,
  type Missing,
  type ModelTraining,
  modelNames,
  type ReproductionRequest,
  type TrainingRequest,
  type TrainingView,
  trainingMethodOf,
  trainingRequestSchema,
} from '../../../../preload/contract';
import { counted } from '../../../base/index';
import { trainingAmount, trainingBytes } from './estimates';
import { fewestTrainingGpus, type ModelSize } from './gpu-needs';
import type { GpuPool } from './gpu-pools';
import { groupedBy } from './grouped';
import { gpuText, noTrainingBenchmark, trainingTooLarge, unsetPaths } from './missing';
import { groupKey, type TrainingGroup } from './models';
import { ownTraining } from './own-training';
import type { Placement } from './placement';
import type { PlanInputs } from './plan-inputs';
import { sameTraining } from './reuse';
import {
  martiTraining,
  pocketTraining,
  pocketTrainingRequest,
  SAVE_STEPS,
  trainerOf,
} from './training-requests';

export type PlannedTraining = {
  readonly stepId: string;
  readonly title: string;
  readonly detail: string;
  readonly group: TrainingGroup;
  readonly seed: number;
  readonly request: TrainingRequest;
  /** null: no machine can. */
  readonly machineId: string | null;
  readonly gpus: number;
  /** Is done already; null: it has to be run. */
  readonly existing: TrainingView | null;
  readonly missing: readonly Missing[];
  readonly estimate: Amount;
  readonly bytes: number;
};

/** Everything that a training depends on besides its group and seed. */
export type PlanContext = {
  readonly exhibit: Exhibit;
  readonly request: ReproductionRequest;
  readonly inputs: PlanInputs;
  readonly pools: readonly GpuPool[];
  readonly placement: Placement;
  readonly mayUse: (machineId: string) => boolean;
};

/** Placeholder if there is no machine; such a plan never starts. */
export const NO_MACHINE = 'none';

/** `curve`: evaluations on held-out problems during the training are needed. */
export function plannedTraining(
  group: TrainingGroup,
  seed: number,
  curve: boolean,
  context: PlanContext,
): PlannedTraining {
  const names = modelNames(context.exhibit, context.request.scale, group.models);
  const parts = {
    stepId: `train:${groupKey(group)}:${seed}`,
    title: `Train ${trainingMethodOf(group.method).name}, ${names}, seed ${seed}`,
    group,
    seed,
  };
  return context.request.scale === 'pocket'
    ? onThisComputer(parts, curve, context)
    : onGpus(parts, names, curve, context);
}

type Parts = Pick<PlannedTraining, 'stepId' | 'title' | 'group' | 'seed'>;

function onThisComputer(
  parts: Parts,
  curve: boolean,
  { exhibit, inputs, mayUse }: PlanContext,
): PlannedTraining {
  const { pocket } = exhibit.scales;
  if (pocket === null) throw new RangeError(`${exhibit.id} has no pocket scale`);
  const spec = pocketTraining(parts.group, parts.seed, pocket, curve);
  const here = mayUse(LOCAL_MACHINE);
  const existing = sameTraining(spec, curve, inputs.trainings, mayUse);
  return {
    ...parts,
    detail: `${spec.families.join(' + ')}, ${counted(spec.updates, 'update')} of ${counted(spec.batch, 'sample')} each on this computer`,
    request: pocketTrainingRequest(parts.title.slice(0, 120), spec),
    machineId: here ? LOCAL_MACHINE : null,
    gpus: 0,
    existing,
    missing:
      here || existing !== null
        ? []
        : [
            {
              what: 'The pocket trainings of an exhibit run on this computer, which is not among the chosen machines.',
              todo: 'Choose this computer as well.',
              address: null,
            },
          ],
    estimate: trainingAmount(spec, 0, inputs),
    bytes: trainingBytes(spec, []),
  };
}

function onGpus(
  parts: Parts,
  names: string,
  curve: boolean,
  { request: { paper }, inputs, placement, mayUse }: PlanContext,
): PlannedTraining {
  const { group, seed } = parts;
  const sizes = sizesOf(group);
  const placed = placement.training(sizes);
  const trainer = trainerOf(paper);
  const gpusPerAgent = placed?.gpusPerAgent ?? 8;
  const spec =
    trainer === 'own'
      ? ownTraining(group, seed, paper, { gpusPerAgent, curve })
      : martiTraining(group, seed, paper, gpusPerAgent);
  if (spec === null) throw new RangeError(`MARTI does not train ${group.method}`);
  const gpus = placed?.gpus ?? 8 * group.models.length;
  const needed = placed === null ? fewestTrainingGpus(sizes, trainer) : null;
  const nowhere = placed === null ? [trainingTooLarge(names, sizes, trainer, inputs)] : [];
  const unset =
    trainer === 'marti'
      ? unsetPaths(paper)
      : noTrainingBenchmark(
          paper,
          inputs.benchmarks.map(({ benchmark }) => benchmark.id),
        );
  const existing = sameTraining(spec, curve, inputs.trainings, mayUse);
  const machineId = existing?.machineId ?? placed?.pool.machineId ?? null;
  const name = parts.title.slice(0, 120);
  return {
    ...parts,
    detail: [
      trainedBy(spec),
      ...(placed === null ? [] : [`${gpus} GPUs of ${placed.pool.machineName}`]),
      ...(needed === null ? [] : [`at least ${gpuText(needed)}`]),
    ].join(', '),
    request: trainingRequestSchema.parse({
      name,
      machineId: machineId ?? NO_MACHINE,
      spec,
      ...(trainer === 'own' ? { resources: { gpus } } : {}),
    }),
    machineId,
    gpus,
    existing,
    missing: existing === null ? [...unset, ...nowhere] : [],
    estimate: trainingAmount(spec, gpus, inputs),
    bytes: trainingBytes(
      spec,
      sizes.map(({ weightsGib }) => weightsGib),
    ),
  };
}

function trainedBy(spec: MartiTraining | ModelTraining): string {
  return spec.kind === 'marti'
    ? `MARTI as released, preset ${spec.preset}, a checkpoint every ${SAVE_STEPS} steps`
    : `Our trainer, ${counted(spec.updates, 'update')} of ${counted(spec.batch, 'answer')} each, vLLM writes, a checkpoint every ${counted(spec.checkpointEvery, 'update')}`;
}

/** How many trainings each job array has: those that are run on one cluster and ask for the same start together. */
export function arraySizes(
  trainings: readonly PlannedTraining[],
  isSlurm: (machineId: string) => boolean,
): readonly number[] {
  const run = trainings.filter(
    ({ existing, machineId }) => existing === null && machineId !== null && isSlurm(machineId),
  );
  const alike = groupedBy(run, ({ machineId, gpus }) => `${machineId} ${gpus}`);
  return [...alike.values()].map(({ length }) => length).filter((size) => size > 1);
}

export function sizesOf({ models }: Pick<TrainingGroup, 'models'>): readonly ModelSize[] {
  return models.map(({ id, paper }) => ({ hub: paper?.hub ?? id, weightsGib: paper?.weightsGib ?? 0 }));
}
