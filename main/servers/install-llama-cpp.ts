import { basename, join } from 'node:path';
import { type JobView, LOCAL_MACHINE, type ServerLaunch, serverLaunchSchema } from '../../preload/contract';
import { ok } from '../base';
import { type JobService, launchOnce } from '../jobs';
import { type AsyncResult, contentName, type Machine, ship } from '../machines';
import { installLine, isInstalledScript, type LlamaCppPaths } from './logic/llama-cpp-lines';

/** Purposes of the jobs that install llama.cpp, without and with the model. */
const PURPOSES = { server: 'llama-cpp', both: 'llama-cpp-and-model' } as const;
/** Files of resources/llama-cpp/: other contents are another environment. */
const FILES = ['install.py', 'llama_server.py', 'requirements.txt', 'model-requirements.txt'];
const MODEL_FILE = 'SmolLM2-135M-Instruct-Q4_1.gguf';

/** Asks the machine only where the workbench's folder is. */
async function llamaCppPaths(machine: Machine, resourcesDir: string): AsyncResult<LlamaCppPaths> {
  const home = await machine.home();
  if (!home.ok) return home;
  const here = join(resourcesDir, 'llama-cpp');
  const name = `llama-cpp-${await contentName(FILES.map((file) => join(here, file)))}`;
  const environment = join(home.value, 'environments', name);
  return ok({
    installer: machine.id === LOCAL_MACHINE ? here : join(home.value, 'tools', name),
    environment,
    programs: join(environment, 'bin'),
    program: join(environment, 'bin', 'llama-server'),
    model: join(home.value, 'models', MODEL_FILE),
  });
}

/** What a launch uses, and the workbench can install; null: the engine or its environment leaves no choice. */
export async function installable(
  machine: Machine,
  { engine, environment }: ServerLaunch,
  resourcesDir: string,
): AsyncResult<LlamaCppPaths | null> {
  if (engine !== 'llama-cpp' || environment.kind !== 'path') return ok(null);
  return llamaCppPaths(machine, resourcesDir);
}

/** SmolLM2-135M-Instruct on a processor; its whole context, shared by the answers that it writes at once. */
export function smallModelLaunch(machineId: string, { model }: LlamaCppPaths): ServerLaunch {
  return serverLaunchSchema.parse({
    id: machineId === LOCAL_MACHINE ? 'smollm2-135m' : `smollm2-135m-${machineId}`,
    name: 'SmolLM2-135M-Instruct Q4_1',
    engine: 'llama-cpp',
    machineId,
    weights: model,
    model: 'smollm2-135m-instruct-q4_1',
    gpus: 0,
    maxInFlight: 4,
  });
}

export type InstalledLlamaCpp = LlamaCppPaths & {
  /** What installs it; null: all is there. */
  readonly job: JobView | null;
};

/**
 * Starts a job that brings llama.cpp's server to the machine, by any Python 3.10 or newer there, and with `withModel` the
 * small model too. Starts nothing if all is there, or if such a job runs already.
 */
export async function installLlamaCpp(
  machine: Machine,
  withModel: boolean,
  deps: { readonly jobs: Pick<JobService, 'launch' | 'views'>; readonly resourcesDir: string },
): AsyncResult<InstalledLlamaCpp> {
  const { jobs, resourcesDir } = deps;
  const located = await llamaCppPaths(machine, resourcesDir);
  if (!located.ok) return located;
  const paths = located.value;
  const there = await machine.run(isInstalledScript(paths, withModel));
  if (!there.ok) return there;
  if (there.value.code === 0) return ok({ ...paths, job: null });
  if (machine.id !== LOCAL_MACHINE) {
    const here = join(resourcesDir, 'llama-cpp');
    const tool = join('tools', basename(paths.installer));
    const shipped = await ship(
      machine,
      FILES.map((name) => ({ from: join(here, name), to: join(tool, name) })),
    );
    if (!shipped.ok) return shipped;
  }
  const job = await launchOnce(jobs, {
    machineId: machine.id,
    name: withModel ? 'llama.cpp and SmolLM2-135M' : 'llama.cpp',
    // One without the model may be at it: the installer waits for it.
    purpose: withModel ? PURPOSES.both : PURPOSES.server,
    command: { kind: 'line', line: installLine(paths, withModel) },
  });
  return job.ok ? ok({ ...paths, job: job.value }) : job;
}
