import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type DoctorCheck,
  type Gpu,
  jobHasEnded,
  jobResourcesSchema,
  type MartiTraining,
  type Reservation,
  type TrainingOrder,
} from '../../preload/contract';
import { ok } from '../base';
import { chooseGpus, type JobService } from '../jobs';
import type { Asked, Machine } from '../machines';
import { programsFolder } from './kinds';
import { martiChecks } from './logic/marti/marti-checks';
import { martiLookScript, readMartiLook } from './logic/marti/marti-look';

/** A look at a machine's GPUs, as jobs are given them by. */
export type GpuLook = {
  readonly gpus: readonly Gpu[];
  readonly reservations: readonly Reservation[];
  /** The account on the machine. */
  readonly user: string;
};

/** Importing nothing big, it still asks git and the hub's cache on a network disk. */
const LOOK_TIMEOUT_MS = 120_000;

type Look = {
  readonly order: TrainingOrder;
  readonly gpus: number;
  readonly machine: Machine;
  readonly jobs: Pick<JobService, 'views'>;
  readonly around: {
    readonly resourcesDir: string;
    readonly gpus: (machineId: string) => Asked<GpuLook>;
  };
};

/** Asks the machine what the training needs. Changes nothing there. */
export async function lookAtTraining(look: Look): Asked<readonly DoctorCheck[]> {
  const { spec } = look.order;
  const free = await gpuCheck(look);
  if (!free.ok) return free;
  if (spec.kind !== 'marti') return free;
  const marti = await lookAtMarti(look, spec);
  return marti.ok ? ok([...marti.value, ...free.value]) : marti;
}

async function lookAtMarti(look: Look, spec: MartiTraining): Asked<readonly DoctorCheck[]> {
  const program = await readFile(join(programsFolder(look.around.resourcesDir), 'marti_look.py'), 'utf8');
  const told = await look.machine.run(martiLookScript(look.order, spec), {
    stdin: program,
    timeoutMs: LOOK_TIMEOUT_MS,
  });
  if (!told.ok) return told;
  const read = readMartiLook(told.value, spec);
  return ok('state' in read ? [read] : martiChecks(spec, read));
}

/** Are as many GPUs free as it takes? None where it takes none of this machine. */
async function gpuCheck({ order, gpus, machine, jobs, around }: Look): Asked<readonly DoctorCheck[]> {
  const isElsewhere = order.spec.kind === 'marti' && order.spec.rayAddress !== null;
  if (gpus === 0 || isElsewhere) return ok([]);
  const check = { id: 'gpus', title: 'GPUs' };
  if (machine.spec.kind === 'slurm') {
    const found = `${gpus} are asked for; Slurm gives them when they are free.`;
    return ok([{ ...check, state: 'unknown', found, todo: null }]);
  }
  const look = await around.gpus(machine.id);
  if (!look.ok) {
    if (look.error.code === 'unreachable') return look;
    return ok([{ ...check, state: 'unknown', found: look.error.message, todo: look.error.hint ?? null }]);
  }
  const held = jobs
    .views()
    .filter(
      ({ machineId, state }) => machineId === machine.id && state.kind !== 'queued' && !jobHasEnded(state),
    )
    .flatMap(({ gpuIds, name, resources }) =>
      gpuIds.map((gpuId) => ({ gpuId, jobName: name, memoryMib: resources.gpuMemoryMib })),
    );
  const choice = chooseGpus(jobResourcesSchema.parse({ ...order.resources, gpus }), {
    ...look.value,
    held,
    timeWords: (isoDate) =>
      new Date(isoDate).toLocaleString('en-GB', { dateStyle: 'short', timeStyle: 'short' }),
  });
  if (choice.kind === 'given') {
    return ok([{ ...check, state: 'good', found: `${gpus} are free.`, todo: null }]);
  }
  const todo = choice.never
    ? 'Choose another machine, fewer GPUs, or a Ray cluster.'
    : 'Started now, it waits until they are free.';
  return ok([{ ...check, state: choice.never ? 'bad' : 'warning', found: `It ${choice.why}.`, todo }]);
}
