import { resolve as resolvePath } from 'node:path';
import { LOCAL_MACHINE, type TrainingView } from '../../preload/contract/index';
import { type CliOptions, definedOnly, UsageError } from './cli-options';
import { type CommandGroup, JSON_OPTION, option, VERBOSE_OPTION } from './grammar';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';
import { printProvenance } from './provenance-report';
import { evaluateCheckpoints, serveCheckpoint } from './training-checkpoints';
import { fieldsText } from './training-fields';
import { findTraining, listTrainings, onTraining } from './training-lookup';
import { settingsText, trainingTable } from './training-report';
import { checkpoints, curves, evaluation, fetchCheckpoint, recipes, rollouts } from './training-results';
import { follow, show, showMeasured, shown } from './training-show';
import { trainingSpecGroup } from './training-spec-commands';
import { planTraining, startTraining } from './training-start';
import { showSweep } from './training-sweep';
import { deleteTraining, listRemovedTrainings, removeTraining, restoreTraining } from './training-trash';

const FOLLOW_OPTION = option('-f, --follow', 'show its progress until it ends');

export const trainingCommands: CommandGroup = {
  name: 'trainings',
  about: 'train policies, watch them, evaluate and serve checkpoints',
  commands: [
    {
      usage: 'list',
      about: 'list trainings',
      options: [
        option('--removed', 'those in the trash, which "trainings restore" brings back'),
        JSON_OPTION,
      ],
      run: list,
    },
    trainingSpecGroup(
      'start',
      'start a training; it continues when this command ends',
      [
        FOLLOW_OPTION,
        option('--plan', 'show the exact command, its variables and its problems, start nothing'),
        option('--probe', 'with --plan: check the machine too'),
      ],
      startTraining,
    ),
    trainingSpecGroup(
      'plan',
      'show the exact command, its variables and its problems, start nothing',
      [option('--probe', 'check the machine too')],
      planTraining,
    ),
    {
      usage: 'show <training>',
      about: 'show a training',
      options: [JSON_OPTION],
      run: onTraining(showMeasured),
    },
    {
      usage: 'origin <training> [other]',
      about: 'what made its last start: code, packages, GPUs, weights; with another training: what differs',
      options: [JSON_OPTION],
      run: onTraining(showOrigin),
    },
    {
      usage: 'follow <training>',
      about: 'show its progress until it ends',
      options: [JSON_OPTION],
      run: onTraining((workbench, { id }, options) => follow(workbench, id, options)),
    },
    {
      usage: 'watch <folder-or-slurm-id>',
      about: 'watch a run that others started: the same curves and alarms, nothing else',
      details: `A folder with TensorBoard's event files, with logs (*.log, *.out) or of our own trainer, or the
id of a Slurm job. Its files are read; nothing is ever stopped, changed or deleted.`,
      options: [
        option('--machine <id>', 'where it is (default: this computer)'),
        option('--name <text>', 'its name'),
        JSON_OPTION,
      ],
      run: watch,
    },
    {
      usage: 'stop <training>',
      about: 'stop a training; it can be resumed',
      options: [JSON_OPTION],
      run: onTraining(async (workbench, { id, name }, options) => {
        printStatus(
          `Stopping "${name}". A training of ours ends its round first, for at most half a minute.`,
        );
        return shown(await ask(workbench, 'training.stop', { trainingId: id }), options);
      }),
    },
    {
      usage: 'resume <training>',
      about: 'resume a training from its last saved state',
      options: [FOLLOW_OPTION, JSON_OPTION],
      run: onTraining(resume),
    },
    {
      usage: 'remove <training>',
      about: 'move a training that has ended to the trash; restore brings it back',
      details: 'Its files, also on other machines, stay where they are until it is deleted.',
      run: onTraining(removeTraining),
    },
    {
      usage: 'restore <training>',
      about: 'bring a removed training back from the trash',
      run: restoreTraining,
    },
    {
      usage: 'delete <training>',
      about: 'delete a training in the trash for good',
      details:
        'Its checkpoints, and its files on another machine, stay where they are without --checkpoints.',
      options: [
        option(
          '--checkpoints',
          'its checkpoints too (of our own trainer: with its folder on another machine)',
        ),
        option('--yes', 'do it; otherwise it is only said what would be lost'),
      ],
      run: deleteTraining,
    },
    {
      usage: 'checkpoints <training>',
      about: 'list its checkpoints',
      options: [JSON_OPTION],
      run: onTraining(checkpoints),
    },
    {
      usage: 'fetch <training> <checkpoint>',
      about: 'copy a checkpoint from its machine to this computer',
      options: [JSON_OPTION],
      run: onTraining(fetchCheckpoint),
    },
    {
      usage: 'curves <training>',
      about: 'print its curves as CSV',
      options: [
        option('--points <n>', 'points of a curve, 10 to 100000 (default: all)'),
        option('--out <file>', 'write them to a file'),
        JSON_OPTION,
      ],
      run: onTraining(curves),
    },
    {
      usage: 'export <training>',
      about: 'write its curves for TensorBoard or Weights & Biases',
      details: `tensorboard: event files, a folder for each agent. wandb: an offline run, uploaded with
"wandb sync FOLDER/offline-run-...". The scale (pocket, own, paper) goes with the numbers. Same
numbers, same bytes.`,
      options: [
        option('--format <name>', 'csv, tensorboard or wandb'),
        option('--out <folder>', 'the folder, made where it is missing'),
        JSON_OPTION,
      ],
      run: onTraining(exportTraining),
    },
    {
      usage: 'rollouts <training>',
      about: 'print its latest samples',
      options: [option('--limit <n>', 'how many, 1 to 200 (default: 5)'), JSON_OPTION],
      run: onTraining(rollouts),
    },
    {
      usage: 'evaluation <training>',
      about: 'print what the trainer measured',
      options: [option('--csv', 'Pass@1 before and after the training, per problem, as CSV'), JSON_OPTION],
      run: onTraining(evaluation),
    },
    {
      usage: 'sweep <training>',
      about:
        'the trainings of its sweep by MARTI or a recipe over their seeds: mean, interval, spread, differences',
      details: `From the last and the best evaluation that their trainer logged. Those of our own trainers are experiments:
mars2 experiments show EXPERIMENT.`,
      options: [JSON_OPTION],
      run: onTraining(showSweep),
    },
    {
      usage: 'serve <training> <checkpoint>',
      about: 'serve a checkpoint as a model server',
      options: [JSON_OPTION],
      run: onTraining(serveCheckpoint),
    },
    {
      usage: 'evaluate <training:checkpoint...>',
      about: 'make a study of checkpoints; with --out also run it',
      options: [
        option('--benchmark <id>', 'the benchmark'),
        option('--team', 'search as one team too'),
        option('--problems <n>', 'the first n problems (default: all)'),
        option('--nodes <n>', 'nodes of one tree, 1 to 1000 (default: 60)'),
        option('--samples <n>', 'independent samples for Pass@1 (default: 8)'),
        option('--name <text>', 'name of the study'),
        option('--out <dir>', 'run it, and write its CSV files there'),
        VERBOSE_OPTION,
        JSON_OPTION,
      ],
      run: evaluateCheckpoints,
    },
    { usage: 'recipes', about: 'list the recipes of other trainers', options: [JSON_OPTION], run: recipes },
    {
      usage: 'settings',
      about: 'list the settings of a trainer',
      options: [
        option('--of <trainer>', 'pocket, model or marti (default: marti)'),
        option('--preset <name>', 'of marti: grpo, single, shared or multi (default: single)'),
      ],
      run: settings,
    },
  ],
};

async function settings(_workbench: Host, options: CliOptions): Promise<number> {
  const trainer = options.choice('of', ['pocket', 'model', 'marti']) ?? 'marti';
  const preset = options.choice('preset', ['grpo', 'single', 'shared', 'multi']) ?? 'single';
  process.stdout.write(trainer === 'marti' ? settingsText(preset) : fieldsText(trainer));
  return EXIT.done;
}

async function showOrigin(workbench: Host, view: TrainingView, options: CliOptions): Promise<number> {
  const word = options.words[1];
  const other = word === undefined ? null : await findTraining(workbench, word);
  if (other !== null && !other.ok) return printRefusal(other.error);
  return printProvenance(workbench, view, other === null ? null : other.value, options);
}

async function watch(workbench: Host, options: CliOptions): Promise<number> {
  const word = options.word(0, 'The folder or the Slurm id');
  const machineId = options.text('machine') ?? LOCAL_MACHINE;
  const isHere = machineId === LOCAL_MACHINE && !/^(~|\d+(_\d+)?$)/.test(word);
  const name = options.text('name');
  const source = isHere ? resolvePath(word) : word;
  const watched = await ask(workbench, 'training.watch', { machineId, source, ...definedOnly({ name }) });
  if (watched.ok) printStatus('Watched only: nothing of it is ever stopped, changed or deleted.');
  return shown(watched, options);
}

async function resume(workbench: Host, { id }: TrainingView, options: CliOptions): Promise<number> {
  const resumed = await ask(workbench, 'training.resume', { trainingId: id });
  if (!resumed.ok) return printRefusal(resumed.error);
  return options.flag('follow') ? follow(workbench, id, options) : show(resumed.value, options);
}

async function exportTraining(workbench: Host, { id }: TrainingView, options: CliOptions): Promise<number> {
  const format = options.choice('format', ['csv', 'tensorboard', 'wandb']);
  if (format === undefined) throw new UsageError('--format is missing: csv, tensorboard or wandb.');
  const path = resolvePath(options.required('out'));
  const written = await ask(workbench, 'training.export', { trainingId: id, format, path });
  if (!written.ok) return printRefusal(written.error);
  if (options.flag('json')) return printJson(written.value);
  for (const file of written.value.files) printStatus(`Written: ${file}`);
  return EXIT.done;
}

async function list(workbench: Host, options: CliOptions): Promise<number> {
  if (options.flag('removed')) return listRemovedTrainings(workbench, options);
  const all = await listTrainings(workbench);
  if (!all.ok) return printRefusal(all.error);
  if (options.flag('json')) return printJson(all.value);
  if (all.value.length === 0)
    printStatus('There are no trainings. Start one with: mars2 trainings start pocket');
  else process.stdout.write(`${trainingTable(all.value)}\n`);
  return EXIT.done;
}
