import { resolve } from 'node:path';
import {
  type OpenedBundle,
  type Refusal,
  type ReportSource,
  reportFormatSchema,
} from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import { type CliOptions, given, UsageError } from './cli-options';
import { runsNamed } from './comparison-commands';
import { ask, EXIT, type Host, say, sayRefusal } from './study-command';
import { exportCsv } from './study-commands';
import { followingTask } from './task-progress';

const WIDTHS = ['one-column', 'two-columns'] as const;

/** One study, one reproduction, or any runs and studies together, each as ID or ID=LABEL. */
async function sourceNamed(
  workbench: Host,
  words: readonly string[],
): Promise<Result<ReportSource, Refusal>> {
  const [first] = words;
  if (first === undefined) throw new UsageError('The study, the reproduction or the runs are missing.');
  const studies = await ask(workbench, 'study.list', {});
  if (!studies.ok) return failed(studies.error);
  if (words.length === 1) {
    if (studies.value.some(({ study }) => study.id === first)) return ok({ kind: 'study', studyId: first });
    const reproductions = await ask(workbench, 'reproduction.list', {});
    if (!reproductions.ok) return failed(reproductions.error);
    if (reproductions.value.some(({ id }) => id === first)) {
      return ok({ kind: 'reproduction', reproductionId: first });
    }
  }
  return ok({ kind: 'runs', runs: words.flatMap((word) => runsNamed(word, studies.value)) });
}

/** With --format a report of any source; without it one of a study's CSV files, as before there were reports. */
export async function exportReport(workbench: Host, options: CliOptions): Promise<number> {
  const format = options.choice('format', reportFormatSchema.options);
  if (format === undefined && options.text('part') === undefined && !options.flag('list')) {
    return exportCsv(workbench, options);
  }
  const source = await sourceNamed(workbench, options.words);
  if (!source.ok) return sayRefusal(source.error);
  if (options.flag('list')) return listParts(workbench, source.value, options);
  if (format === undefined) throw new UsageError('--format is missing.');
  const part = options.text('part');
  const written = await ask(workbench, 'report.write', {
    order: {
      source: source.value,
      format,
      ...given({ part, width: options.choice('width', WIDTHS) }),
    },
    path: resolve(options.needed('out')),
  });
  if (!written.ok) return sayRefusal(written.error);
  const { files } = written.value;
  if (options.flag('json')) process.stdout.write(`${JSON.stringify(written.value)}\n`);
  else if (files.length <= 2) for (const { path } of files) say(`Written: ${path}`);
  else say(`${files.length} files written to ${resolve(options.needed('out'))}`);
  return EXIT.done;
}

async function listParts(workbench: Host, source: ReportSource, options: CliOptions): Promise<number> {
  const parts = await ask(workbench, 'report.parts', { source });
  if (!parts.ok) return sayRefusal(parts.error);
  if (options.flag('json')) process.stdout.write(`${JSON.stringify(parts.value)}\n`);
  else {
    const width = Math.max(0, ...parts.value.map(({ id }) => id.length));
    for (const { id, kind, title } of parts.value) {
      process.stdout.write(`${id.padEnd(width)}  ${kind.padEnd(6)}  ${title}\n`);
    }
  }
  return EXIT.done;
}

/** bundle write ID ... --out FILE | bundle open FILE */
export async function bundle(workbench: Host, options: CliOptions): Promise<number> {
  const [what, ...words] = options.words;
  switch (what) {
    case 'write': {
      const source = await sourceNamed(workbench, words);
      if (!source.ok) return sayRefusal(source.error);
      const order = { source: source.value, path: resolve(options.needed('out')) };
      const written = await followingTask(workbench, 'bundle-writing', () =>
        ask(workbench, 'bundle.write', order),
      );
      if (!written.ok) return sayRefusal(written.error);
      if (options.flag('json')) process.stdout.write(`${JSON.stringify(written.value)}\n`);
      else say(`${written.value.bytes} bytes written to ${written.value.path}`);
      return EXIT.done;
    }
    case 'open': {
      const path = resolve(options.word(1, 'The file'));
      const opened = await followingTask(workbench, 'bundle-opening', () =>
        ask(workbench, 'bundle.open', { path }),
      );
      if (!opened.ok) return sayRefusal(opened.error);
      if (options.flag('json')) process.stdout.write(`${JSON.stringify(opened.value)}\n`);
      else process.stdout.write(openedText(opened.value));
      return opened.value.differing.length === 0 ? EXIT.done : EXIT.failed;
    }
    default:
      throw new UsageError('bundle takes write or open.');
  }
}

function openedText({ name, studyIds, reproductionIds, tables, differing }: OpenedBundle): string {
  const lines = [`Opened ${name}, to be looked at.`];
  for (const id of studyIds) lines.push(`  study         ${id}`);
  for (const id of reproductionIds) lines.push(`  reproduction  ${id}`);
  lines.push(
    differing.length === 0
      ? `${tables} tables worked out again from its journals: the same to the byte.`
      : `Worked out again from its journals, of ${tables} tables these differ: ${differing.join(', ')}.`,
  );
  return `${lines.join('\n')}\n`;
}
