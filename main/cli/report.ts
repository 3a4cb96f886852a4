import {
  type Analysis,
  type Diversity,
  type MetricName,
  metricNameSchema,
  type Progress,
  type SeedSpread,
  type StudyWarning,
} from '../../preload/contract/index';
import {
  COMPLEMENT_SENTENCE,
  CONTROL_SENTENCE,
  fixedText,
  hasWidth,
  percentText,
  REQUIRED_SENTENCES,
  warningSubject,
  wastedRequests,
} from '../../preload/contract/plans/index';
import { counted, shortText } from '../base/index';

/** As the window names them. */
export const METRIC_TITLES: Readonly<Record<MetricName, string>> = {
  'pass@1': 'Pass@1',
  'pass@10': 'Pass@10',
  'pass@1(mcts)': 'Pass@1(MCTS)',
  'pass@n': 'Pass@N',
  'pass@n(public)': 'Pass@N public',
};

function minutes(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** "[#####.....] 1,234 of 5,000 candidates, 0:41, about 1:20 to go" within `width` columns. */
export function progressLine(progress: Progress, width: number): string {
  const share = progress.nodesTotal === 0 ? 0 : progress.nodesDone / progress.nodesTotal;
  const isTimed = progress.remainingMs !== null && progress.remainingMs >= 500;
  const left = !isTimed ? '' : `, about ${minutes(progress.remainingMs ?? 0)} to go`;
  const text = ` ${progress.nodesDone} of ${counted(progress.nodesTotal, 'candidate')}, ${progress.problemsDone} of ${counted(progress.problemsTotal, 'search', 'searches')}, ${minutes(progress.elapsedMs)}${left}`;
  return barLine(share, text, width);
}

/** "[#####.....]" and the text, within `width` columns; `bar`: characters of the bar. */
export function barLine(
  share01: number,
  text: string,
  width: number,
  bar = Math.max(10, Math.min(30, width - text.length - 3)),
): string {
  const full = Math.round(share01 * bar);
  return fittedLine(`[${'#'.repeat(full)}${'.'.repeat(bar - full)}]${text}`, width);
}

/** A line of progress within `width` columns of a terminal: it is cut between words. */
export function fittedLine(line: string, width: number): string {
  return shortText(line, Math.max(20, width - 1));
}

export function warningText({ configuration, text }: StudyWarning): string {
  return configuration === null ? `Warning: ${text}` : `Warning (${configuration}): ${text}`;
}

/**
 * What to say while a study runs: what wastes its requests or stops it, once each and without counts. `alreadyPrinted`: what it is
 * about, of which this notes the new ones. All other warnings are for its end, when their counts grow no more.
 */
export function urgentWarnings(warnings: readonly StudyWarning[], alreadyPrinted: Set<string>): string[] {
  return warnings.flatMap((warning) => {
    const about = warningSubject(warning);
    const wasted = wastedRequests(warning);
    if (alreadyPrinted.has(about) || !(isWait(warning) || wasted !== null)) return [];
    alreadyPrinted.add(about);
    if (wasted === null) return [warning.text];
    // The first sentence has the counts, the others say what to do.
    const { text } = warning;
    return [`${wasted} ${text.slice(text.indexOf('. ') + 2)} Ctrl+C pauses the study.`];
  });
}

/** The same for a log, which is read when the study has ended: only what may keep it from its end. */
export function waitWarnings(warnings: readonly StudyWarning[], alreadyPrinted: Set<string>): string[] {
  return urgentWarnings(warnings.filter(isWait), alreadyPrinted);
}

function isWait(warning: StudyWarning): boolean {
  return warningSubject(warning).startsWith('waits for ');
}

/** " SD 1.3", in percent; nothing with one seed. */
export function spreadText(
  spread: SeedSpread | undefined,
  number: (value: number) => string = percentText,
): string {
  return spread === undefined ? '' : ` SD ${number(spread.sd)}`;
}

/**
 * The comparison as people read it: percent, with the 95 % interval behind the value, then at most three lines of what can be
 * alreadyPrinted; `verbose`: all sentences, and how it was computed.
 */
export function tableText(analysis: Analysis, verbose: boolean): string {
  const measured = new Set(analysis.rows.flatMap((row) => row.cells.map((cell) => cell.metric)));
  const metrics = metricNameSchema.options.filter((metric) => measured.has(metric));
  const header = [
    'configuration',
    ...metrics.map((metric) => METRIC_TITLES[metric]),
    'problems',
    'N',
    'seeds',
    'scale',
  ];
  const rows = analysis.rows.map((row) => [
    row.configuration,
    ...metrics.map((metric) => {
      const cell = row.cells.find((candidate) => candidate.metric === metric);
      return cell === undefined
        ? '-'
        : `${percentText(cell.value)}${intervalText(cell)}${spreadText(cell.seedSpread)}`;
    }),
    String(Math.max(0, ...row.cells.map((cell) => cell.problems))),
    String(row.nodesPerTree),
    String(row.seeds.length),
    row.scale,
  ]);
  const hasSpread = analysis.rows.some(({ cells }) =>
    cells.some(({ seedSpread }) => seedSpread !== undefined),
  );
  const looks = analysis.looks === undefined ? '' : ` after looking ${analysis.looks} times`;
  return [
    `Percent of problems, [95 % interval${looks}]${hasSpread ? ', SD: standard deviation over the seeds' : ''}.`,
    '',
    ...columns(header, rows),
    '',
    ...(verbose ? [...analysis.sentences, analysis.method] : mainLines(analysis)),
    '',
  ].join('\n');
}

/** Behind a table as in the window: a reader decides by the chips and asks for their paragraphs. */
const MAX_LINES = 3;

/**
 * What comes before everything else (that a journal is damaged), that a team's lead is built in, the main finding, the first
 * caution that no table is without, the main limit, then more cautions: the first three, each in a line of the analysis' own. Analyses of older
 * versions have no lines: their sentences instead.
 */
function mainLines({ sentences, chips = [], secondMain = 1 }: Analysis): readonly string[] {
  const always = CAUTIONS.map((alreadyPrinted) => sentences.indexOf(alreadyPrinted));
  const finding = chips.findIndex(({ kind }) => kind !== 'limit');
  const [caution = -1, ...cautions] = always.filter((at) => at >= 0);
  const first = always.includes(0) ? -1 : 0;
  const builtIn = sentences.indexOf(COMPLEMENT_SENTENCE);
  const order = [first, builtIn, finding, caution, secondMain, ...cautions].filter((at) => at in sentences);
  const lines = chips.length === sentences.length ? chips.map(({ text }) => `${text}.`) : sentences;
  return [...new Set(order)].slice(0, MAX_LINES).map((at) => lines[at] ?? '');
}

/** The numbers of another study say least about this one. */
const CAUTIONS = REQUIRED_SENTENCES.toSorted(
  (a, b) => Number(a === CONTROL_SENTENCE) - Number(b === CONTROL_SENTENCE),
);

/** What `tableText` leaves out, and how to see it. */
export function omittedText(analysis: Analysis): string {
  const omitted = analysis.sentences.length - mainLines(analysis).length;
  const more = omitted === 0 ? '' : `${counted(omitted, 'more sentence')} and `;
  return `${more === '' ? 'How this was computed' : `${more}how this was computed`}: add --verbose.`;
}

/** " [0.1, 0.2]"; nothing where the interval has no width. */
export function intervalText(
  estimate: { readonly low: number; readonly high: number },
  number: (value: number) => string = percentText,
): string {
  return hasWidth(estimate) ? ` [${number(estimate.low)}, ${number(estimate.high)}]` : '';
}

/**
 * A row per configuration, a column per measure, with its interval, the spread over several seeds, and the number of problems
 * where it is not that of the row; what is damaged comes first.
 */
export function diversityText({ cells, method, damage }: Diversity): string {
  const number = (value: number): string => fixedText(value, 2);
  const name = ({ measure, k }: Diversity['cells'][number]): string =>
    k === null ? measure : measure.replace('k', String(k));
  const measures = [...new Set(cells.map(name))];
  const rows = [...new Set(cells.map(({ configuration }) => configuration))].map((configuration) => {
    const own = cells.filter((cell) => cell.configuration === configuration);
    const most = Math.max(...own.map(({ problems }) => problems));
    return [
      configuration,
      String(most),
      ...measures.map((measure) => {
        const cell = own.find((cell) => name(cell) === measure);
        if (cell === undefined) return '-';
        const fewer = cell.problems === most ? '' : ` (n = ${cell.problems})`;
        return `${number(cell.value)}${intervalText(cell, number)}${spreadText(cell.seedSpread, number)}${fewer}`;
      }),
    ];
  });
  const spreadNote = cells.some(({ seedSpread }) => seedSpread !== undefined)
    ? ['SD: standard deviation over the seeds.']
    : [];
  const table = columns(['configuration', 'problems', ...measures], rows);
  return [...damage, ...(damage.length > 0 ? [''] : []), ...table, '', ...spreadNote, method, ''].join('\n');
}

/** The first column to the left, numbers to the right; `names`: titles of columns that are words, whatever they begin with. */
export function columns(
  header: readonly string[],
  rows: ReadonlyArray<readonly string[]>,
  names: readonly string[] = [],
): string[] {
  const widths = header.map((title, i) =>
    Math.max(title.length, ...rows.map((row) => (row[i] ?? '').length)),
  );
  // Words begin at one place, numbers end at one.
  const isText = header.map(
    (title, i) =>
      i === 0 || names.includes(title) || rows.every((row) => /^-?$|^[^\d+\u2212.<-]/.test(row[i] ?? '')),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => (isText[i] ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
  return [line(header), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)];
}
