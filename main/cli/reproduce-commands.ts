import { readFile } from 'node:fs/promises';
import {
  type Payload,
  paperPlacesSchema,
  type Refusal,
  type ReproductionPlan,
  type ReproductionView,
} from '../../preload/contract/index';
import { assertNever, type Result } from '../base/index';
import { type CliOptions, given, UsageError } from './cli-options';
import { exhibitText } from './exhibit-report';
import { followed } from './followed';
import { foundById } from './found-by-id';
import { columns } from './report';
import { decisionLine, planText, reproductionLine } from './reproduce-report';
import { ask, EXIT, type Host, outFolderOf, say, sayRefusal } from './study-command';

/**
 * reproduce [list] | NAME | plan NAME | follow ID | result ID | decisions ID | pause ID | resume ID | retry ID STEP |
 * move ID STEP --machine M | remove ID
 */
export async function reproduce(workbench: Host, options: CliOptions): Promise<number> {
  const what = options.words[0] ?? 'list';
  switch (what) {
    case 'list':
      return list(workbench, options);
    case 'follow':
      return withFound(workbench, options, ({ id }) => finish(workbench, id, options));
    case 'result':
      return withFound(workbench, options, ({ id }) => printResult(workbench, id, options));
    case 'decisions':
      return withFound(workbench, options, ({ id }) => decisions(workbench, id, options));
    case 'pause':
      return withFound(workbench, options, async ({ id }) =>
        ended(await ask(workbench, 'reproduction.pause', { reproductionId: id })),
      );
    case 'resume':
      return withFound(workbench, options, async ({ id }) => {
        const resumed = await ask(workbench, 'reproduction.resume', { reproductionId: id });
        return resumed.ok ? finish(workbench, id, options) : sayRefusal(resumed.error);
      });
    case 'retry':
      return withFound(workbench, options, async ({ id }) => {
        const order = { reproductionId: id, stepId: options.word(2, 'The step') };
        const retried = await ask(workbench, 'reproduction.retry', order);
        return retried.ok ? finish(workbench, id, options) : sayRefusal(retried.error);
      });
    case 'move':
      return withFound(workbench, options, async ({ id }) =>
        ended(
          await ask(workbench, 'reproduction.move', {
            reproductionId: id,
            stepId: options.word(2, 'The step'),
            machineId: options.needed('machine'),
          }),
        ),
      );
    case 'remove':
      return withFound(workbench, options, async ({ id }) =>
        ended(await ask(workbench, 'reproduction.remove', { reproductionId: id })),
      );
    case 'plan':
      return plan(workbench, await orderOf(options, 1), options);
    default:
      return options.flag('plan')
        ? plan(workbench, await orderOf(options, 0), options)
        : start(workbench, await orderOf(options, 0), options);
  }
}

type Order = Payload<'reproduction.start'>;

async function orderOf(options: CliOptions, at: number): Promise<Order> {
  const places = options.text('places');
  const only = options.text('only')?.split(',');
  const machineIds = options.text('machine')?.split(',');
  return {
    exhibitId: options.word(at, 'The exhibit'),
    scale: options.choice('scale', ['pocket', 'paper']) ?? 'pocket',
    ...given({
      seeds: options.counts('seeds', 0, 2_147_483_647),
      problems: options.count('problems', 1, 10_000),
      only,
      machineIds,
    }),
    ...(places === undefined ? {} : { paper: await placesIn(places) }),
  };
}

async function placesIn(path: string): Promise<NonNullable<Order['paper']>> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new UsageError(`The file ${path} can not be read.`);
  });
  let json: unknown = null;
  try {
    json = JSON.parse(text);
  } catch {
    throw new UsageError(`The file ${path} holds no JSON.`);
  }
  const places = paperPlacesSchema.safeParse(json);
  if (places.success) return places.data;
  const issue = places.error.issues[0];
  throw new UsageError(
    `The file ${path} says where weights are: ${issue?.path.join('.')}: ${issue?.message}`,
  );
}

async function plan(workbench: Host, order: Order, options: CliOptions): Promise<number> {
  const planned = await ask(workbench, 'reproduction.plan', order);
  if (!planned.ok) return sayRefusal(planned.error);
  const isJson = options.flag('json');
  process.stdout.write(isJson ? `${JSON.stringify(planned.value, null, 2)}\n` : planText(planned.value));
  return canStart(planned.value) ? EXIT.done : EXIT.missing;
}

function canStart({ missing }: ReproductionPlan): boolean {
  return missing.length === 0;
}

async function start(workbench: Host, order: Order, options: CliOptions): Promise<number> {
  const out = await outFolderOf(options);
  if (!out.ok) return sayRefusal(out.error);
  const started = await ask(workbench, 'reproduction.start', order);
  if (!started.ok) return sayRefusal(started.error);
  const { id, title, total, done } = started.value;
  say(`Reproduction ${id}: ${title}, ${total} steps${done === 0 ? '' : `, ${done} of them reused`}.`);
  return finish(workbench, id, options);
}

/** Follows it to its end, writes its tables and figures where asked to, prints the exhibit. */
async function finish(workbench: Host, id: string, options: CliOptions): Promise<number> {
  const out = await outFolderOf(options);
  if (!out.ok) return sayRefusal(out.error);
  const view = await follow(workbench, id);
  if (!view.ok) return sayRefusal(view.error);
  const { state } = view.value;
  switch (state.kind) {
    case 'running':
    case 'pausing':
    case 'paused':
      say(`Paused. What is done is kept. Go on with: reproduce resume ${id}`);
      return EXIT.stopped;
    case 'failed':
      say(`Some steps failed. ${state.message}`);
      say(`Try them again with: reproduce resume ${id}`);
      break;
    case 'done':
      break;
    default:
      return assertNever(state);
  }
  const printed = await printResult(workbench, id, options);
  if (out.value !== null) {
    const order = { source: { kind: 'reproduction', reproductionId: id }, format: 'all' } as const;
    const written = await ask(workbench, 'report.write', { order, path: out.value });
    if (!written.ok) return sayRefusal(written.error);
    say(`${written.value.files.length} files written to ${out.value}`);
  }
  return state.kind === 'failed' ? EXIT.failed : printed;
}

function follow(workbench: Host, id: string): Promise<Result<ReproductionView, Refusal>> {
  return followed({
    look: () => found(workbench, id),
    goesOn: ({ state }) => state.kind === 'running' || state.kind === 'pausing',
    line: reproductionLine,
    pause: () => void ask(workbench, 'reproduction.pause', { reproductionId: id }),
  });
}

async function printResult(workbench: Host, id: string, options: CliOptions): Promise<number> {
  const view = await found(workbench, id);
  if (!view.ok) return sayRefusal(view.error);
  const { order } = view.value;
  const { exhibitId, scale } = order;
  const result = await ask(workbench, 'exhibit.result', { exhibitId, scale, reproductionId: view.value.id });
  if (!result.ok) return sayRefusal(result.error);
  if (options.flag('json')) {
    process.stdout.write(`${JSON.stringify(result.value, null, 2)}\n`);
    return EXIT.done;
  }
  const all = await ask(workbench, 'exhibit.list', {});
  const exhibit = all.ok
    ? all.value.exhibits.find((one) => one.exhibit.id === exhibitId)?.exhibit
    : undefined;
  process.stdout.write(exhibitText(exhibit ?? null, result.value));
  return EXIT.done;
}

async function decisions(workbench: Host, id: string, options: CliOptions): Promise<number> {
  const read = await ask(workbench, 'reproduction.decisions', { reproductionId: id });
  if (!read.ok) return sayRefusal(read.error);
  const lines = options.flag('json')
    ? read.value.map((one) => JSON.stringify(one))
    : read.value.map(decisionLine);
  for (const line of lines) process.stdout.write(`${line}\n`);
  return EXIT.done;
}

async function list(workbench: Host, options: CliOptions): Promise<number> {
  const read = await ask(workbench, 'reproduction.list', {});
  if (!read.ok) return sayRefusal(read.error);
  if (options.flag('json')) process.stdout.write(`${JSON.stringify(read.value, null, 2)}\n`);
  else if (read.value.length === 0)
    say('There are no reproductions. Start one with: reproduce NAME --out DIR');
  else {
    const rows = read.value.map((view) => [
      view.id.slice(0, 8),
      view.order.exhibitId,
      view.scale,
      `${view.done} of ${view.total}`,
      view.state.kind === 'failed' ? `failed: ${view.state.message}` : view.state.kind,
    ]);
    const lines = columns(['reproduction', 'exhibit', 'scale', 'steps', 'state'], rows);
    process.stdout.write(`${lines.join('\n')}\n`);
  }
  return EXIT.done;
}

async function found(workbench: Host, id: string): Promise<Result<ReproductionView, Refusal>> {
  const all = await ask(workbench, 'reproduction.list', {});
  return foundById(all, id, { noun: 'reproduction', list: 'reproduce list' });
}

async function withFound(
  workbench: Host,
  options: CliOptions,
  then: (view: ReproductionView) => Promise<number>,
): Promise<number> {
  const view = await found(workbench, options.word(1, 'The reproduction'));
  return view.ok ? then(view.value) : sayRefusal(view.error);
}

function ended(result: Result<unknown, Refusal>): number {
  return result.ok ? EXIT.done : sayRefusal(result.error);
}
