import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type DoctorCheck, LOCAL_MACHINE } from '../../preload/contract';
import { ok } from '../base';
import { LEARNER_SECONDS, learnerChecks, learnerScript } from './logic/doctor/learner';
import { packagesScript, readPackages } from './logic/learner-packages';
import type { AsyncResult, Machine } from './machine';
import { contentName, ship } from './ship';

/** Where the learner's program and its pinned environment belong on a machine. Absolute paths there. */
export type LearnerPaths = {
  /** Folder that holds the package mars2_learner. */
  readonly program: string;
  readonly requirements: string;
  /** Of the pinned packages, whether it is there or not. */
  readonly environment: string;
  /** The environment's interpreter. */
  readonly python: string;
};

const PACKAGE = 'mars2_learner';
const REQUIREMENTS = 'requirements.txt';
/** Written last, by mars2_learner/environment.py. */
const MARKER = '.mars2-learner';

/** Copies nothing, and asks only where the workbench's folder is. Other packages are another environment. */
export async function learnerPaths(machine: Machine, resourcesDir: string): AsyncResult<LearnerPaths> {
  const home = await machine.home();
  if (!home.ok) return home;
  const here = join(resourcesDir, 'learner');
  const names = (await readdir(join(here, PACKAGE))).filter((name) => name.endsWith('.py')).sort();
  const [packages, sources] = await Promise.all([
    contentName([join(here, REQUIREMENTS)]),
    contentName([...names.map((name) => join(here, PACKAGE, name)), join(here, REQUIREMENTS)]),
  ]);
  const program = machine.id === LOCAL_MACHINE ? here : join(home.value, 'tools', `learner-${sources}`);
  const environment = join(home.value, 'environments', `learner-${packages}`);
  return ok({
    program,
    requirements: join(program, REQUIREMENTS),
    environment,
    python: join(environment, 'bin', 'python'),
  });
}

/** Copies the learner's program to the machine; on this computer it is there. */
export async function shipLearner(machine: Machine, resourcesDir: string): AsyncResult<LearnerPaths> {
  const paths = await learnerPaths(machine, resourcesDir);
  if (!paths.ok || machine.id === LOCAL_MACHINE) return paths;
  const here = join(resourcesDir, 'learner');
  const tool = join('tools', basename(paths.value.program));
  const shipped = await ship(machine, [
    { from: join(here, PACKAGE), to: join(tool, PACKAGE) },
    { from: join(here, REQUIREMENTS), to: join(tool, REQUIREMENTS) },
  ]);
  return shipped.ok ? paths : shipped;
}

/** Python of the prepared environment; null: it was not prepared there, or not with the present packages. */
export async function preparedLearner(machine: Machine, resourcesDir: string): AsyncResult<string | null> {
  const paths = await learnerPaths(machine, resourcesDir);
  if (!paths.ok) return paths;
  const marker = await machine.readText(join(paths.value.environment, MARKER));
  if (!marker.ok) return marker;
  return ok(marker.value === null ? null : paths.value.python);
}

/**
 * Packages of the learner that a Python on the machine lacks, without loading any; null: there is no such Python, or it
 * cannot be asked. `program`: folder of the package there. `setUp`: lines of a shell that run before it.
 */
export async function missingPackages(
  machine: Machine,
  request: Parameters<typeof packagesScript>[0],
): AsyncResult<readonly string[] | null> {
  const answer = await machine.run(packagesScript(request));
  return answer.ok ? ok(readPackages(answer.value.stdout)) : answer;
}

/**
 * Lets the learner check itself there: packages, devices, memory, disk, one step of a tiny model. Takes seconds.
 * `python` null: the prepared environment's, else python3. `setUp`: lines of a shell that run before it.
 */
export async function checkLearner(
  machine: Machine,
  options: {
    readonly resourcesDir: string;
    readonly python: string | null;
    readonly setUp?: string;
    /** Is a model a GGUF file? Then the package that reads it has to be there. */
    readonly needsGguf?: boolean;
    readonly signal?: AbortSignal;
  },
): AsyncResult<readonly DoctorCheck[]> {
  const { resourcesDir, setUp = '', needsGguf = false, signal } = options;
  const paths = await shipLearner(machine, resourcesDir);
  if (!paths.ok) return paths;
  const prepared = options.python === null ? await preparedLearner(machine, resourcesDir) : ok(null);
  if (!prepared.ok) return prepared;
  const home = await machine.home();
  if (!home.ok) return home;
  const python = options.python ?? prepared.value ?? 'python3';
  const script = learnerScript({ python, program: paths.value.program, folder: home.value, setUp });
  const answer = await machine.run(script, {
    timeoutMs: LEARNER_SECONDS * 1_000,
    ...(signal === undefined ? {} : { signal }),
  });
  if (answer.ok) {
    const isLoginNode = machine.spec.kind === 'slurm';
    return ok(learnerChecks(answer.value, { python, machineId: machine.id, isLoginNode, needsGguf }));
  }
  const { code, message, hint } = answer.error;
  if (code === 'unreachable' || code === 'cancelled') return answer;
  return ok([{ id: 'learner', title: 'Learner', state: 'unknown', found: message, todo: hint ?? null }]);
}
