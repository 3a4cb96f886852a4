import type { PocketTraining, TrainingOrder } from '../../../preload/contract';
import { LOCAL_MACHINE } from '../../../preload/contract';
import { shellWords } from '../../base';
import type { PreparedTraining } from './prepared';

export type PocketProgram = {
  readonly node: string;
  readonly env: Readonly<Record<string, string>>;
  readonly script: string;
  readonly resourcesDir: string;
  /** Base policies, shared by all trainings. */
  readonly checkpointsDir: string;
  /** This training's own files; spec.json in it says what is trained. */
  readonly folder: string;
  /** That there are. */
  readonly families: readonly string[];
  /** Candidates may run with the user's own rights where no sandbox starts. */
  readonly allowsUnsandboxed: boolean;
};

/** A pocket training as a job of this computer. */
export function preparePocket(
  order: TrainingOrder,
  spec: PocketTraining,
  program: PocketProgram,
): PreparedTraining {
  const { node, script, folder, checkpointsDir, resourcesDir } = program;
  return {
    commandLine: `exec ${shellWords([
      node,
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
    setUp: '',
    env: program.env,
    resources: { ...order.resources, gpus: 0, gpuIds: null },
    gpus: 0,
    notes: [
      'Pocket policies learn on the CPU of this computer, from programs that really run in the sandbox. The numbers are labelled pocket.',
      'A stop keeps a checkpoint; a resume goes on from it as if nothing had happened.',
    ],
    problems: pocketProblems(order, spec, program.families),
  };
}

function pocketProblems(
  { machineId }: TrainingOrder,
  spec: PocketTraining,
  known: readonly string[],
): string[] {
  const problems: string[] = [];
  if (machineId !== LOCAL_MACHINE) {
    problems.push('Pocket trainings run on this computer only. Choose it as the machine.');
  }
  for (const family of new Set(spec.families)) {
    if (!known.includes(family)) {
      problems.push(`There is no pocket family "${family}". There are: ${known.join(', ')}.`);
    }
  }
  const together = spec.method === 'heter-mars2' || spec.method === 'mixed-groups';
  if (together && spec.families.length < 2) {
    problems.push('Agents that share their trees are two or more: name another family.');
  }
  return problems;
}
