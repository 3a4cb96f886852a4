import type { PocketTraining, TrainingRequest } from '../../../preload/contract';
import { LOCAL_MACHINE } from '../../../preload/contract';
import { shellWords } from '../../base';
import type { PreparedTraining } from './prepared';

export type PocketProgram = {
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
  /** Names of all pocket families. */
  readonly families: readonly string[];
  /** Programs may run with the user's own rights if no sandbox is available. */
  readonly allowsUnsandboxed: boolean;
};

/** A pocket training as a job of its machine. */
export function preparePocket(
  request: TrainingRequest,
  spec: PocketTraining,
  program: PocketProgram,
): PreparedTraining {
  const { node, script, folder, checkpointsDir, resourcesDir } = program;
  return {
    commandLine: `exec ${node === null ? '"$MARS2_NODE"' : shellWords([node])} ${shellWords([
      script,
      '--spec',
      `${folder}/spec.json`,
      '--out',
      folder,
      '--checkpoints',
      checkpointsDir,
      '--resources',
      resourcesDir,
      ...(program.allowsUnsandboxed ? ['--allow-unsandboxed'] : []),
    ])}`,
    setUp: program.setUp,
    env: program.env,
    resources: { ...request.resources, gpus: 0, gpuIds: null },
    gpus: 0,
    notes: [
      'Pocket policies train on the processor of their machine, on programs that really run in the sandbox. Their results are labelled pocket.',
      'Stopping saves a checkpoint; resuming continues from it with the same results as without the stop.',
    ],
    problems: pocketProblems(spec, program.families),
    ...(request.machineId === LOCAL_MACHINE ? {} : { remoteFolder: folder }),
  };
}

function pocketProblems(spec: PocketTraining, known: readonly string[]): string[] {
  const problems: string[] = [];
  for (const family of new Set(spec.families)) {
    if (!known.includes(family)) {
      problems.push(`There is no pocket family "${family}". There are: ${known.join(', ')}.`);
    }
  }
  const together = spec.method === 'heter-mars2' || spec.method === 'mixed-groups';
  if (together && spec.families.length < 2) {
    problems.push('This method needs two or more agents that share their trees: add another family.');
  }
  return problems;
}
