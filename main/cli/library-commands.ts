import { resolve } from 'node:path';
import {
  type Benchmark,
  benchmarkFormatSchema,
  type Recording,
  type Refusal,
  recordingFormatSchema,
} from '../../preload/contract/index';
import type { Result } from '../base/index';
import { type CliOptions, definedOnly, UsageError } from './cli-options';
import { type CommandGroup, JSON_OPTION, option, repeated } from './grammar';
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
    { usage: 'list', about: 'list benchmarks', options: [JSON_OPTION], run: listBenchmarks },
    {
      usage: 'import <path>',
      about: 'import a benchmark from a file or folder (also gzipped, also Parquet)',
      options: IMPORT_OPTIONS,
      run: importBenchmark,
    },
    {
      usage: 'download <owner/name>',
      about: 'import a data set of the Hugging Face hub',
      options: [repeated('--file <name>', 'only this file of it; repeat it'), ...IMPORT_OPTIONS],
      run: downloadBenchmark,
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
    { usage: 'list', about: 'list recordings', options: [JSON_OPTION], run: listRecordings },
    {
      usage: 'import <file>',
      about: 'import recorded answers to a benchmark',
      options: [
        option('--benchmark <id>', 'the benchmark that they answer'),
        option('--format <name>', `${recordingFormatSchema.options.join(', ')}`),
        option('--id <id>', 'its id in the library'),
        JSON_OPTION,
      ],
      run: importRecording,
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

async function importBenchmark(workbench: Host, options: CliOptions): Promise<number> {
  const request = { path: resolve(options.word(0, 'The file')), ...importSettings(options) };
  const imported = await withTaskProgress(workbench, 'import', () =>
    ask(workbench, 'import.benchmark', request),
  );
  return printImported('benchmark', imported, options);
}

async function downloadBenchmark(workbench: Host, options: CliOptions): Promise<number> {
  const files = options.all('file');
  const request = {
    name: options.word(0, 'The data set'),
    ...(files.length > 0 ? { files } : {}),
    ...importSettings(options),
  };
  const imported = await withTaskProgress(workbench, 'import', () => ask(workbench, 'import.hub', request));
  return printImported('benchmark', imported, options);
}

async function importRecording(workbench: Host, options: CliOptions): Promise<number> {
  const request = {
    path: resolve(options.word(0, 'The file')),
    benchmarkId: options.required('benchmark'),
    ...definedOnly({
      id: options.text('id'),
      format: options.choice('format', recordingFormatSchema.options),
    }),
  };
  const imported = await withTaskProgress(workbench, 'import', () =>
    ask(workbench, 'import.recording', request),
  );
  return printImported('recording', imported, options);
}

function printImported(
  noun: 'benchmark' | 'recording',
  imported: Result<Benchmark | Recording, Refusal>,
  options: CliOptions,
): number {
  if (!imported.ok) return printRefusal(imported.error);
  if (options.flag('json')) printJson(imported.value);
  else {
    const { id, problems } = imported.value;
    printStatus(`Imported ${noun} ${id}: ${problems} problems.`);
    if ('notes' in imported.value) for (const note of imported.value.notes) printStatus(note);
  }
  return EXIT.done;
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

async function listBenchmarks(workbench: Host, options: CliOptions): Promise<number> {
  const benchmarks = await ask(workbench, 'benchmark.list', {});
  if (!benchmarks.ok) return printRefusal(benchmarks.error);
  if (options.flag('json')) printJson(benchmarks.value);
  else {
    for (const { id, problems, name } of benchmarks.value)
      process.stdout.write(`${id}  ${problems} problems  ${name}\n`);
    if (benchmarks.value.length === 0)
      printStatus('There are no benchmarks. Import one with: mars2 benchmarks import FILE');
  }
  return EXIT.done;
}

async function listRecordings(workbench: Host, options: CliOptions): Promise<number> {
  const recordings = await ask(workbench, 'recording.list', {});
  if (!recordings.ok) return printRefusal(recordings.error);
  if (options.flag('json')) printJson(recordings.value);
  else {
    for (const { id, samples, refinements, benchmarkId } of recordings.value) {
      const more = refinements > 0 ? `, ${refinements} refinements` : '';
      process.stdout.write(`${id}  ${samples} samples${more} of ${benchmarkId}\n`);
    }
    if (recordings.value.length === 0)
      printStatus('There are no recordings. Import one with: mars2 recordings import FILE --benchmark ID');
  }
  return EXIT.done;
}
