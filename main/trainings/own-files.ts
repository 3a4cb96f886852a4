import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type {
  ModelTraining,
  Refusal,
  TrainingCheckpoint,
  TrainingRequest,
  TrainingSpec,
} from '../../preload/contract';
import { LOCAL_MACHINE } from '../../preload/contract';
import { isOwnTraining } from '../../preload/contract/plans';
import { failed, ok, type Result } from '../base';
import {
  type AsyncResult,
  contentName,
  fetchFolder,
  findNode,
  type Machine,
  missingPackages,
  NODE_LINES,
  nameInSentence,
  ship,
} from '../machines';
import { makeFolder, reasonOf, replaceFile } from '../storage';
import { ggufAgents, trainingSetUp } from './logic/model-checks';
import type { TrainingRecord } from './logic/training-record';
import type { TrainerDeps } from './prepare-training';
import { PROBLEMS_FILE } from './problem-files';

/** Where the programs and files of our own trainer are on a training's machine. Paths are absolute there. */
export type OwnProgramPaths = {
  /** The training's own, with its spec.json. */
  readonly folder: string;
  /** Runs the script; null: the Node that the lines of `setUp` find when the job runs. */
  readonly node: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly script: string;
  /** Holds the grader, and the learner where language models are trained. */
  readonly resourcesDir: string;
  /** Base policies, shared by all trainings there. */
  readonly checkpointsDir: string;
  /** Lines for the job's shell. */
  readonly setUp: string;
};

type ProgramLocations = Pick<
  TrainerDeps,
  'nodeRuntime' | 'pocketTrainerScript' | 'resourcesDir' | 'checkpointsDir'
>;

export type OwnFiles = {
  /** null: it is not a training by our own trainer. */
  readonly pathsOf: (request: TrainingRequest, id: string) => AsyncResult<OwnProgramPaths | null>;
  /** Before its job starts: copies what it needs to its machine. */
  readonly ship: (record: TrainingRecord) => AsyncResult<null>;
  /**
   * Copies pocket checkpoints that can be served to this computer, where servers and studies read them. Gives all with
   * their copies here; those of language models are large, and copied one by one when asked for.
   */
  readonly fetchCheckpoints: (
    record: TrainingRecord,
    checkpoints: readonly TrainingCheckpoint[],
  ) => AsyncResult<readonly TrainingCheckpoint[]>;
  /** The path here of one of the checkpoints; a language model's folder is copied from its machine first. */
  readonly fetchCheckpoint: (
    record: TrainingRecord,
    checkpointId: string,
    checkpoints: readonly TrainingCheckpoint[],
  ) => AsyncResult<string>;
  /** Copies the evaluation to this computer, if there is one yet. */
  readonly fetchEvaluation: (record: TrainingRecord) => AsyncResult<null>;
};

/** The files of our own trainer, here and on other machines. Of other trainers there is nothing to ship or fetch. */
export function createOwnFiles(
  deps: ProgramLocations & {
    readonly machines: { readonly get: (id: string) => Result<Machine, Refusal> };
    /** Of a training, on this computer. */
    readonly folderOf: (id: string) => string;
  },
): OwnFiles {
  const { machines, folderOf } = deps;
  /** From below the training's folder to the same place below its folder on this computer. */
  const fetch = async (
    { id, order: request, remoteFolder }: TrainingRecord,
    folder: string,
    names: readonly string[],
  ): AsyncResult<null> => {
    if (remoteFolder === undefined) return ok(null);
    const machine = machines.get(request.machineId);
    if (!machine.ok) return machine;
    const paths = names.map((name) => join(remoteFolder, folder, name));
    return fetchFiles(machine.value, paths, join(folderOf(id), folder));
  };
  return {
    pathsOf: async ({ spec, machineId }, id) => {
      if (!isOwnTraining(spec)) return ok(null);
      const machine = machines.get(machineId);
      if (!machine.ok) return machine;
      return ownProgramPaths(machine.value, { id, localFolder: folderOf(id), spec }, deps);
    },
    ship: async ({ id, order: request, remoteFolder }) => {
      if (remoteFolder === undefined) return ok(null);
      const machine = machines.get(request.machineId);
      return machine.ok
        ? shipTraining(machine.value, { id, localFolder: folderOf(id), order: request }, deps)
        : machine;
    },
    fetchCheckpoints: async (record, checkpoints) => {
      if (record.remoteFolder === undefined) return ok(checkpoints);
      if (record.order.spec.kind === 'pocket') {
        const names = checkpoints.filter(({ canServe }) => canServe).map(({ path }) => basename(path));
        const fetched = await fetch(record, 'checkpoints', names);
        if (!fetched.ok) return fetched;
      }
      const folder = join(folderOf(record.id), 'checkpoints');
      const names = new Set(await readdir(folder).catch(() => []));
      return ok(
        checkpoints.map((checkpoint) => {
          const name = basename(checkpoint.path);
          return names.has(name) ? { ...checkpoint, copy: join(folder, name) } : checkpoint;
        }),
      );
    },
    fetchCheckpoint: async ({ id, order: request, remoteFolder }, checkpointId, checkpoints) => {
      const checkpoint = checkpoints.find((candidate) => candidate.id === checkpointId);
      if (checkpoint === undefined) {
        const message = `"${request.name}" has no checkpoint "${checkpointId}".`;
        return failed({ code: 'not-found', message });
      }
      if (checkpoint.copy !== undefined) return ok(checkpoint.copy);
      if (request.machineId === LOCAL_MACHINE) return ok(checkpoint.path);
      if (remoteFolder === undefined) {
        const message = `Checkpoints of this trainer stay on their machine: ${checkpoint.path}.`;
        return failed({ code: 'bad-input', message });
      }
      const machine = machines.get(request.machineId);
      if (!machine.ok) return machine;
      const to = join(folderOf(id), 'checkpoints', basename(checkpoint.path));
      const fetched = await fetchFolder(machine.value, checkpoint.path, to);
      return fetched.ok ? ok(to) : fetched;
    },
    fetchEvaluation: (record) => fetch(record, '', ['evaluation.json']),
  };
}

/** Below a folder of resources. */
const GRADER = join('grader', 'mars2_grader');
const LEARNER = join('learner', 'mars2_learner');

/** Asks nothing of this computer; of another one only where the workbench's folder is. */
async function ownProgramPaths(
  machine: Machine,
  training: { readonly id: string; readonly localFolder: string; readonly spec: TrainingSpec },
  here: ProgramLocations,
): AsyncResult<OwnProgramPaths> {
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
  const { script, resources } = await toolNames(here, training.spec);
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

/** Copies the trainer, its resources and the training's input to another machine. */
async function shipTraining(
  machine: Machine,
  training: { readonly id: string; readonly localFolder: string; readonly order: TrainingRequest },
  here: ProgramLocations,
): AsyncResult<null> {
  const { id, localFolder, order: request } = training;
  // On a cluster the job's node may have what the login node lacks.
  const isWhereItRuns = machine.spec.kind !== 'slurm';
  if (isWhereItRuns) {
    const node = await findNode(machine, 'Trainings need');
    if (!node.ok) return node;
  }
  const { script, resources, folders } = await toolNames(here, request.spec);
  const inputs = request.spec.kind === 'model' ? ['spec.json', PROBLEMS_FILE] : ['spec.json'];
  const shipped = await ship(machine, [
    { from: here.pocketTrainerScript, to: script },
    ...folders.map((folder) => ({ from: join(here.resourcesDir, folder), to: join(resources, folder) })),
    ...inputs.map((name) => ({ from: join(localFolder, name), to: join('trainings', id, name) })),
  ]);
  if (!shipped.ok) return shipped;
  if (request.spec.kind !== 'model' || !isWhereItRuns) return ok(null);
  const home = await machine.home();
  if (!home.ok) return home;
  return checkPython(machine, request, request.spec, join(home.value, resources, dirname(LEARNER)));
}

/** Refuses a Python without the learner's packages, before a job fails with it. */
async function checkPython(
  machine: Machine,
  request: TrainingRequest,
  spec: ModelTraining,
  program: string,
): AsyncResult<null> {
  const { python } = spec;
  const missing = await missingPackages(machine, {
    ...{ python, program, setUp: trainingSetUp(request) },
    more: ggufAgents(spec).length > 0 ? ['gguf'] : [],
  });
  if (!missing.ok) return missing;
  if (missing.value?.length === 0) return ok(null);
  const without =
    missing.value === null
      ? 'does not answer'
      : `has no ${missing.value.join(', ')}, which the learner needs`;
  return failed({
    code: 'unavailable',
    message: `The Python "${python}" on ${nameInSentence(machine.spec)} ${without}.`,
    hint: `Make an environment there: mars2 machines prepare ${machine.id} --learner. Trainings that are started then use it unless another Python is named.`,
  });
}

/** Below the workbench's folder on a machine, named by what they contain; `folders`: of the resources. */
async function toolNames(
  here: ProgramLocations,
  { kind }: TrainingSpec,
): Promise<{ readonly script: string; readonly resources: string; readonly folders: readonly string[] }> {
  const folders = kind === 'model' ? [GRADER, LEARNER] : [GRADER];
  const sources = await Promise.all(
    folders.map(async (folder) => {
      const names = (await readdir(join(here.resourcesDir, folder))).filter((name) => name.endsWith('.py'));
      return names.sort().map((name) => join(here.resourcesDir, folder, name));
    }),
  );
  const [script, resources] = await Promise.all([
    contentName([here.pocketTrainerScript]),
    contentName(sources.flat()),
  ]);
  return {
    // Node takes a module's format from its name where no package.json is next to it.
    script: join('tools', `pocket-trainer-${script}.mjs`),
    resources: join('tools', `trainer-resources-${resources}`),
    folders,
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
  const names = new Set(await readdir(localFolder).catch(() => []));
  for (const path of paths) {
    if (names.has(basename(path))) continue;
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
