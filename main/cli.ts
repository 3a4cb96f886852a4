import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { dataFolder } from './data-folder';
import { configurationOf, wholeNumber } from './terminal/arguments';
import { COMMAND_HELP, HELP } from './terminal/help';
import { servePocket } from './terminal/serve-pocket';
import { ask, EXIT, finishStudy, say, sayRefusal } from './terminal/study-command';
import { openWorkbench, type Workbench } from './workbench';

const project = join(import.meta.dirname, '..', '..');

type Options = {
  readonly [name in
    | 'out'
    | 'problems'
    | 'nodes'
    | 'batch'
    | 'seed'
    | 'seeds'
    | 'samples'
    | 'benchmark'
    | 'strategy'
    | 'name'
    | 'id'
    | 'what'
    | 'family'
    | 'port'
    | 'latency-ms'
    | 'data']?: string;
} & { readonly configuration?: string[]; readonly json?: boolean; readonly help?: boolean };

/** The user typed something that can not be meant; ends the command with exit code 2. */
class Usage extends Error {}

function count(
  options: Options,
  name: keyof Options & string,
  least: number,
  most: number,
): number | undefined {
  const value = options[name];
  const read = wholeNumber(typeof value === 'string' ? value : undefined, name, least, most);
  if (!read.ok) throw new Usage(read.error.message);
  return read.value;
}

function needed(options: Options, name: 'out' | 'benchmark' | 'what' | 'family'): string {
  const value = options[name];
  if (value === undefined || value === '') throw new Usage(`--${name} is missing.`);
  return value;
}

/** Leaves out what was not given, so that the contract's own defaults hold. */
function given<T extends Record<string, unknown>>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

async function quickstart(workbench: Workbench, options: Options): Promise<number> {
  const out = needed(options, 'out');
  const started = await ask(workbench, 'quickstart.start', {
    ...given({
      seed: count(options, 'seed', 0, 2_147_483_647),
      problems: count(options, 'problems', 1, 200),
      nodes: count(options, 'nodes', 1, 1_000),
      batch: count(options, 'batch', 1, 16),
      latencyMs: count(options, 'latency-ms', 0, 60_000),
    }),
  });
  if (!started.ok) return sayRefusal(started.error);
  return finishStudy(workbench, started.value.studyId, { out, json: options.json === true });
}

async function run(workbench: Workbench, options: Options): Promise<number> {
  const out = needed(options, 'out');
  const benchmarkId = needed(options, 'benchmark');
  const strategy = options.strategy ?? 'ab-mcts-a';
  if (strategy !== 'repeated' && strategy !== 'ab-mcts-a') {
    throw new Usage(`--strategy is repeated or ab-mcts-a, not "${strategy}".`);
  }
  const configurations = (options.configuration ?? []).map((text) => {
    const read = configurationOf(text);
    if (!read.ok) throw new Usage(read.error.message);
    return read.value;
  });
  if (configurations.length === 0) throw new Usage('--configuration NAME=AGENT is missing.');
  const seeds = (options.seeds ?? options.seed ?? '1').split(',').map((text) => {
    const read = wholeNumber(text, 'seeds', 0, 2_147_483_647);
    if (!read.ok || read.value === undefined) throw new Usage('--seeds takes whole numbers, e.g. 1,2,3.');
    return read.value;
  });
  const created = await ask(workbench, 'study.create', {
    name:
      options.name ??
      `${configurations.map(({ configuration }) => configuration).join(' / ')} on ${benchmarkId}`,
    benchmarkId,
    configurations,
    seeds,
    search: {
      strategy:
        strategy === 'repeated'
          ? { kind: 'repeated' }
          : { kind: 'ab-mcts-a', beliefs: 'beta', selection: 'thompson' },
      nodes: count(options, 'nodes', 1, 100_000) ?? 60,
      batch: count(options, 'batch', 1, 64) ?? 1,
      score: 'fraction',
      tie: 'latest',
      samplesPerAgent: count(options, 'samples', 0, 1_000) ?? (strategy === 'repeated' ? 0 : 8),
    },
    ...given({ problems: count(options, 'problems', 1, 1_000_000) }),
  });
  if (!created.ok) return sayRefusal(created.error);
  return resumeStudy(workbench, created.value.studyId, out, options);
}

async function resumeStudy(
  workbench: Workbench,
  studyId: string,
  out: string,
  options: Options,
): Promise<number> {
  const started = await ask(workbench, 'study.start', { studyId });
  if (!started.ok) return sayRefusal(started.error);
  return finishStudy(workbench, studyId, { out, json: options.json === true });
}

async function resume(workbench: Workbench, options: Options, words: readonly string[]): Promise<number> {
  const out = needed(options, 'out');
  const list = await ask(workbench, 'study.list', {});
  if (!list.ok) return sayRefusal(list.error);
  const newest = list.value.findLast(({ state }) => state.kind !== 'finished');
  const studyId = words[0] ?? newest?.study.id;
  if (studyId === undefined) {
    say('No study is unfinished. See: list');
    return EXIT.failed;
  }
  return resumeStudy(workbench, studyId, out, options);
}

async function exportCsv(workbench: Workbench, options: Options, words: readonly string[]): Promise<number> {
  const [studyId] = words;
  if (studyId === undefined) throw new Usage('The study is missing: export STUDY --what table --out FILE');
  const what = options.what ?? 'table';
  if (what !== 'table' && what !== 'nodes' && what !== 'curves') {
    throw new Usage(`--what is table, nodes or curves, not "${what}".`);
  }
  const written = await ask(workbench, 'export.write', { studyId, what, path: needed(options, 'out') });
  if (!written.ok) return sayRefusal(written.error);
  if (options.json) process.stdout.write(`${JSON.stringify(written.value)}\n`);
  else say(`${written.value.rows} rows written to ${written.value.path}`);
  return EXIT.done;
}

async function importFile(workbench: Workbench, options: Options, words: readonly string[]): Promise<number> {
  const [what, path] = words;
  if ((what !== 'benchmark' && what !== 'recording') || path === undefined) {
    throw new Usage('Write: import benchmark FILE, or import recording FILE --benchmark ID');
  }
  const id = given({ id: options.id });
  const imported =
    what === 'benchmark'
      ? await ask(workbench, 'import.benchmark', { path, format: 'humaneval', ...id })
      : await ask(workbench, 'import.recording', { path, benchmarkId: needed(options, 'benchmark'), ...id });
  if (!imported.ok) return sayRefusal(imported.error);
  if (options.json) process.stdout.write(`${JSON.stringify(imported.value, null, 2)}\n`);
  else say(`Imported ${what} ${imported.value.id}: ${imported.value.problems} problems.`);
  return EXIT.done;
}

async function list(workbench: Workbench, options: Options): Promise<number> {
  const studies = await ask(workbench, 'study.list', {});
  const benchmarks = await ask(workbench, 'benchmark.list', {});
  const recordings = await ask(workbench, 'recording.list', {});
  if (!studies.ok) return sayRefusal(studies.error);
  if (!benchmarks.ok) return sayRefusal(benchmarks.error);
  if (!recordings.ok) return sayRefusal(recordings.error);
  if (options.json) {
    const all = { studies: studies.value, benchmarks: benchmarks.value, recordings: recordings.value };
    process.stdout.write(`${JSON.stringify(all, null, 2)}\n`);
    return EXIT.done;
  }
  const lines = [
    'Studies',
    ...studies.value.map(
      ({ study, state, progress }) =>
        `  ${study.id}  ${state.kind}  ${progress.problemsDone} of ${progress.problemsTotal} problems  ${study.name}`,
    ),
    'Benchmarks',
    ...benchmarks.value.map(({ id, problems, name }) => `  ${id}  ${problems} problems  ${name}`),
    'Recordings',
    ...recordings.value.map(
      ({ id, samples, benchmarkId }) => `  ${id}  ${samples} samples of ${benchmarkId}`,
    ),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return EXIT.done;
}

const commands = { quickstart, run, resume, export: exportCsv, import: importFile, list } as const;

async function main(): Promise<number> {
  const [name, ...rest] = process.argv.slice(2);
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(HELP);
    return name === undefined ? EXIT.usage : EXIT.done;
  }
  const help = COMMAND_HELP[name];
  if (help === undefined) {
    say(`There is no command "${name}".\n\n${HELP}`);
    return EXIT.usage;
  }
  try {
    const text = { type: 'string' } as const;
    const { values, positionals } = parseArgs({
      args: rest,
      allowPositionals: true,
      options: {
        out: text,
        problems: text,
        nodes: text,
        batch: text,
        seed: text,
        seeds: text,
        samples: text,
        benchmark: text,
        strategy: text,
        name: text,
        id: text,
        what: text,
        family: text,
        port: text,
        'latency-ms': text,
        data: text,
        configuration: { type: 'string', multiple: true },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help) {
      process.stdout.write(help);
      return EXIT.done;
    }
    const dataDir = dataFolder(values.data, {
      platform: process.platform,
      env: process.env,
      home: homedir(),
    });
    if (name === 'serve-pocket') {
      return await servePocket({
        project,
        dataDir,
        family: needed(values, 'family'),
        port: count(values, 'port', 0, 65_535) ?? 0,
        latencyMs: count(values, 'latency-ms', 0, 60_000) ?? 0,
        seed: count(values, 'seed', 0, 2_147_483_647) ?? 1,
      });
    }
    const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
      version: string;
    };
    const opened = await openWorkbench({
      dataDir,
      project,
      appVersion: version,
      nodeRuntime: { command: process.execPath, env: {} },
    });
    if (!opened.ok) return sayRefusal(opened.error);
    if (opened.value.damage !== null) say(opened.value.damage);
    try {
      return await commands[name as keyof typeof commands](opened.value, values, positionals);
    } finally {
      await opened.value.close();
    }
  } catch (error) {
    const typed = error instanceof Usage || (error instanceof TypeError && 'code' in error);
    if (!typed) throw error;
    say(`${error.message}\n\n${help}`);
    return EXIT.usage;
  }
}

process.exitCode = await main();
