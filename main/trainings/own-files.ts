import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Refusal, TrainingCheckpoint, TrainingRequest } from '../../preload/contract';
import { LOCAL_MACHINE } from '../../preload/contract';
import { isOwnTraining } from '../../preload/contract/plans';
import { failed, ok, type Result } from '../base';
import { type AsyncResult, contentName, findNode, type Machine, NODE_LINES, ship } from '../machines';
import { makeFolder, reasonOf, replaceFile } from '../storage';
import type { TrainingRecord } from './logic/training-record';
import type { TrainerDeps } from './prepare-training';

/** Where the programs and files of our own trainer are on a training's machine. Paths are absolute there. */
export type OwnPlaces = {
  /** The training's own, with its spec.json. */
  readonly folder: string;
  /** Runs the script; null: the Node that the lines of `setUp` find when the job runs. */
  readonly node: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly script: string;
  /** Holds the grader. */
  readonly resourcesDir: string;
  /** Base policies, shared by all trainings there. */
  readonly checkpointsDir: string;
  /** Lines for the job's shell. */
  readonly setUp: string;
};

type Here = Pick<TrainerDeps, 'nodeRuntime' | 'pocketTrainerScript' | 'resourcesDir' | 'checkpointsDir'>;

export type OwnFiles = {
  /** null: it is not a training by our own trainer. */
  readonly placesOf: (request: TrainingRequest, id: string) => AsyncResult<OwnPlaces | null>;
  /** Before its job starts: copies what it needs to its machine. */
  readonly ship: (record: TrainingRecord) => AsyncResult<null>;
  /** Copies checkpoints that can be served to this computer, where servers and studies read them. */
  readonly fetchCheckpoints: (
    record: TrainingRecord,
    checkpoints: readonly TrainingCheckpoint[],
  ) => AsyncResult<null>;
  /** Copies the evaluation to this computer, if there is one yet. */
  readonly fetchEvaluation: (record: TrainingRecord) => AsyncResult<null>;
};

/** The files of our own trainer, here and on other machines. Of other trainers there is nothing to ship or fetch. */
export function createOwnFiles(
  deps: Here & {
    readonly machines: { readonly get: (id: string) => Result<Machine, Refusal> };
    /** Of a training, on this computer. */
    readonly folderOf: (id: string) => string;
  },
): OwnFiles {
  const { machines, folderOf } = deps;
  /** From below the training's folder to the same place below its folder on this computer. */
  const fetch = async (
    { id, order, remoteFolder }: TrainingRecord,
    folder: string,
    names: readonly string[],
  ): AsyncResult<null> => {
    if (remoteFolder === undefined) return ok(null);
    const machine = machines.get(order.machineId);
    if (!machine.ok) return machine;
    const paths = names.map((name) => join(remoteFolder, folder, name));
    return fetchFiles(machine.value, paths, join(folderOf(id), folder));
  };
  return {
    placesOf: async ({ spec, machineId }, id) => {
      if (!isOwnTraining(spec)) return ok(null);
      const machine = machines.get(machineId);
      return machine.ok ? ownPlaces(machine.value, { id, localFolder: folderOf(id) }, deps) : machine;
    },
    ship: async ({ id, order, remoteFolder }) => {
      if (remoteFolder === undefined) return ok(null);
      const machine = machines.get(order.machineId);
      return machine.ok ? shipTraining(machine.value, { id, localFolder: folderOf(id) }, deps) : machine;
    },
    fetchCheckpoints: (record, checkpoints) => {
      const names = checkpoints.filter(({ canServe }) => canServe).map(({ path }) => basename(path));
      return fetch(record, 'checkpoints', names);
    },
    fetchEvaluation: (record) => fetch(record, '', ['evaluation.json']),
  };
}

/** Below a folder of resources. */
const GRADER = join('grader', 'mars2_grader');

/** Asks nothing of this computer; of another one only where the workbench's folder is. */
async function ownPlaces(
  machine: Machine,
  training: { readonly id: string; readonly localFolder: string },
  here: Here,
): AsyncResult<OwnPlaces> {
  if (machine.id === LOCAL_MACHINE) {
    return ok({
      folder: training.localFolder,
      node: here.nodeRuntime.command,
      env: here.nodeRuntime.env,
      script: here.pocketTrainerScript,
      resourcesDir: here.resourcesDir,
      checkpointsDir: here.checkpointsDir,
      setUp: '',
    });
  }
  const home = await machine.home();
  if (!home.ok) return home;
  const { script, resources } = await toolNames(here);
  return ok({
    folder: join(home.value, 'trainings', training.id),
    // On a cluster it runs on another node than the one that we can ask.
    node: null,
    env: {},
    script: join(home.value, script),
    resourcesDir: join(home.value, resources),
    checkpointsDir: join(home.value, 'checkpoints'),
    setUp: NODE_LINES,
  });
}

/** Copies the trainer, the grader and the training's spec to another machine. */
async function shipTraining(
  machine: Machine,
  training: { readonly id: string; readonly localFolder: string },
  here: Here,
): AsyncResult<null> {
  if (machine.spec.kind !== 'slurm') {
    const node = await findNode(machine, 'Pocket trainings need');
    if (!node.ok) return node;
  }
  const { script, resources } = await toolNames(here);
  const shipped = await ship(machine, [
    { from: here.pocketTrainerScript, to: script },
    { from: join(here.resourcesDir, GRADER), to: join(resources, GRADER) },
    { from: join(training.localFolder, 'spec.json'), to: join('trainings', training.id, 'spec.json') },
  ]);
  return shipped.ok ? ok(null) : shipped;
}

/** Below the workbench's folder on a machine, named by what they contain. */
async function toolNames(here: Here): Promise<{ readonly script: string; readonly resources: string }> {
  const grader = join(here.resourcesDir, GRADER);
  const sources = (await readdir(grader)).filter((name) => name.endsWith('.py')).sort();
  const [script, resources] = await Promise.all([
    contentName([here.pocketTrainerScript]),
    contentName(sources.map((name) => join(grader, name))),
  ]);
  return {
    // Node takes a module's format from its name where no package.json is next to it.
    script: join('tools', `pocket-trainer-${script}.mjs`),
    resources: join('tools', `trainer-resources-${resources}`),
  };
}

/**
 * Copies files of a training on another machine into a folder of this computer, where servers, studies and tables read
 * them. Those that are there already are left alone: a checkpoint or an evaluation does not change once it is written.
 */
async function fetchFiles(
  machine: Machine,
  paths: readonly string[],
  localFolder: string,
): AsyncResult<null> {
  const known = new Set(await readdir(localFolder).catch(() => []));
  for (const path of paths) {
    if (known.has(basename(path))) continue;
    const text = await machine.readText(path);
    if (!text.ok) return text;
    if (text.value === null) continue;
    try {
      await makeFolder(localFolder);
      await replaceFile(join(localFolder, basename(path)), text.value);
    } catch (error) {
      return failed({ code: 'unavailable', message: `Cannot write to ${localFolder}: ${reasonOf(error)}.` });
    }
  }
  return ok(null);
}
