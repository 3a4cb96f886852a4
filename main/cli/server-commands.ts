import { readFile } from 'node:fs/promises';
import { type ServerView, serverLaunchSchema } from '../../preload/contract/index';
import { type CliOptions, UsageError } from './cli-options';
import { columns } from './report';
import { ask, EXIT, type Host, say, sayRefusal } from './study-command';
import { followingTask } from './task-progress';

/** servers [list] | launches | save FILE | plan FILE | launch LAUNCH | stop ID | restart ID | remove ID | speed ID */
export async function servers(workbench: Host, options: CliOptions): Promise<number> {
  const [what = 'list'] = options.words;
  const serverId = (): string => options.word(1, 'The server');
  switch (what) {
    case 'list': {
      const list = await ask(workbench, 'server.list', {});
      return list.ok ? printServers(list.value, options) : sayRefusal(list.error);
    }
    case 'launches': {
      const list = await ask(workbench, 'launch.list', {});
      if (!list.ok) return sayRefusal(list.error);
      process.stdout.write(`${JSON.stringify(list.value, null, 2)}\n`);
      return EXIT.done;
    }
    case 'save':
    case 'plan': {
      const launch = await launchFile(options.word(1, 'The file of the launch'));
      if (what === 'save') {
        const saved = await ask(workbench, 'launch.save', launch);
        if (!saved.ok) return sayRefusal(saved.error);
        say(`Saved as ${saved.value.id}. Start it with: servers launch ${saved.value.id}`);
        return EXIT.done;
      }
      const plan = await ask(workbench, 'server.plan', launch);
      if (!plan.ok) return sayRefusal(plan.error);
      if (options.flag('json')) process.stdout.write(`${JSON.stringify(plan.value, null, 2)}\n`);
      else process.stdout.write(`${plan.value.commandLine}\n`);
      say(plan.value.fit.words);
      for (const problem of plan.value.problems) say(problem);
      return plan.value.problems.length === 0 ? EXIT.done : EXIT.failed;
    }
    case 'launch':
      return launchAndWait(workbench, options);
    case 'stop':
    case 'restart':
    case 'remove': {
      const done = await ask(workbench, `server.${what}`, { serverId: serverId() });
      return done.ok ? EXIT.done : sayRefusal(done.error);
    }
    case 'speed': {
      const rows = await followingTask(workbench, 'speed-test', () =>
        ask(workbench, 'server.speedTest', {
          serverId: serverId(),
          concurrencies: (options.text('concurrency') ?? '1,4,16').split(',').map(Number),
          tokens: options.count('tokens', 1, 8_192) ?? 128,
        }),
      );
      if (!rows.ok) return sayRefusal(rows.error);
      if (options.flag('json')) process.stdout.write(`${JSON.stringify(rows.value, null, 2)}\n`);
      else {
        const lines = rows.value.map((row) => [
          String(row.concurrency),
          row.tokensPerSecond.toFixed(1),
          row.firstTokenMs === null ? '-' : row.firstTokenMs.median.toFixed(0),
          row.firstTokenMs === null ? '-' : row.firstTokenMs.p95.toFixed(0),
          String(row.failures),
        ]);
        const titles = ['at once', 'tokens/s', 'first token, ms', '95 %', 'failures'];
        process.stdout.write(`${columns(titles, lines).join('\n')}\n`);
      }
      return EXIT.done;
    }
    default:
      throw new UsageError(`There is no "servers ${what}".`);
  }
}

async function launchFile(path: string) {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new UsageError(
      `${path} can not be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const parsed = serverLaunchSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new UsageError(`${path} is no launch: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
}

/** Prints each stage as it is reached; ends when all are ready or one has failed. The servers go on. */
async function launchAndWait(workbench: Host, options: CliOptions): Promise<number> {
  const launched = await ask(workbench, 'server.launch', { launchId: options.word(1, 'The launch') });
  if (!launched.ok) return sayRefusal(launched.error);
  const { serverIds } = launched.value;
  const told = new Set<string>();
  for (;;) {
    const list = await ask(workbench, 'server.list', {});
    if (!list.ok) return sayRefusal(list.error);
    const mine = list.value.filter(({ id }) => serverIds.includes(id));
    for (const { id, stages } of mine) {
      for (const { name, at } of stages) {
        if (told.has(`${id} ${name} ${at}`)) continue;
        told.add(`${id} ${name} ${at}`);
        say(`${at}  ${mine.length > 1 ? `${id.slice(0, 8)}  ` : ''}${name}`);
      }
    }
    const failed = mine.filter(({ state }) => state.kind === 'failed' || state.kind === 'stopped');
    if (failed.length > 0 || mine.every(({ state }) => state.kind === 'ready')) {
      printServers(mine, options);
      for (const { trouble } of failed)
        if (trouble !== null) say([trouble.cause, trouble.todo, ...trouble.lines].join('\n'));
      return failed.length > 0 ? EXIT.failed : EXIT.done;
    }
    await new Promise((done) => setTimeout(done, 300));
  }
}

function printServers(list: readonly ServerView[], options: CliOptions): number {
  if (options.flag('json')) {
    process.stdout.write(`${JSON.stringify(list, null, 2)}\n`);
    return EXIT.done;
  }
  if (list.length === 0) say('There are no servers.');
  const rows = list.map(({ id, kind, machineId, model, state }) => [
    id.slice(0, 8),
    kind,
    machineId ?? '-',
    state.kind === 'ready' ? state.baseUrl : state.kind === 'starting' ? state.stage : state.kind,
    model,
  ]);
  if (rows.length > 0) {
    process.stdout.write(`${columns(['server', 'kind', 'machine', 'state', 'model'], rows).join('\n')}\n`);
  }
  return EXIT.done;
}
