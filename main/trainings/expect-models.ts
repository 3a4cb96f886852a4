import {
  type DoctorCheck,
  LOCAL_MACHINE,
  type ModelTraining,
  type PlanMemory,
  type TrainingView,
} from '../../preload/contract';
import { ok } from '../base';
import type { GpuAvailability } from '../jobs';
import type { AsyncResult, Machine } from '../machines';
import { detectableGain } from '../metrics';
import { readGpuDay } from './gpu-day-file';
import { isComparableTraining, measuredRate } from './logic/model-plan/duration';
import { expectation, type Known, memoryCheck, memoryPicture } from './logic/model-plan/expectation';
import { measuredSpeed } from './logic/model-plan/measured-speed';
import type { ShapeReading } from './logic/model-plan/model-shape';
import { planScript, readPlanProbe } from './logic/model-plan/probe';

export type Expectation = {
  /** A sentence each. */
  readonly expected: readonly string[];
  /** Left out: no model's sizes are known. */
  readonly memory?: PlanMemory;
  readonly checks: readonly DoctorCheck[];
};

/**
 * What a training of language models is expected to take and to show. This computer is always asked about its models and
 * its processor; another machine only where `askMachine`, as a plan is made again at every change of a form.
 */
export async function expectModels(
  spec: ModelTraining,
  options: {
    readonly machine: Machine;
    readonly askMachine: boolean;
    /** GPUs of the whole training. */
    readonly gpus: number;
    readonly gpusOf: (machineId: string) => AsyncResult<GpuAvailability>;
    /** Problems that it trains on. */
    readonly problems: number;
    /** Earlier trainings, oldest first. */
    readonly earlier: readonly TrainingView[];
    /** With the results of GPU days. */
    readonly dataDir: string;
  },
): AsyncResult<Expectation> {
  const { machine, askMachine, problems } = options;
  const day = await readGpuDay(options.dataDir, machine.id);
  const canAsk = askMachine || machine.id === LOCAL_MACHINE;
  const answer = canAsk ? await machine.run(planScript(spec)) : null;
  if (answer !== null && !answer.ok) return answer;
  const probe = answer === null ? null : readPlanProbe(answer.value.stdout, spec);
  // On a cluster the login node was asked, which is not where it trains.
  const isWhereItRuns = machine.spec.kind !== 'slurm';
  const device = options.gpus > 0 ? 'gpu' : 'processor';
  const { problems: heldOut, samples } = spec.evaluation;
  const known: Known = {
    device,
    cores: coresOf(spec, isWhereItRuns ? (probe?.cores ?? null) : null),
    deviceBytes: !isWhereItRuns
      ? null
      : device === 'gpu'
        ? await smallestGpu(options)
        : (probe?.memoryBytes ?? null),
    shapes: probe?.shapes ?? null,
    problems,
    rate: rateFrom(spec, machine.id, options.earlier),
    speed: day.kind === 'read' ? measuredSpeed(day.value, spec, device) : null,
    gains: { passOne: detectableGain(heldOut, samples), search: detectableGain(heldOut, 1) },
  };
  const check = memoryCheck(spec, known);
  const memory = memoryPicture(spec, known);
  return ok({
    expected: expectation(spec, known),
    ...(memory === undefined ? {} : { memory }),
    checks: askMachine && check !== null ? [check] : [],
  });
}

function coresOf({ threads, agents }: ModelTraining, cores: number | null): number | null {
  if (threads === null) return cores;
  return Math.min(cores ?? Number.POSITIVE_INFINITY, threads * agents.length);
}

/** Bytes; null: unknown, or it was not to be asked. */
async function smallestGpu(options: {
  readonly machine: Machine;
  readonly askMachine: boolean;
  readonly gpusOf: (machineId: string) => AsyncResult<GpuAvailability>;
}): Promise<number | null> {
  if (!options.askMachine) return null;
  const gpus = await options.gpusOf(options.machine.id);
  const sizes = gpus.ok ? gpus.value.gpus.flatMap(({ memoryTotalMib }) => memoryTotalMib ?? []) : [];
  return sizes.length === 0 ? null : Math.min(...sizes) * 2 ** 20;
}

/** The newest training on this machine that says something about this one. */
function rateFrom(spec: ModelTraining, machineId: string, earlier: readonly TrainingView[]): Known['rate'] {
  for (const view of earlier.toReversed()) {
    if (view.machineId !== machineId || view.spec.kind !== 'model') continue;
    const rate = isComparableTraining(view.spec, spec) ? measuredRate(view) : null;
    if (rate !== null) return rate;
  }
  return null;
}

/** Sizes of a model on a machine, as a plan reads them. */
export async function modelShapeOn(machine: Machine, model: string): AsyncResult<ShapeReading> {
  const agents = [{ model }];
  const answer = await machine.run(planScript({ agents }));
  if (!answer.ok) return answer;
  const [shape] = readPlanProbe(answer.value.stdout, { agents }).shapes;
  return ok(shape ?? { kind: 'unknown', why: 'could not be asked about' });
}
