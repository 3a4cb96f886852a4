import {
  exhibitOfReproduction,
  type Payload,
  type Refusal,
  type ReproductionPlan,
  type ReproductionView,
} from '../../preload/contract/index';
import { assertNever, counted, findById, ok, type Result } from '../base/index';
import { chosenCells } from './chosen-cells';
import { type CliOptions, definedOnly } from './cli-options';
import { exhibitText } from './exhibit-report';
import { followProgress, planStateText } from './follow-progress';
import { type Action, type CommandGroup, type CommandSpec, JSON_OPTION, option } from './grammar';
import { ask, EXIT, type Host, outFolderOf, printJson, printRefusal, printStatus } from './host';
import { itemCommand } from './item-command';
import { FIGURES_OPTION, writeMain } from './main-report';
import { readPaperSettings } from './paper-settings';
import { decisionLine, planText, reproductionLine, reproductionsText, startText } from './reproduce-report';

const OUT_OPTION = option(
  '--out <dir>',
  'also write its table and its first figure there (everything: mars2 export)',
);

export const reproduceCommand: CommandSpec = {
  usage: 'reproduce <exhibit>',
  about: "measure a paper's table or figure: trainings, servers, searches, the table",
  details: `Trains, serves, searches and grades what the exhibit needs and does not have yet.
Ctrl+C pauses it. It continues by itself when a workbench is opened again.

Keys of the file of --places, all optional (docs/reproductions.md has examples):
  weights            {"MODEL": "FOLDER"}, by the exhibit's model ids
  checkpoints        [{"modelId", "method", "trainedWith": ["MODEL"], "path"}]
  environment        of vLLM: {"kind": "venv", "place": "FOLDER"}; also conda, module, path
  gpusPerServer      at least so many GPUs for each server (default: 1)
  trainer            "own" or "marti" (default: own)
  trainingBenchmark, learnerPython, updates                    of our trainer
  martiCheckout, martiPython, trainingData, trainingOutput     of MARTI`,
  options: [
    option('--scale <name>', 'pocket (this computer, minutes) or paper (GPUs) (default: pocket)'),
    option('--plan', 'show what it would do and cost, start nothing'),
    option('--verbose', 'with --plan: a line per step'),
    option('--seeds <list>', "seeds, e.g. 11,12 or 11-13 (default: the exhibit's)"),
    option('--problems <n>', 'the first n problems; fewer are not comparable'),
    option('--only <c,c>', 'only these cells (ROW.COLUMN) or lines'),
    option('--without-controls', 'leave out rows, columns and lines of ours, which the paper does not have'),
    option('--machine <m,m>', 'machines that may be used (default: all)'),
    option('--places <file>', 'paper scale: JSON with the paths of your lab, see below'),
    OUT_OPTION,
    FIGURES_OPTION,
    JSON_OPTION,
  ],
  run: async (workbench, options) => {
    const request = await requestOf(workbench, options);
    if (!request.ok) return printRefusal(request.error);
    return options.flag('plan')
      ? plan(workbench, request.value, options)
      : start(workbench, request.value, options);
  },
};

export const reproductionCommands: CommandGroup = {
  name: 'reproductions',
  about: 'exhibits that are being measured: progress, results, decisions',
  commands: [
    { usage: 'list', about: 'list reproductions', options: [JSON_OPTION], run: list },
    {
      usage: 'follow <reproduction>',
      about: 'show its progress until it ends, then its table',
      options: [OUT_OPTION, FIGURES_OPTION, JSON_OPTION],
      run: onReproduction((workbench, { id }, options) => finish(workbench, id, options)),
    },
    {
      usage: 'result <reproduction>',
      about: 'print its table',
      options: [JSON_OPTION],
      run: onReproduction((workbench, { id }, options) => printResult(workbench, id, options)),
    },
    {
      usage: 'decisions <reproduction>',
      about: 'print every decision with its reason',
      options: [JSON_OPTION],
      run: onReproduction((workbench, { id }, options) => decisions(workbench, id, options)),
    },
    {
      usage: 'pause <reproduction>',
      about: 'pause it',
      run: onReproduction(async (workbench, { id }) =>
        exitCode(await ask(workbench, 'reproduction.pause', { reproductionId: id })),
      ),
    },
    {
      usage: 'resume <reproduction>',
      about: 'resume it and show its progress until it ends; failed steps are tried again',
      options: [OUT_OPTION, FIGURES_OPTION, JSON_OPTION],
      run: onReproduction(async (workbench, { id }, options) => {
        const resumed = await ask(workbench, 'reproduction.resume', { reproductionId: id });
        return resumed.ok ? finish(workbench, id, options) : printRefusal(resumed.error);
      }),
    },
    {
      usage: 'retry <reproduction> <step>',
      about: 'try a failed step again',
      options: [OUT_OPTION, FIGURES_OPTION, JSON_OPTION],
      run: onReproduction(async (workbench, { id }, options) => {
        const retried = await ask(workbench, 'reproduction.retry', {
          reproductionId: id,
          stepId: options.word(1, 'The step'),
        });
        return retried.ok ? finish(workbench, id, options) : printRefusal(retried.error);
      }),
    },
    {
      usage: 'move <reproduction> <step>',
      about: 'move a step to another machine',
      options: [option('--machine <id>', 'the machine')],
      run: onReproduction(async (workbench, { id }, options) =>
        exitCode(
          await ask(workbench, 'reproduction.move', {
            reproductionId: id,
            stepId: options.word(1, 'The step'),
            machineId: options.required('machine'),
          }),
        ),
      ),
    },
    {
      usage: 'remove <reproduction>',
      about: 'remove it; trainings and studies stay',
      options: [option('--yes', 'do it; otherwise it is only said what would be removed')],
      run: onReproduction(remove),
    },
  ],
};

type ReproductionStart = Payload<'reproduction.start'>;

async function requestOf(workbench: Host, options: CliOptions): Promise<Result<ReproductionStart, Refusal>> {
  const exhibitId = options.word(0, 'The exhibit');
  const path = options.text('places');
  const only = await chosenCells(workbench, options, exhibitId);
  if (!only.ok) return only;
  const machineIds = options.text('machine')?.split(',');
  return ok({
    exhibitId,
    scale: options.choice('scale', ['pocket', 'paper']) ?? 'pocket',
    ...definedOnly({
      seeds: options.seeds(),
      problems: options.count('problems', 1, 10_000),
      only: only.value,
      machineIds,
    }),
    ...(path === undefined ? {} : { paper: await readPaperSettings(path) }),
  });
}

async function plan(workbench: Host, request: ReproductionStart, options: CliOptions): Promise<number> {
  const planned = await ask(workbench, 'reproduction.plan', request);
  if (!planned.ok) return printRefusal(planned.error);
  const isJson = options.flag('json');
  const text = isJson
    ? `${JSON.stringify(planned.value, null, 2)}\n`
    : planText(planned.value, options.flag('verbose'));
  process.stdout.write(text);
  return canStart(planned.value) ? EXIT.done : EXIT.missing;
}

function canStart({ missing }: ReproductionPlan): boolean {
  return missing.length === 0;
}

async function start(workbench: Host, request: ReproductionStart, options: CliOptions): Promise<number> {
  const out = await outFolderOf(options);
  if (!out.ok) return printRefusal(out.error);
  const planned = await ask(workbench, 'reproduction.plan', request);
  if (planned.ok) printStatus(startText(planned.value));
  const started = await ask(workbench, 'reproduction.start', request);
  if (!started.ok) return printRefusal(started.error);
  const { id, title, total, done } = started.value;
  printStatus(
    `Reproduction ${id}: ${title}, ${counted(total, 'step')}${done === 0 ? '' : `, ${done} of them reused`}.`,
  );
  return finish(workbench, id, options);
}

/** Follows it to its end, writes its tables and figures where asked to, prints the exhibit. */
async function finish(workbench: Host, id: string, options: CliOptions): Promise<number> {
  const out = await outFolderOf(options);
  if (!out.ok) return printRefusal(out.error);
  const view = await follow(workbench, id);
  if (!view.ok) return printRefusal(view.error);
  const { state } = view.value;
  switch (state.kind) {
    case 'running':
    case 'pausing':
    case 'paused':
      printStatus(`Paused. What is done is kept. Resume it with: mars2 reproductions resume ${id}`);
      return EXIT.stopped;
    case 'failed':
      printStatus(`Some steps failed. ${state.message}`);
      printStatus(`Try them again with: mars2 reproductions resume ${id}`);
      break;
    case 'done':
      break;
    default:
      return assertNever(state);
  }
  const printed = await printResult(workbench, id, options);
  if (out.value !== null) {
    const source = { kind: 'reproduction', reproductionId: id } as const;
    const written = await writeMain(workbench, source, out.value, options);
    if (written !== EXIT.done) return written;
  }
  return state.kind === 'failed' ? EXIT.failed : printed;
}

function follow(workbench: Host, id: string): Promise<Result<ReproductionView, Refusal>> {
  return followProgress({
    poll: () => findReproduction(workbench, id),
    isRunning: ({ state }) => state.kind === 'running' || state.kind === 'pausing',
    line: reproductionLine,
    again: `mars2 reproductions follow ${id}`,
    pause: () => void ask(workbench, 'reproduction.pause', { reproductionId: id }),
  });
}

async function printResult(workbench: Host, id: string, options: CliOptions): Promise<number> {
  const view = await findReproduction(workbench, id);
  if (!view.ok) return printRefusal(view.error);
  const { order: request } = view.value;
  const { exhibitId, scale } = request;
  const result = await ask(workbench, 'exhibit.result', { exhibitId, scale, reproductionId: view.value.id });
  if (!result.ok) return printRefusal(result.error);
  if (options.flag('json')) return printJson(result.value);
  const all = await ask(workbench, 'exhibit.list', {});
  const exhibit = all.ok
    ? all.value.exhibits.find((exhibit) => exhibit.exhibit.id === exhibitId)?.exhibit
    : undefined;
  const shown = exhibit === undefined ? null : exhibitOfReproduction(exhibit, view.value);
  process.stdout.write(exhibitText(shown, result.value));
  return EXIT.done;
}

async function remove(workbench: Host, view: ReproductionView, options: CliOptions): Promise<number> {
  const { id, title, done, total } = view;
  const kept = 'Its studies and trainings stay: a later reproduction can reuse them.';
  if (!options.flag('yes')) {
    printStatus(`Removes what was measured of "${title}", ${done} of ${counted(total, 'step')}. ${kept}`);
    printStatus(`To remove it: mars2 reproductions remove ${id} --yes`);
    return EXIT.done;
  }
  const removed = await ask(workbench, 'reproduction.remove', { reproductionId: id });
  if (!removed.ok) return printRefusal(removed.error);
  printStatus(`The reproduction of "${title}" is removed. ${kept}`);
  return EXIT.done;
}

async function decisions(workbench: Host, id: string, options: CliOptions): Promise<number> {
  const read = await ask(workbench, 'reproduction.decisions', { reproductionId: id });
  if (!read.ok) return printRefusal(read.error);
  const lineOf = options.flag('json') ? JSON.stringify : decisionLine;
  for (const decision of read.value) process.stdout.write(`${lineOf(decision)}\n`);
  return EXIT.done;
}

async function list(workbench: Host, options: CliOptions): Promise<number> {
  const read = await ask(workbench, 'reproduction.list', {});
  if (!read.ok) return printRefusal(read.error);
  if (options.flag('json')) printJson(read.value);
  else if (read.value.length === 0)
    printStatus('There are no reproductions. Start one with: mars2 reproduce EXHIBIT --out DIR');
  else {
    const studies = await ask(workbench, 'study.list', { checked: true });
    if (!studies.ok) return printRefusal(studies.error);
    const stateOf = ({ state }: ReproductionView): string => planStateText(workbench, state);
    process.stdout.write(reproductionsText(read.value, studies.value, stateOf));
  }
  return EXIT.done;
}

async function findReproduction(workbench: Host, id: string): Promise<Result<ReproductionView, Refusal>> {
  const all = await ask(workbench, 'reproduction.list', {});
  return findById(all, id, { noun: 'reproduction', list: 'mars2 reproductions list' });
}

function onReproduction(
  run: (workbench: Host, view: ReproductionView, options: CliOptions) => Promise<number>,
): Action {
  return itemCommand('The reproduction', findReproduction, run);
}

function exitCode(result: Result<unknown, Refusal>): number {
  return result.ok ? EXIT.done : printRefusal(result.error);
}
