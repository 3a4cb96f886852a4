import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DoctorCheck, MartiTraining, Recipe, TrainingRequest } from '../../preload/contract';
import { ok } from '../base';
import { chooseGpusNow, type GpuAvailability, type JobService } from '../jobs';
import type { AsyncResult, Machine } from '../machines';
import { checkModels } from './check-models';
import { martiChecks } from './logic/marti/marti-checks';
import { martiProbeScript, parseMartiProbe } from './logic/marti/marti-probe';
import { recipeChecks, recipeProbeScript } from './logic/recipe-checks';
import { programsFolder } from './prepare-training';

/** MARTI's probe asks git and the hub's cache, which may be on a network disk. */
const PROBE_TIMEOUT_MS = 120_000;

const NEVER_TODO = 'Choose another machine, fewer GPUs, or a Ray cluster.';
const WAITS_TODO = 'If started now, it waits until they are free.';

export type CheckOptions = {
  readonly request: TrainingRequest;
  /** Of a training by a recipe; left out or null: another trainer. */
  readonly recipe?: Recipe | null;
  readonly gpus: number;
  readonly machine: Machine;
  readonly jobs: Pick<JobService, 'views'>;
  readonly deps: {
    readonly resourcesDir: string;
    readonly gpus: (machineId: string) => AsyncResult<GpuAvailability>;
  };
};

/** Checks on the machine whether the training can run there. Changes nothing. */
export async function checkMachine(options: CheckOptions): AsyncResult<readonly DoctorCheck[]> {
  const { spec } = options.request;
  const gpus = await gpuCheck(options);
  if (!gpus.ok) return gpus;
  if (spec.kind === 'model') {
    const models = await checkModels(options.machine, options.request, spec, options.deps.resourcesDir);
    return models.ok ? ok([...models.value, ...gpus.value]) : models;
  }
  if (spec.kind === 'recipe' && options.recipe) {
    const script = recipeProbeScript(options.request, spec, options.recipe);
    const answer = await options.machine.run(script, { timeoutMs: PROBE_TIMEOUT_MS });
    if (!answer.ok) return answer;
    return ok([...recipeChecks(answer.value, spec, options.recipe), ...gpus.value]);
  }
  if (spec.kind !== 'marti') return gpus;
  const marti = await checkMarti(options, spec);
  return marti.ok ? ok([...marti.value, ...gpus.value]) : marti;
}

async function checkMarti(options: CheckOptions, spec: MartiTraining): AsyncResult<readonly DoctorCheck[]> {
  const program = await readFile(join(programsFolder(options.deps.resourcesDir), 'marti_probe.py'), 'utf8');
  const result = await options.machine.run(martiProbeScript(options.request, spec), {
    stdin: program,
    timeoutMs: PROBE_TIMEOUT_MS,
  });
  if (!result.ok) return result;
  const probe = parseMartiProbe(result.value, spec);
  return ok('state' in probe ? [probe] : martiChecks(spec, probe));
}

/** Whether enough GPUs are free. No check if it needs none of this machine. */
async function gpuCheck({
  request,
  gpus,
  machine,
  jobs,
  deps,
}: CheckOptions): AsyncResult<readonly DoctorCheck[]> {
  const isElsewhere = request.spec.kind === 'marti' && request.spec.rayAddress !== null;
  if (gpus === 0 || isElsewhere) return ok([]);
  const check = { id: 'gpus', title: 'GPUs' };
  if (machine.spec.kind === 'slurm') {
    const summary = `Requests ${gpus}; Slurm assigns them when they are free.`;
    return ok([{ ...check, state: 'unknown', found: summary, todo: null }]);
  }
  const options = await deps.gpus(machine.id);
  if (!options.ok) {
    if (options.error.code === 'unreachable') return options;
    return ok([
      { ...check, state: 'unknown', found: options.error.message, todo: options.error.hint ?? null },
    ]);
  }
  const choice = chooseGpusNow({ ...request.resources, gpus }, machine.id, options.value, jobs);
  if (choice.kind === 'given') {
    return ok([{ ...check, state: 'good', found: `${gpus} are free.`, todo: null }]);
  }
  // What the machine can never give is a whole sentence; why something waits is the end of one.
  return choice.never
    ? ok([{ ...check, state: 'bad', found: choice.why, todo: NEVER_TODO }])
    : ok([{ ...check, state: 'warning', found: `It ${choice.why}.`, todo: WAITS_TODO }]);
}
