import {
  type Fit,
  type Gpu,
  type LaunchPlan,
  launchPresetOf,
  type Refusal,
  type ServerLaunch,
} from '../../preload/contract';
import { ok, type Result } from '../base';
import { chooseGpusNow, type GpuAvailability, type JobService } from '../jobs';
import { type AsyncResult, type Machine, nameInSentence, portsScript, readFreePorts } from '../machines';
import { installable } from './install-llama-cpp';
import { learnerRuntime } from './learner-runtime';
import { ENGINES } from './logic/engines';
import { describeEnvironment, environmentProbeScript } from './logic/environment-lines';
import { fitOf } from './logic/fit';
import { commandWith, type LearnerRuntime, namedPort, refusalOf, withLearner } from './logic/launch-command';
import { readWeightsProbe, type WeightsProbe, weightsScript } from './logic/weights-probe';

type Picked = {
  readonly gpuIds: string[];
  readonly gpus: readonly Gpu[];
  readonly problems: readonly string[];
};

/** The command, its GPUs, whether the model fits, and what already prevents a start. Changes nothing. */
export async function planLaunch(parts: {
  readonly launch: ServerLaunch;
  readonly machine: Machine;
  readonly jobs: Pick<JobService, 'views'>;
  readonly gpus: (machineId: string) => AsyncResult<GpuAvailability>;
  readonly resourcesDir: string;
}): AsyncResult<LaunchPlan> {
  const { launch, machine, resourcesDir } = parts;
  const runtime = await learnerRuntime(machine, launch, { resourcesDir, ships: false });
  if (!runtime.ok) return runtime;
  const installed = await installable(machine, launch, resourcesDir);
  if (!installed.ok) return installed;
  const learner = runtime.value;
  const [missing, weights, ports, picked] = await Promise.all([
    missingProgram(machine, launch, { learner, installed: installed.value?.programs ?? null }),
    probeWeights(machine, launch),
    portsInUse(machine, launch),
    pickGpus(parts),
  ]);
  for (const result of [missing, weights, ports, picked]) if (!result.ok) return result;
  if (!missing.ok || !weights.ok || !ports.ok || !picked.ok) throw new Error('Refusals have been returned');
  const refusal = refusalOf(launch);
  const lacksModel = installed.value?.model === launch.weights && weights.value.path === null;
  return ok({
    commandLine: commandWith(launch, launch.port, learner),
    gpuIds: picked.value.gpuIds,
    fit: fitWith(launch, weights.value, picked.value.gpus),
    install: lacksModel ? 'server-and-model' : missing.value.canInstall ? 'server' : null,
    problems: [
      ...(refusal === null ? [] : [refusal.message]),
      ...missing.value.problems,
      ...ports.value,
      ...picked.value.problems,
      ...absentWeights(launch, weights.value, nameInSentence(machine.spec)),
    ],
  });
}

async function missingProgram(
  machine: Machine,
  launch: ServerLaunch,
  { learner, installed }: { readonly learner: LearnerRuntime | null; readonly installed: string | null },
): Promise<Result<{ readonly problems: readonly string[]; readonly canInstall: boolean }, Refusal>> {
  const { engine, environment, commandLine } = launch;
  const found = (problems: readonly string[], canInstall = false) => ok({ problems, canInstall });
  const kind = ENGINES[engine];
  // An edited command may start another program, but it needs the environment too.
  const probe = commandLine === null ? withLearner(kind.probe, learner) : 'true';
  const probed = await machine.run(environmentProbeScript(environment, probe, installed));
  if (!probed.ok) return probed.error.code === 'unreachable' ? probed : found([probed.error.message]);
  const { code, stderr } = probed.value;
  if (code === 0) return found([]);
  const where =
    machine.spec.kind === 'slurm' ? `${machine.spec.name} (its login node)` : nameInSentence(machine.spec);
  const lastLine = stderr.trim().split('\n').at(-1) ?? '';
  if (code === 3) {
    return found([
      `The environment could not be entered on ${where}${lastLine === '' ? '.' : `: ${lastLine}`}`,
    ]);
  }
  const problem = `${kind.title} was not found on ${where} ${describeEnvironment(environment)}. Choose the environment where it is, or install it there: ${kind.install}`;
  return found([problem], installed !== null);
}

async function probeWeights(machine: Machine, launch: ServerLaunch): Promise<Result<WeightsProbe, Refusal>> {
  const probed = await machine.run(weightsScript(launch.weights));
  if (probed.ok) return ok(readWeightsProbe(probed.value.stdout));
  return probed.error.code === 'unreachable' ? probed : ok({ path: null, bytes: null, shape: null });
}

async function portsInUse(machine: Machine, launch: ServerLaunch): Promise<Result<string[], Refusal>> {
  // A port of the login node says nothing about the node that the job gets.
  if (launch.port === null || machine.spec.kind === 'slurm') return ok([]);
  const ports: number[] = [];
  for (let replica = 0; replica < launch.replicas; replica++) {
    const port = namedPort(launch, replica);
    if (!port.ok) return ok([port.error.message]);
    if (port.value !== null) ports.push(port.value);
  }
  const probed = await machine.run(portsScript(ports));
  if (!probed.ok) return probed.error.code === 'unreachable' ? probed : ok([probed.error.message]);
  const free = readFreePorts(probed.value.stdout);
  const inUse = ports.filter((port) => !free.includes(port));
  return ok(
    inUse.map(
      (port) =>
        `Port ${port} is taken on ${nameInSentence(machine.spec)}. Set another port in the launch, or none to use any free port.`,
    ),
  );
}

async function pickGpus(parts: {
  readonly launch: ServerLaunch;
  readonly machine: Machine;
  readonly jobs: Pick<JobService, 'views'>;
  readonly gpus: (machineId: string) => AsyncResult<GpuAvailability>;
}): Promise<Result<Picked, Refusal>> {
  const { launch, machine } = parts;
  const count = launch.gpus * launch.replicas;
  const none = { gpuIds: [], gpus: [], problems: [] };
  // Slurm chooses among GPUs that its login node does not have.
  if (count === 0 || machine.spec.kind === 'slurm')
    return ok({ ...none, gpuIds: [...(launch.gpuIds ?? [])] });
  const available = await parts.gpus(machine.id);
  if (!available.ok)
    return available.error.code === 'unreachable'
      ? available
      : ok({ ...none, problems: [available.error.message] });
  const requested = { gpus: count, gpuIds: launch.gpuIds };
  const choice = chooseGpusNow(requested, machine.id, available.value, parts.jobs);
  if (choice.kind === 'given') {
    return ok({ gpuIds: choice.gpus.map(({ id }) => id), gpus: choice.gpus, problems: [] });
  }
  const { gpus } = available.value;
  const wanted =
    launch.gpuIds === null ? gpus.slice(0, count) : gpus.filter(({ id }) => launch.gpuIds?.includes(id));
  const why = choice.why.endsWith('.') ? choice.why : `It ${choice.why}.`;
  return ok({ gpuIds: [...(launch.gpuIds ?? [])], gpus: wanted, problems: [why] });
}

function fitWith(launch: ServerLaunch, probe: WeightsProbe, gpus: readonly Gpu[]): Fit {
  const preset = launchPresetOf(launch.weights);
  const fit = fitOf({
    launch,
    kind: ENGINES[launch.engine],
    weights:
      probe.bytes !== null
        ? { bytes: probe.bytes, isEstimate: false }
        : preset === null
          ? null
          : { bytes: preset.shape.parameters * preset.shape.bytesPerParameter, isEstimate: true },
    shape: probe.shape ?? preset?.shape ?? null,
    gpus,
  });
  if (probe.path !== null || isPath(launch.weights)) return fit;
  return {
    ...fit,
    text: `${fit.text} The weights are not on the machine yet: they are downloaded at the first start.`,
  };
}

function absentWeights(
  { weights, engine }: ServerLaunch,
  probe: WeightsProbe,
  machineName: string,
): string[] {
  if (probe.path !== null || !isPath(weights) || engine === 'ollama') return [];
  return [`There is no "${weights}" on ${machineName}.`];
}

/** A path, not a name at the hub. */
function isPath(weights: string): boolean {
  return /^[~/.]/.test(weights) || weights.endsWith('.gguf');
}
