import { join, resolve } from 'node:path';
import { type ExperimentView, READY_EXPERIMENTS, type Refusal } from '../../preload/contract/index';
import { assertNever, type Result } from '../base/index';
import { type CliOptions, UsageError } from './cli-options';
import { experimentOrderOf } from './experiment-arguments';
import { duration, experimentLine, experimentText } from './experiment-report';
import { followed } from './followed';
import { foundById } from './found-by-id';
import { columns } from './report';
import { ask, EXIT, type Host, outFolderOf, say, sayRefusal } from './study-command';

/** experiment [list] | ready | start NAME | follow ID | result ID | export ID | pause ID | resume ID | remove ID */
export async function experiment(workbench: Host, options: CliOptions): Promise<number> {
  const what = options.words[0] ?? 'list';
  switch (what) {
    case 'list':
      return list(workbench, options);
    case 'ready':
      return ready(options);
    case 'start':
      return start(workbench, options);
    case 'follow':
      return withFound(workbench, options, ({ id }) => finish(workbench, id, options));
    case 'result':
      return withFound(workbench, options, ({ id }) => printResult(workbench, id, options));
    case 'export':
      return withFound(workbench, options, ({ id }) => exportCsv(workbench, id, options));
    case 'pause':
      return withFound(workbench, options, async ({ id }) => {
        const paused = await ask(workbench, 'experiment.pause', { experimentId: id });
        return paused.ok ? EXIT.done : sayRefusal(paused.error);
      });
    case 'resume':
      return withFound(workbench, options, async ({ id }) => {
        const resumed = await ask(workbench, 'experiment.resume', { experimentId: id });
        return resumed.ok ? finish(workbench, id, options) : sayRefusal(resumed.error);
      });
    case 'remove':
      return withFound(workbench, options, async ({ id }) => {
        const removed = await ask(workbench, 'experiment.remove', { experimentId: id });
        return removed.ok ? EXIT.done : sayRefusal(removed.error);
      });
    default:
      throw new UsageError(`There is no "experiment ${what}".`);
  }
}

function ready(options: CliOptions): number {
  if (options.flag('json')) process.stdout.write(`${JSON.stringify(READY_EXPERIMENTS, null, 2)}\n`);
  else {
    for (const { id, name, line, rows, seeds } of READY_EXPERIMENTS) {
      const size = `${rows.length} rows, ${seeds.length} seeds`;
      process.stdout.write(`${id}\n  ${name} (${size})\n  ${line}\n`);
    }
  }
  return EXIT.done;
}

async function list(workbench: Host, options: CliOptions): Promise<number> {
  const found = await ask(workbench, 'experiment.list', {});
  if (!found.ok) return sayRefusal(found.error);
  if (options.flag('json')) process.stdout.write(`${JSON.stringify(found.value, null, 2)}\n`);
  else if (found.value.length === 0) say('There are no experiments. Start one with: experiment start NAME');
  else {
    const rows = found.value.map((view) => [
      view.id.slice(0, 8),
      view.order.name,
      `${view.done} of ${view.total}`,
      view.secondsLeft === null ? '' : `about ${duration(view.secondsLeft)}`,
      stateWords(view),
    ]);
    const lines = columns(['experiment', 'name', 'done', 'left', 'state'], rows);
    process.stdout.write(`${lines.join('\n')}\n`);
  }
  return EXIT.done;
}

async function start(workbench: Host, options: CliOptions): Promise<number> {
  const order = experimentOrderOf(options);
  const out = await outFolderOf(options);
  if (!out.ok) return sayRefusal(out.error);
  const started = await ask(workbench, 'experiment.start', order);
  if (!started.ok) return sayRefusal(started.error);
  say(`Experiment ${started.value.id}: ${started.value.order.name}, ${started.value.total} trainings.`);
  return finish(workbench, started.value.id, options);
}

/** Follows it to its end, writes its CSV files where asked to, prints the result. */
async function finish(workbench: Host, experimentId: string, options: CliOptions): Promise<number> {
  const out = await outFolderOf(options);
  if (!out.ok) return sayRefusal(out.error);
  const view = await follow(workbench, experimentId);
  if (!view.ok) return sayRefusal(view.error);
  const { state } = view.value;
  switch (state.kind) {
    case 'running':
    case 'paused':
      say(`Paused. What is done is kept. Go on with: experiment resume ${experimentId}`);
      return EXIT.stopped;
    case 'failed':
      say(`Some trainings failed. ${state.message}`);
      say(`Try them again with: experiment resume ${experimentId}`);
      break;
    case 'done':
      break;
    default:
      return assertNever(state);
  }
  for (const what of out.value === null ? [] : (['cells', 'pairs'] as const)) {
    const path = join(out.value ?? '', `${what}.csv`);
    const written = await ask(workbench, 'experiment.export', { experimentId, what, path });
    if (!written.ok) return sayRefusal(written.error);
    say(`${written.value.rows} rows written to ${written.value.path}`);
  }
  const printed = await printResult(workbench, experimentId, options);
  return state.kind === 'failed' ? EXIT.failed : printed;
}

function follow(workbench: Host, experimentId: string): Promise<Result<ExperimentView, Refusal>> {
  return followed({
    look: () => found(workbench, experimentId),
    goesOn: ({ state }) => state.kind === 'running',
    line: experimentLine,
    pause: () => void ask(workbench, 'experiment.pause', { experimentId }),
  });
}

async function printResult(workbench: Host, experimentId: string, options: CliOptions): Promise<number> {
  const result = await ask(workbench, 'experiment.result', { experimentId });
  if (!result.ok) return sayRefusal(result.error);
  const isJson = options.flag('json');
  process.stdout.write(isJson ? `${JSON.stringify(result.value, null, 2)}\n` : experimentText(result.value));
  return EXIT.done;
}

async function exportCsv(workbench: Host, experimentId: string, options: CliOptions): Promise<number> {
  const what = options.choice('what', ['cells', 'pairs']) ?? 'cells';
  const path = resolve(options.needed('out'));
  const written = await ask(workbench, 'experiment.export', { experimentId, what, path });
  if (!written.ok) return sayRefusal(written.error);
  if (options.flag('json')) process.stdout.write(`${JSON.stringify(written.value)}\n`);
  else say(`${written.value.rows} rows written to ${written.value.path}`);
  return EXIT.done;
}

async function found(workbench: Host, id: string): Promise<Result<ExperimentView, Refusal>> {
  const all = await ask(workbench, 'experiment.list', {});
  return foundById(all, id, { noun: 'experiment', list: 'experiment list' });
}

async function withFound(
  workbench: Host,
  options: CliOptions,
  then: (view: ExperimentView) => Promise<number>,
): Promise<number> {
  const view = await found(workbench, options.word(1, 'The experiment'));
  return view.ok ? then(view.value) : sayRefusal(view.error);
}

function stateWords({ state }: ExperimentView): string {
  return state.kind === 'failed' ? `failed: ${state.message}` : state.kind;
}
