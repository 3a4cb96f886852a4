import { resolve } from 'node:path';
import {
  type Benchmark,
  benchmarkFormatSchema,
  type Payload,
  type Recording,
  type Refusal,
  recordingFormatSchema,
  type Value,
} from '../../preload/contract/index';
import { counted, type Result } from '../base/index';
import { type CliOptions, definedOnly, UsageError } from './cli-options';
import { type Action, type CommandGroup, JSON_OPTION, option, repeated } from './grammar';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';
import { withTaskProgress } from './task-progress';

const IMPORT_OPTIONS = [
  option('--format <name>', `${benchmarkFormatSchema.options.join(', ')} (default: auto)`),
  option('--id <id>', 'its id in the library'),
  option('--version <text>', 'the version of the data set'),
  option('--licence <text>', 'its licence'),
  option('--from <day>', 'problems of contests from this day on'),
  option('--to <day>', 'problems of contests up to this day'),
  JSON_OPTION,
];

export const benchmarkCommands: CommandGroup = {
  name: 'benchmarks',
  about: 'problems with tests: import, mark',
  commands: [
    {
      usage: 'list',
      about: 'list benchmarks',
      options: [JSON_OPTION],
      run: listWith(
        'benchmark.list',
        ({ id, problems, name }) => `${id}  ${counted(problems, 'problem')}  ${name}`,
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
      usage: 'mark <benchmark> <problem>',
      about: 'note what is wrong with a problem',
      options: [
        option('--reason <text>', 'what is wrong'),
        option('--exclude', 'leave it out of studies'),
        option('--clear', 'remove the mark'),
      ],
      run: markProblem,
    },
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
        ({ id, samples, refinements, benchmarkId }) =>
          `${id}  ${counted(samples, 'sample')}${refinements > 0 ? `, ${counted(refinements, 'refinement')}` : ''} of ${benchmarkId}`,
        'There are no recordings. Import one with: mars2 recordings import FILE --benchmark ID',
      ),
    },
    {
      usage: 'import <file>',
      about: 'import recorded answers to a benchmark',
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
  ],
};

function importSettings(options: CliOptions) {
  return definedOnly({
    id: options.text('id'),
    version: options.text('version'),
    licence: options.text('licence'),
    from: options.text('from'),
    to: options.text('to'),
    format: options.choice('format', benchmarkFormatSchema.options),
  });
}

/** An act that imports what its options name, and prints what came of it. */
function importWith<N extends 'import.benchmark' | 'import.hub' | 'import.recording'>(
  command: N,
  requestOf: (options: CliOptions) => Payload<N>,
): Action {
  return async (workbench, options) => {
    const request = requestOf(options);
    const imported: Result<Benchmark | Recording, Refusal> = await withTaskProgress(workbench, 'import', () =>
      ask(workbench, command, request),
    );
    if (!imported.ok) return printRefusal(imported.error);
    if (options.flag('json')) printJson(imported.value);
    else {
      const { id, problems } = imported.value;
      const noun = command === 'import.recording' ? 'recording' : 'benchmark';
      printStatus(`Imported ${noun} ${id}: ${counted(problems, 'problem')}.`);
      if ('notes' in imported.value) for (const note of imported.value.notes) printStatus(note);
    }
    return EXIT.done;
  };
}

async function markProblem(workbench: Host, options: CliOptions): Promise<number> {
  const benchmarkId = options.word(0, 'The benchmark');
  const problemId = options.word(1, 'The problem');
  const reason = options.text('reason');
  if (reason === undefined && !options.flag('clear')) throw new UsageError('Give --reason TEXT or --clear.');
  const marked = await ask(workbench, 'benchmark.mark', {
    benchmarkId,
    problemId,
    mark: reason === undefined || options.flag('clear') ? null : { reason, exclude: options.flag('exclude') },
  });
  if (!marked.ok) return printRefusal(marked.error);
  for (const mark of marked.value.marks) {
    process.stdout.write(`${mark.problemId}  ${mark.exclude ? 'excluded' : 'included'}  ${mark.reason}\n`);
  }
  return EXIT.done;
}

/** An act that lists what a command answers with, a line each. */
function listWith<N extends 'benchmark.list' | 'recording.list'>(
  command: N,
  lineOf: (item: Value<N>[number]) => string,
  none: string,
): Action {
  return async (workbench, options) => {
    const listed = await ask(workbench, command, {} as Payload<N>);
    if (!listed.ok) return printRefusal(listed.error);
    const items: readonly Value<N>[number][] = listed.value;
    if (options.flag('json')) printJson(items);
    else {
      for (const item of items) process.stdout.write(`${lineOf(item)}\n`);
      if (items.length === 0) printStatus(none);
    }
    return EXIT.done;
  };
}
