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
  modelTraining,
  pocketTraining,
  recipeTraining,
  type TrainingReader,
  trainingFile,
} from './training-arguments';
import { fieldOptions } from './training-fields';

const START_OPTIONS = [
  option('--name <text>', 'its name'),
  option('--machine <id>', 'the machine that trains (default: this computer)'),
  option('--set-up <line>', 'runs before the training'),
  repeated('--env <name=value>', 'a variable; repeat it'),
  option(
    '--restarts <n>',
    'restart it by itself from a newer checkpoint, at most n times, 0 to 20 (default: 10)',
  ),
  option('--gpus <n>', 'wait for n free GPUs'),
  option('--gpu-ids <ids>', 'wait for these: UUID,UUID'),
  option('--minutes <n>', 'Slurm: time limit'),
  option('--partition <name>', 'Slurm: partition'),
  option('--account <name>', 'Slurm: account'),
  option('--slurm-options <text>', 'Slurm: further options of sbatch'),
  JSON_OPTION,
];

const METHOD_OPTION = option(
  '--method <name>',
  `${trainingMethodSchema.options.join(', ')} (default: heter-mars2)`,
);
const SEED_OPTION = option('--seed <n>', 'seed (default: 1)');

const GRADER_OPTIONS = [
  option(
    '--grader <address>',
    'grade at this grader service, e.g. http://127.0.0.1:8765 (see: mars2 grader serve; default: in a sandbox of the machine)',
  ),
  option(
    '--grader-token-file <file>',
    'its token, on the machine (default: the variable MARS2_GRADER_TOKEN there)',
  ),
];

/** Of "start" and "plan": several trainings instead of one. */
const SWEEP_OPTIONS = [
  repeated(
    '--sweep <field=values>',
    'train once for each value, e.g. rate=1e-5,3e-5; repeat it for all combinations (docs/training.md, "Several values and seeds")',
  ),
  option('--seeds <list>', 'each of them with these seeds, e.g. 1-3'),
];

const POCKET_OPTIONS = [
  METHOD_OPTION,
  option('--families <f,f>', 'the policies (default: reader,tracer)'),
  SEED_OPTION,
  ...fieldOptions('pocket'),
  ...SWEEP_OPTIONS,
  ...GRADER_OPTIONS,
];

const MODEL_OPTIONS = [
  METHOD_OPTION,
  repeated(
    '--agent <name=model>',
    'NAME=MODEL or NAME=MODEL{max-tokens=512,thinking=off}; a folder or a GGUF file there; repeat it',
  ),
  option('--benchmark <id>', 'the benchmark that it trains on'),
  option('--problems <ids>', 'of these problems: ID,ID or a file with one a line (default: all)'),
  option('--lora <rank>', 'rank of the adapters, or off: all weights (default: 16)'),
  option('--lora-alpha <a>', 'alpha of the adapters (default: 32)'),
  SEED_OPTION,
  option(
    '--evaluate-on <benchmark>',
    'BENCHMARK, BENCHMARK:ID,ID or BENCHMARK:FILE (default: problems that it does not train on)',
  ),
  repeated('--evaluation-sampling <name=value>', 'e.g. temperature=0.6 (default: as in training); repeat it'),
  ...fieldOptions('model'),
  option(
    '--pass-at-1 <range>',
    'keep measured problems with Pass@1 in this range of percent (default: 10-80)',
  ),
  option(
    '--python <path>',
    'the Python with torch, transformers and peft (default: that of "machines prepare", else python3)',
  ),
  ...SWEEP_OPTIONS,
  ...GRADER_OPTIONS,
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
  ...SWEEP_OPTIONS,
  option('--extra <text>', 'further arguments'),
];

const RECIPE_OPTIONS = [
  repeated('--set <name=value>', 'a field of the recipe (see: mars2 trainings recipes); repeat it'),
  ...SWEEP_OPTIONS,
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
    description: string,
    own: readonly OptionSpec[],
    read: TrainingReader,
  ): CommandSpec => ({
    usage,
    about: description,
    options: [...own, ...START_OPTIONS, ...more],
    run: run(read),
  });
  return {
    name,
    about,
    commands: [
      command('pocket', 'small policies of our own, on a CPU', POCKET_OPTIONS, pocketTraining),
      command('model', 'language models, on GPUs or processors', MODEL_OPTIONS, modelTraining),
      command('marti', 'MARTI as released, on GPUs', MARTI_OPTIONS, martiTraining),
      command('recipe <recipe>', 'another trainer, by its recipe', RECIPE_OPTIONS, recipeTraining),
      {
        usage: 'file <file>',
        about: 'from a JSON file',
        options: [...SWEEP_OPTIONS, JSON_OPTION, ...more],
        run: run(trainingFile),
      },
    ],
  };
}
