import { join, resolve } from 'node:path';
import {
  EXPERIMENT_PRESETS,
  type ExperimentRequest,
  type ExperimentView,
  type Refusal,
} from '../../preload/contract/index';
import { assertNever, counted, findById, type Result } from '../base/index';
import type { CliOptions } from './cli-options';
import { experimentRequestOf } from './experiment-arguments';
import { duration, experimentLine, experimentText } from './experiment-report';
import { followProgress, planStateText } from './follow-progress';
import { type Action, type CommandGroup, JSON_OPTION, option } from './grammar';
import { ask, EXIT, type Host, outFolderOf, printJson, printRefusal, printStatus } from './host';
import { itemCommand } from './item-command';
import { columns } from './report';

const OUT_OPTION = option('--out <dir>', 'also write cells.csv and pairs.csv there');

export const experimentCommands: CommandGroup = {
  name: 'experiments',
  about: 'train methods side by side over several seeds, and compare them',
  commands: [
    { usage: 'list', about: 'list experiments', options: [JSON_OPTION], run: list },
    {
      usage: 'presets',
      about: 'list the built-in experiments',
      options: [JSON_OPTION],
      run: async (_workbench, options) => printPresets(options),
    },
    {
      usage: 'start <preset>',
      about: 'train every row with every seed, and compare the results',
      details: `As many trainings run at once as this computer has cores. Prints the comparison:
intervals over seeds and problems, paired tests. Ctrl+C pauses it.
With --training the rows are trained with language models, on that training's machine; those with
GPUs start together, on Slurm as a job array. To compare values of settings instead of a preset:
mars2 trainings start pocket --sweep FIELD=VALUE,VALUE`,
      options: [
        option(
          '--training <file>',
          'language models instead of pocket policies: a training as for "trainings start file"',
        ),
        option('--seeds <list>', "seeds, e.g. 11,12 or 11-13 (default: the preset's)"),
        option('--updates <n>', 'updates of each training'),
        option('--split <name>', 'evaluation: validation or test'),
        option('--problems <n>', 'evaluation: problems'),
        option('--nodes <n>', 'evaluation: nodes of a tree'),
        option('--samples <n>', 'evaluation: samples of a problem'),
        option('--name <text>', 'its name'),
        OUT_OPTION,
        JSON_OPTION,
      ],
      run: start,
    },
    {
      usage: 'follow <experiment>',
      about: 'show its progress until it ends, then its result',
      options: [OUT_OPTION, JSON_OPTION],
      run: onExperiment((workbench, { id }, options) => finish(workbench, id, options)),
    },
    {
      usage: 'result <experiment>',
      about: 'print its comparison',
      options: [JSON_OPTION],
      run: onExperiment((workbench, { id }, options) => printResult(workbench, id, options)),
    },
    {
      usage: 'resume <experiment>',
      about: 'resume it and show its progress until it ends; failed trainings are tried again',
      options: [OUT_OPTION, JSON_OPTION],
      run: onExperiment(async (workbench, { id }, options) => {
        const resumed = await ask(workbench, 'experiment.resume', { experimentId: id });
        return resumed.ok ? finish(workbench, id, options) : printRefusal(resumed.error);
      }),
    },
    {
      usage: 'export <experiment>',
      about: 'write its cells or pairs as CSV (LaTeX, figures and more: mars2 export EXPERIMENT)',
      options: [
        option('--what <part>', 'cells or pairs (default: cells)'),
        option('--out <file>', 'the file'),
        JSON_OPTION,
      ],
      run: onExperiment((workbench, { id }, options) => exportCsv(workbench, id, options)),
    },
    {
      usage: 'pause <experiment>',
      about: 'pause it',
      run: onExperiment(async (workbench, { id }) => {
        const paused = await ask(workbench, 'experiment.pause', { experimentId: id });
        return paused.ok ? EXIT.done : printRefusal(paused.error);
      }),
    },
    {
      usage: 'remove <experiment>',
      about: 'delete it with its trainings and their checkpoints',
      options: [option('--yes', 'do it; otherwise it is only said what would be lost')],
      run: onExperiment(removeExperiment),
    },
  ],
};

async function removeExperiment(
  workbench: Host,
  { id, order, trainings }: ExperimentView,
  options: CliOptions,
): Promise<number> {
  const startedCount = trainings.filter(({ trainingId }) => trainingId !== null).length;
  const what = `"${order.name}" with its ${counted(startedCount, 'training')} and checkpoints`;
  if (!options.flag('yes')) {
    printStatus(`${what} would be deleted for good.`);
    printStatus(`To delete them: mars2 experiments remove ${id.slice(0, 8)} --yes`);
    return EXIT.done;
  }
  const removed = await ask(workbench, 'experiment.remove', { experimentId: id });
  if (!removed.ok) return printRefusal(removed.error);
  printStatus(`Deleted ${what}.`);
  return EXIT.done;
}

function printPresets(options: CliOptions): number {
  if (options.flag('json')) printJson(EXPERIMENT_PRESETS);
  else {
    for (const { id, name, line, rows, seeds } of EXPERIMENT_PRESETS) {
      const size = `${counted(rows.length, 'row')}, ${counted(seeds.length, 'seed')}`;
      process.stdout.write(`${id}\n  ${name} (${size})\n  ${line}\n`);
    }
  }
  return EXIT.done;
}

async function list(workbench: Host, options: CliOptions): Promise<number> {
  const listed = await ask(workbench, 'experiment.list', {});
  if (!listed.ok) return printRefusal(listed.error);
  if (options.flag('json')) printJson(listed.value);
  else if (listed.value.length === 0)
    printStatus('There are no experiments. Start one with: mars2 experiments start PRESET');
  else {
    const rows = listed.value.map((view) => [
      view.id.slice(0, 8),
      view.order.name,
      `${view.done} of ${view.total}`,
      view.secondsLeft === null ? '' : `about ${duration(view.secondsLeft)}`,
      planStateText(workbench, view.state),
    ]);
    const lines = columns(['experiment', 'name', 'done', 'left', 'state'], rows);
    process.stdout.write(`${lines.join('\n')}\n`);
  }
  return EXIT.done;
}

async function start(workbench: Host, options: CliOptions): Promise<number> {
  const request = await experimentRequestOf(options);
  const out = await outFolderOf(options);
  if (!out.ok) return printRefusal(out.error);
  return startExperiment(workbench, request, options);
}

/** Starts it and follows it to its end. */
export async function startExperiment(
  workbench: Host,
  request: ExperimentRequest,
  options: CliOptions,
): Promise<number> {
  const started = await ask(workbench, 'experiment.start', request);
  if (!started.ok) return printRefusal(started.error);
  printStatus(
    `Experiment ${started.value.id}: ${started.value.order.name}, ${counted(started.value.total, 'training')}.`,
  );
  return finish(workbench, started.value.id, options);
}

/** Follows it to its end, writes its CSV files where asked to, prints the result. */
async function finish(workbench: Host, experimentId: string, options: CliOptions): Promise<number> {
  const out = await outFolderOf(options);
  if (!out.ok) return printRefusal(out.error);
  const view = await follow(workbench, experimentId);
  if (!view.ok) return printRefusal(view.error);
  const { state } = view.value;
  switch (state.kind) {
    case 'running':
    case 'paused':
      printStatus(`Paused. What is done is kept. Resume it with: mars2 experiments resume ${experimentId}`);
      return EXIT.stopped;
    case 'failed':
      printStatus(`Some trainings failed. ${state.message}`);
      printStatus(`Try them again with: mars2 experiments resume ${experimentId}`);
      break;
    case 'done':
      break;
    default:
      return assertNever(state);
  }
  for (const kind of out.value === null ? [] : (['cells', 'pairs'] as const)) {
    const path = join(out.value ?? '', `${kind}.csv`);
    const written = await ask(workbench, 'experiment.export', { experimentId, kind, path });
    if (!written.ok) return printRefusal(written.error);
    printStatus(`${counted(written.value.rows, 'row')} written to ${written.value.path}`);
  }
  const printed = await printResult(workbench, experimentId, options);
  return state.kind === 'failed' ? EXIT.failed : printed;
}

function follow(workbench: Host, experimentId: string): Promise<Result<ExperimentView, Refusal>> {
  return followProgress({
    poll: () => findExperiment(workbench, experimentId),
    isRunning: ({ state }) => state.kind === 'running',
    line: experimentLine,
    again: `mars2 experiments follow ${experimentId}`,
    pause: () => void ask(workbench, 'experiment.pause', { experimentId }),
  });
}

async function printResult(workbench: Host, experimentId: string, options: CliOptions): Promise<number> {
  const result = await ask(workbench, 'experiment.result', { experimentId });
  if (!result.ok) return printRefusal(result.error);
  const isJson = options.flag('json');
  process.stdout.write(isJson ? `${JSON.stringify(result.value, null, 2)}\n` : experimentText(result.value));
  return EXIT.done;
}

async function exportCsv(workbench: Host, experimentId: string, options: CliOptions): Promise<number> {
  const kind = options.choice('what', ['cells', 'pairs']) ?? 'cells';
  const path = resolve(options.required('out'));
  const written = await ask(workbench, 'experiment.export', { experimentId, kind, path });
  if (!written.ok) return printRefusal(written.error);
  if (options.flag('json')) process.stdout.write(`${JSON.stringify(written.value)}\n`);
  else printStatus(`${counted(written.value.rows, 'row')} written to ${written.value.path}`);
  return EXIT.done;
}

async function findExperiment(workbench: Host, id: string): Promise<Result<ExperimentView, Refusal>> {
  const all = await ask(workbench, 'experiment.list', {});
  return findById(all, id, {
    ...{ noun: 'experiment', list: 'mars2 experiments list' },
    nameOf: ({ order }) => order.name,
  });
}

function onExperiment(
  run: (workbench: Host, view: ExperimentView, options: CliOptions) => Promise<number>,
): Action {
  return itemCommand('The experiment', findExperiment, run);
}
