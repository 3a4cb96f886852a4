import { LOCAL_MACHINE, type PocketTraining, type TrainingRequest } from '../../../preload/contract';
import { shellPath, shellWords } from '../../base';
import type { PreparedTraining } from './prepared';

/** The program of our own trainer on a training's machine. Paths are absolute there. */
export type OwnProgram = {
  /** null: the Node that the lines of `setUp` find on the machine. */
  readonly node: string | null;
  readonly setUp: string;
  readonly env: Readonly<Record<string, string>>;
  readonly script: string;
  readonly resourcesDir: string;
  /** Folder of the base policies, shared by all trainings. */
  readonly checkpointsDir: string;
  /** The training's own folder, with its spec.json. */
  readonly folder: string;
  /** Programs may run with the user's own rights if no sandbox is available. */
  readonly allowsUnsandboxed: boolean;
};

/** How the program is started on the request's machine. */
export function startOf(
  { machineId, grader }: Pick<TrainingRequest, 'machineId' | 'grader'>,
  program: OwnProgram,
): Pick<PreparedTraining, 'commandLine' | 'setUp' | 'env' | 'remoteFolder'> {
  const { node, script, folder, checkpointsDir, resourcesDir, setUp, env } = program;
  return {
    commandLine: `exec ${node === null ? '"$MARS2_NODE"' : shellWords([node])} ${shellWords([
      script,
      ...['--spec', `${folder}/spec.json`, '--out', folder],
      ...['--checkpoints', checkpointsDir, '--resources', resourcesDir],
      ...(program.allowsUnsandboxed ? ['--allow-unsandboxed'] : []),
      ...(grader === undefined ? [] : ['--grader', grader.address]),
    ])}${grader?.tokenFile === undefined ? '' : ` --grader-token-file ${shellPath(grader.tokenFile)}`}`,
    setUp,
    env,
    ...(machineId === LOCAL_MACHINE ? {} : { remoteFolder: folder }),
  };
}

/** Said of a training that grades elsewhere. */
export function graderNotes({ grader }: Pick<TrainingRequest, 'grader'>): string[] {
  return grader === undefined ? [] : [`Programs are graded by the grader service at ${grader.address}.`];
}

/** Said where the first checkpoint is the last one. */
export function checkpointNotes({
  method,
  updates,
  checkpointEvery,
}: Pick<PocketTraining, 'method' | 'updates' | 'checkpointEvery'>): string[] {
  return method === 'base' || checkpointEvery < updates
    ? []
    : [
        `The only checkpoint is written after the last update (${updates}): of a training that is stopped before, nothing can be served or searched with. For earlier ones choose fewer than ${updates} updates between checkpoints (now ${checkpointEvery}).`,
      ];
}
