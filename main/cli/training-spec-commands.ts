import { trainingMethodSchema } from '../../preload/contract/index';
import {
  type Action,
  type CommandGroup,
  type CommandSpec,
  JSON_OPTION,
  type OptionSpec,
  option,
  repeated,
} from './grammar';
import {
  martiTraining,
  pocketTraining,
  recipeTraining,
  type TrainingReader,
  trainingFile,
} from './training-arguments';

const START_OPTIONS = [
  option('--name <text>', 'its name'),
  option('--machine <id>', 'the machine that trains (default: this computer)'),
  option('--set-up <line>', 'runs before the training'),
  repeated('--env <name=value>', 'a variable; repeat it'),
  option('--gpus <n>', 'wait for n free GPUs'),
  option('--gpu-ids <ids>', 'wait for these: UUID,UUID'),
  option('--minutes <n>', 'Slurm: time limit'),
  option('--partition <name>', 'Slurm: partition'),
  option('--account <name>', 'Slurm: account'),
  option('--slurm-options <text>', 'Slurm: further options of sbatch'),
  JSON_OPTION,
];

const POCKET_OPTIONS = [
  option('--method <name>', `${trainingMethodSchema.options.join(', ')} (default: heter-mars2)`),
  option('--families <f,f>', 'the policies (default: reader,tracer)'),
  option('--updates <n>', 'updates of each policy (default: 300)'),
  option('--batch <n>', 'samples per update (default: 128)'),
  option('--nodes <n>', 'nodes per tree (default: 8)'),
  option('--rate <r>', 'learning rate (default: 0.03)'),
  option('--seed <n>', 'seed (default: 1)'),
  option('--split <name>', 'evaluation: validation or test (default: test)'),
  option('--problems <n>', 'evaluation: problems (default: 100)'),
  option('--samples <n>', 'evaluation: samples per problem (default: 16)'),
];

const MARTI_OPTIONS = [
  option(
    '--preset <name>',
    'grpo (no tree), single (RS²), shared (one model, several roles), multi (single)',
  ),
  option('--checkout <dir>', "MARTI's folder on the machine"),
  option('--dataset <dir>', 'its problems, on the machine'),
  option('--out <dir>', 'where checkpoints go, on the machine'),
  repeated('--agent <model>', 'MODEL, MODEL;reasoning or MODEL;role=R; repeat it'),
  option('--python <path>', 'the Python with MARTI'),
  option('--ray <address>', 'a Ray cluster'),
  repeated('--set <name=value>', 'a setting of MARTI (see: mars2 trainings settings); repeat it'),
  option('--extra <text>', 'further arguments'),
];

const RECIPE_OPTIONS = [
  repeated('--set <name=value>', 'a field of the recipe (see: mars2 trainings recipes); repeat it'),
  option('--extra <text>', 'further arguments'),
];

/** "start" and "plan" take the same words: what to train, and its options. */
export function trainingSpecGroup(
  name: string,
  about: string,
  more: readonly OptionSpec[],
  run: (read: TrainingReader) => Action,
): CommandGroup {
  const command = (
    usage: string,
    what: string,
    own: readonly OptionSpec[],
    read: TrainingReader,
  ): CommandSpec => ({ usage, about: what, options: [...own, ...START_OPTIONS, ...more], run: run(read) });
  return {
    name,
    about,
    commands: [
      command('pocket', 'small policies of our own, on a CPU', POCKET_OPTIONS, pocketTraining),
      command('marti', 'MARTI as released, on GPUs', MARTI_OPTIONS, martiTraining),
      command('recipe <recipe>', 'another trainer, by its recipe', RECIPE_OPTIONS, recipeTraining),
      {
        usage: 'file <file>',
        about: 'from a JSON file',
        options: [JSON_OPTION, ...more],
        run: run(trainingFile),
      },
    ],
  };
}
