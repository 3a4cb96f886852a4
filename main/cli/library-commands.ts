import { resolve } from 'node:path';
import {
  type Benchmark,
  benchmarkFormatSchema,
  type Recording,
  type Refusal,
  recordingFormatSchema,
} from '../../preload/contract/index';
import type { Result } from '../base/index';
import { type CliOptions, given, UsageError } from './cli-options';
import { ask, EXIT, type Host, say, sayRefusal } from './study-command';
import { followingTask } from './task-progress';

export async function importFile(workbench: Host, options: CliOptions): Promise<number> {
  const [what, named] = options.words;
  if ((what !== 'benchmark' && what !== 'recording' && what !== 'hub') || named === undefined) {
    throw new UsageError(
      'Write: import benchmark FILE, import hub OWNER/NAME, or import recording FILE --benchmark ID',
    );
  }
  const path = resolve(named);
  const kept = given({
    id: options.text('id'),
    version: options.text('version'),
    licence: options.text('licence'),
    from: options.text('from'),
    to: options.text('to'),
    format: options.choice('format', benchmarkFormatSchema.options),
  });
  const imported = await followingTask(
    workbench,
    'import',
    (): Promise<Result<Benchmark | Recording, Refusal>> => {
      if (what === 'benchmark') return ask(workbench, 'import.benchmark', { path, ...kept });
      if (what === 'hub') {
        const files = options.all('file');
        return ask(workbench, 'import.hub', { name: named, ...(files.length > 0 ? { files } : {}), ...kept });
      }
      return ask(workbench, 'import.recording', {
        path,
        benchmarkId: options.needed('benchmark'),
        ...given({
          id: options.text('id'),
          format: options.choice('format', recordingFormatSchema.options),
        }),
      });
    },
  );
  if (!imported.ok) return sayRefusal(imported.error);
  if (options.flag('json')) process.stdout.write(`${JSON.stringify(imported.value, null, 2)}\n`);
  else {
    const { id, problems } = imported.value;
    say(`Imported ${what === 'recording' ? 'recording' : 'benchmark'} ${id}: ${problems} problems.`);
    if ('notes' in imported.value) for (const note of imported.value.notes) say(note);
  }
  return EXIT.done;
}

export async function mark(workbench: Host, options: CliOptions): Promise<number> {
  const benchmarkId = options.word(0, 'The benchmark');
  const problemId = options.word(1, 'The problem');
  const reason = options.text('reason');
  if (reason === undefined && !options.flag('clear'))
    throw new UsageError('--reason TEXT or --clear is missing.');
  const marked = await ask(workbench, 'benchmark.mark', {
    benchmarkId,
    problemId,
    mark: reason === undefined || options.flag('clear') ? null : { reason, exclude: options.flag('exclude') },
  });
  if (!marked.ok) return sayRefusal(marked.error);
  for (const one of marked.value.marks) {
    process.stdout.write(`${one.problemId}  ${one.exclude ? 'left out' : 'kept'}  ${one.reason}\n`);
  }
  return EXIT.done;
}

export async function list(workbench: Host, options: CliOptions): Promise<number> {
  const studies = await ask(workbench, 'study.list', {});
  const benchmarks = await ask(workbench, 'benchmark.list', {});
  const recordings = await ask(workbench, 'recording.list', {});
  if (!studies.ok) return sayRefusal(studies.error);
  if (!benchmarks.ok) return sayRefusal(benchmarks.error);
  if (!recordings.ok) return sayRefusal(recordings.error);
  if (options.flag('json')) {
    const all = { studies: studies.value, benchmarks: benchmarks.value, recordings: recordings.value };
    process.stdout.write(`${JSON.stringify(all, null, 2)}\n`);
    return EXIT.done;
  }
  const lines = [
    'Studies',
    ...studies.value.map(
      ({ study, state, progress, tags = [], note = '' }) =>
        `  ${study.id}  ${state.kind}  ${progress.problemsDone} of ${progress.problemsTotal} problems  ${[study.name, ...tags.map((tag) => `#${tag}`), note.split('\n')[0]].filter(Boolean).join('  ')}`,
    ),
    'Benchmarks',
    ...benchmarks.value.map(({ id, problems, name }) => `  ${id}  ${problems} problems  ${name}`),
    'Recordings',
    ...recordings.value.map(
      ({ id, samples, refinements, benchmarkId }) =>
        `  ${id}  ${samples} samples${refinements > 0 ? `, ${refinements} refinements` : ''} of ${benchmarkId}`,
    ),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return EXIT.done;
}
