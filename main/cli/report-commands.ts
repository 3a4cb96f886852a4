import { resolve } from 'node:path';
import {
  type BundleContents,
  exportKindSchema,
  type OpenedBundle,
  type Refusal,
  type ReportSource,
  reportFormatSchema,
} from '../../preload/contract/index';
import { counted, failed, ok, type Result } from '../base/index';
import { type CliOptions, definedOnly, UsageError } from './cli-options';
import { parseRuns } from './comparison-commands';
import { type CommandGroup, type CommandSpec, JSON_OPTION, option } from './grammar';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';
import { FIGURES_OPTION, requestedFigures } from './main-report';
import { exportCsv } from './study-commands';
import { withTaskProgress } from './task-progress';

const WIDTHS = ['one-column', 'two-columns'] as const;

export const exportCommand: CommandSpec = {
  usage: 'export <id...>',
  about: 'write tables and figures as CSV, LaTeX, Markdown, JSON, SVG, PDF, PNG',
  details: `ID: a study, a reproduction, an experiment, or several runs and studies, also as ID=LABEL.
FORMAT of tables: csv (a row per configuration), csv-long (a row per value), latex
(booktabs), markdown, json; of figures: svg, pdf, png, csv, json. In a folder: main,
the first table and the first figure with a value of ours; all, every part in every format. Without --part the
first that has this format. A manifest next to each file names runs, digests of
journals, methods, seeds and machines. Same inputs, same bytes. --what writes one
of a study's CSV files instead: table, nodes, curves, pairs (comparisons),
breakdowns, breakdown-pairs (comparisons in each part of the problems), marti (a folder with the two
score files that MARTI writes).`,
  options: [
    option('--format <name>', reportFormatSchema.options.join(', ')),
    option('--part <name>', 'one table or figure (see --list)'),
    option('--list', 'list its tables and figures'),
    option('--width <name>', 'figures: one-column (84 mm) or two-columns (178 mm)'),
    FIGURES_OPTION,
    option('--what <name>', exportKindSchema.options.join(', ')),
    option('--out <path>', 'the file, or the folder of --format main and all'),
    JSON_OPTION,
  ],
  run: exportReport,
};

export const bundleCommands: CommandGroup = {
  name: 'bundles',
  about: 'all of a study, reproduction or experiment in one file, for another lab',
  commands: [
    {
      usage: 'write <id...>',
      about: 'pack journals, records, tables and manifest',
      details: 'ID: a study, a reproduction, an experiment, or several runs and studies, also as ID=LABEL.',
      options: [
        option('--out <file>', 'the file'),
        option('--list', 'only say what it would hold'),
        JSON_OPTION,
      ],
      run: writeBundle,
    },
    {
      usage: 'open <file>',
      about: 'add its studies and plans read-only and compute its tables again',
      details: 'Exit code 1 when a table is not the same to the byte.',
      options: [JSON_OPTION],
      run: openBundle,
    },
  ],
};

/** One study, one reproduction, one experiment, or any runs and studies together, each as ID or ID=LABEL. */
async function parseSource(
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
    // Their lists show the first letters of an id.
    const beginsSo = ({ id }: { readonly id: string }): boolean => first.length >= 8 && id.startsWith(first);
    const reproduction = onlyOf(reproductions.value.filter(beginsSo));
    if (reproduction !== undefined) return ok({ kind: 'reproduction', reproductionId: reproduction.id });
    const experiments = await ask(workbench, 'experiment.list', {});
    if (!experiments.ok) return failed(experiments.error);
    const experiment = onlyOf(experiments.value.filter(beginsSo));
    if (experiment !== undefined) return ok({ kind: 'experiment', experimentId: experiment.id });
  }
  return ok({ kind: 'runs', runs: words.flatMap((word) => parseRuns(word, studies.value)) });
}

function onlyOf<T>(items: readonly T[]): T | undefined {
  return items.length === 1 ? items[0] : undefined;
}

/** With --format a report of any source; without it one of a study's CSV files. */
async function exportReport(workbench: Host, options: CliOptions): Promise<number> {
  const format = options.choice('format', reportFormatSchema.options);
  if (format === undefined && options.text('part') === undefined && !options.flag('list')) {
    return exportCsv(workbench, options);
  }
  const source = await parseSource(workbench, options.words);
  if (!source.ok) return printRefusal(source.error);
  if (options.flag('list')) return listParts(workbench, source.value, options);
  if (format === undefined) throw new UsageError('--format is missing.');
  const part = options.text('part');
  const written = await ask(workbench, 'report.write', {
    request: {
      source: source.value,
      format,
      ...definedOnly({ part, width: options.choice('width', WIDTHS), figures: requestedFigures(options) }),
    },
    path: resolve(options.required('out')),
  });
  if (!written.ok) return printRefusal(written.error);
  const { files } = written.value;
  if (options.flag('json')) process.stdout.write(`${JSON.stringify(written.value)}\n`);
  else if (files.length <= 2) for (const { path } of files) printStatus(`Written: ${path}`);
  else printStatus(`${files.length} files written to ${resolve(options.required('out'))}`);
  return EXIT.done;
}

async function listParts(workbench: Host, source: ReportSource, options: CliOptions): Promise<number> {
  const parts = await ask(workbench, 'report.parts', { source });
  if (!parts.ok) return printRefusal(parts.error);
  if (options.flag('json')) process.stdout.write(`${JSON.stringify(parts.value)}\n`);
  else {
    const width = Math.max(0, ...parts.value.map(({ id }) => id.length));
    for (const { id, kind, title } of parts.value) {
      process.stdout.write(`${id.padEnd(width)}  ${kind.padEnd(6)}  ${title}\n`);
    }
  }
  return EXIT.done;
}

async function writeBundle(workbench: Host, options: CliOptions): Promise<number> {
  const source = await parseSource(workbench, options.words);
  if (!source.ok) return printRefusal(source.error);
  const path = options.flag('list') ? null : resolve(options.required('out'));
  const contents = await ask(workbench, 'bundle.contents', { source: source.value });
  if (!contents.ok) return printRefusal(contents.error);
  if (path === null && options.flag('json')) return printJson(contents.value);
  printStatus(contentsText(contents.value));
  if (path === null) return EXIT.done;
  const request = { source: source.value, path };
  const written = await withTaskProgress(workbench, 'bundle-writing', () =>
    ask(workbench, 'bundle.write', request),
  );
  if (!written.ok) return printRefusal(written.error);
  if (options.flag('json')) process.stdout.write(`${JSON.stringify(written.value)}\n`);
  else printStatus(`${written.value.bytes} bytes written to ${written.value.path}`);
  return EXIT.done;
}

function contentsText({ lines, studies, leftOut }: BundleContents): string {
  const [first = '', ...others] = lines;
  const indented = (line: string): string => `  ${line}`;
  return [
    'The bundle holds:',
    indented(studies.length === 0 ? first : `${first}:`),
    ...studies.map((name) => `    ${name}`),
    ...others.map(indented),
    'Left out:',
    ...leftOut.map(indented),
  ].join('\n');
}

async function openBundle(workbench: Host, options: CliOptions): Promise<number> {
  const path = resolve(options.word(0, 'The file'));
  const opened = await withTaskProgress(workbench, 'bundle-opening', () =>
    ask(workbench, 'bundle.open', { path }),
  );
  if (!opened.ok) return printRefusal(opened.error);
  if (options.flag('json')) process.stdout.write(`${JSON.stringify(opened.value)}\n`);
  else process.stdout.write(openedText(opened.value));
  return opened.value.differing.length === 0 ? EXIT.done : EXIT.failed;
}

function openedText(opened: OpenedBundle): string {
  const { name, studyIds, reproductionIds, experimentIds = [], tables, differing } = opened;
  const lines = [`Opened ${name}, read-only.`];
  for (const id of studyIds) lines.push(`  study         ${id}`);
  for (const id of reproductionIds) lines.push(`  reproduction  ${id}`);
  for (const id of experimentIds) lines.push(`  experiment  ${id}`);
  lines.push(
    differing.length === 0
      ? `${counted(tables, 'table')} computed again from its journals: the same to the byte.`
      : `Computed again from its journals, of ${counted(tables, 'table')} these differ: ${differing.join(', ')}.`,
  );
  return `${lines.join('\n')}\n`;
}
