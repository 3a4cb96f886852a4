import type { Exhibit, ExhibitMeasure, MetricName, Scale } from '../../../preload/contract/index';
import { COMPLEMENT_SENTENCE, COMPLEMENT_SHORT, FEW_SEEDS_NOTE } from '../../../preload/contract/plans/index';
import { capitalised } from '../../base/index';
import type { TableNote } from './printed-notes';
import type { ReportFigure } from './report-figure';
import { estimatesIn, type ReportCell, type ReportTable } from './report-table';
import { rowFacts } from './row-facts';

/** What each metric counts, for a reader who has nothing but the file (docs/metrics.md). */
const MEANINGS: Readonly<Record<MetricName, string>> = {
  'pass@1':
    'share of independent first attempts that pass the private tests, a mean over agents and problems',
  'pass@10': 'chance that one of 10 independent first attempts passes the private tests',
  'pass@1(mcts)':
    'share of the problems whose answer, which the tree search (MCTS) chooses by the public tests, passes the private tests',
  'pass@n':
    'share of the problems for which some program of the search tree (N nodes) passes the private tests',
  'pass@n(public)': 'share of the problems for which some program of the search tree passes all public tests',
};

/** The same beside a table in print. */
const SHORT: Readonly<Record<MetricName, string>> = {
  'pass@1': 'first attempts that pass',
  'pass@10': 'problems of which one of 10 first attempts passes',
  'pass@1(mcts)': 'problems whose chosen answer passes',
  'pass@n': 'problems with a program in the tree that passes',
  'pass@n(public)': 'problems with a program that passes the public tests',
};

export function metricMeaning(metric: MetricName): string {
  return MEANINGS[metric];
}

export function measureMeaning(measure: ExhibitMeasure): string {
  if (measure.kind === 'metric') return MEANINGS[measure.metric];
  return measure.measure === 'distinct'
    ? 'share of different programs among the programs of the search trees'
    : DIVERSITY;
}

const DIVERSITY =
  'measure of the diversity of the programs of the search trees (docs/metrics.md, "Diversity")';

/** How the problems and the budget of a paper are known. */
export const INFERRED =
  'problems, dates and N as we infer them from our sources and the releases of the benchmark';

/** On what and how the paper measured, as far as the exhibit has it; "": it says nothing of that. */
export function paperBasis({ scales: { paper } }: Pick<Exhibit, 'scales'>): string {
  if (paper === null) return '';
  const { name, problems, from, to } = paper.benchmark;
  const days =
    from === null && to === null ? '' : ` of ${from ?? 'the first day'} to ${to ?? 'the last day'}`;
  return `${problems} problems of ${name}${days}, N = ${paper.search.nodes} (${INFERRED}); number of seeds and intervals not known`;
}

/** What a pocket policy is (docs/pocket.md, "Policies"): `weightCount` of the smallest family and of the largest. */
const POCKET_POLICY =
  'A pocket policy is a log-linear model with 27,000 to 36,000 weights, which writes a program one operation after the other; the workbench pre-trains its base on generated problems of the train split';

const LIMITS: Readonly<Record<Scale, string>> = {
  pocket: `pocket scale: small policies on generated problems (short list programs); nothing is said about large models. ${POCKET_POLICY}`,
  recorded: 'recorded scale: recorded answers of a model were replayed',
  desk: "desk scale: small language models; nothing is said about a paper's models",
  own: "own scale: other models, or other problems, than a paper's",
  paper: '',
};

/** What values of this scale say nothing about; "": they are of the paper's own. */
export function limitsOf(scale: Scale | null): string {
  return scale === null ? '' : LIMITS[scale];
}

/** The same in sentences, the first one where none of `said` begins with it. */
export function limitNotes(scale: Scale | null, sentences: readonly string[]): string[] {
  const limits = limitsOf(scale);
  const [head = ''] = limits.split(':');
  const isSaid = sentences.some((note) => note.toLowerCase().startsWith(head));
  const [first = '', more = ''] = limits.split(/\. (.*)/s);
  return [...(isSaid ? [] : [first]), more].flatMap((one) => (one === '' ? [] : `${capitalised(one)}.`));
}

/** What the columns measure, each once. */
export function meaningNotes({ columns }: Pick<ReportTable, 'columns'>): TableNote[] {
  return namedMeanings(
    columns.flatMap(({ label, meaning, printed }) =>
      printed && meaning !== undefined ? [[label, meaning] as const] : [],
    ),
  );
}

/** What these names stand for, each meaning once; none: no note. */
export function meaningsNote(meanings: Meanings): string[] {
  return namedMeanings(meanings).map(({ full }) => full);
}

type Meanings = readonly (readonly [name: string, meaning: string])[];

function namedMeanings(meanings: Meanings): TableNote[] {
  const names = new Map<string, Set<string>>();
  for (const [name, meaning] of meanings) names.set(meaning, (names.get(meaning) ?? new Set()).add(name));
  if (names.size === 0) return [];
  const textOf = (words: (meaning: string) => string): string =>
    [...names].map(([meaning, of]) => `${[...of].join(', ')}: ${words(meaning)}`).join('. ');
  const full = textOf((meaning) => meaning);
  const hasTests = full.includes(' tests');
  return [
    {
      full: `${full}.${hasTests ? ' The search sees the public tests alone.' : ''}`,
      print: `${textOf(shortMeaning)}.${hasTests ? ' Passes: private tests, unseen by the search.' : ''}`,
    },
  ];
}

function shortMeaning(meaning: string): string {
  if (meaning === DIVERSITY) return 'diversity of the programs (docs/metrics.md)';
  const metric = (Object.keys(SHORT) as MetricName[]).find((name) => MEANINGS[name] === meaning);
  return metric === undefined ? meaning : SHORT[metric];
}

/** Of tables and figures of several seeds. */
export const SEED_MEANING =
  'A seed is one run of the searches (or samples) and, where policies are trained for each seed, one training';

/** Over what intervals are, of one seed or of several. */
export function resampledOver(isSeveral: boolean): string {
  return isSeveral ? `problems and seeds; ${FEW_SEEDS_NOTE}` : 'problems';
}

/** Over what the 95 % intervals of a table are; "": it has none. */
export function intervalsOf({ rows }: Pick<ReportTable, 'rows'>): string {
  const seeds = rows.flatMap(({ cells }) => estimatesIn(cells)).flatMap(({ ours }) => ours?.seeds ?? []);
  if (seeds.length === 0) return '';
  return `95 %, bootstrap over ${resampledOver(Math.max(...seeds) > 1)}`;
}

/** What "SD" is beside plain numbers. */
export function spreadNotes({ rows }: Pick<ReportTable, 'rows'>): TableNote[] {
  const print = "SD: standard deviation of the seeds' own numbers";
  return rows.some(({ cells }) => cells.some((cell) => cell.kind === 'number' && cell.seedSpread))
    ? [
        {
          full: `${print}; of a sum, of each seed's own part of it; of a quotient of sums, of each seed's own quotient, whose mean may be another number. ${SEED_MEANING}.`,
          print: `${print}.`,
        },
      ]
    : [];
}

/** The same in a file, which has it in each row: of several seeds with what a value is. */
export function intervalsInFile(table: Pick<ReportTable, 'rows'>): string {
  const isSeveral = estimatesIn(table.rows.flatMap(({ cells }) => cells)).some(
    ({ ours }) => ours?.seedSpread !== undefined,
  );
  return `${intervalsOf(table)}${isSeveral ? `; value: mean over the seeds. ${SEED_MEANING}` : ''}`;
}

/** What the rows of a table were measured on, in one sentence, for a figure of the same; "": nothing is known. */
export function basisOf(table: ReportTable): string {
  const { caption, columns } = rowFacts(table);
  const others = columns.map(({ label, texts }) => `${label} ${alternatives([...new Set(texts)])}`);
  return [caption, ...others].filter((part) => part !== '').join(', ');
}

/** e.g. "60 or 100"; of more numbers than anybody reads the least and the greatest. */
function alternatives(texts: readonly string[]): string {
  const numbers = texts.flatMap((text) =>
    /^\d+(\u2013\d+)?$/.test(text) ? text.split('\u2013').map(Number) : Number.NaN,
  );
  if (texts.length < 4 || numbers.some(Number.isNaN)) return texts.join(' or ');
  return `${Math.min(...numbers)}\u2013${Math.max(...numbers)}`;
}

/** What limits a figure above all, from the sentences beside its table: a figure is shown without that table. */
export function figureLimits(sentences: readonly string[]): string[] {
  const seeds = sentences.flatMap(
    (one) => /^(One seed|Some values have one seed|All seeds have the same policies)\b/.exec(one)?.[1] ?? [],
  )[0];
  return [
    ...(sentences.includes(COMPLEMENT_SENTENCE) ? [`${COMPLEMENT_SHORT}.`] : []),
    ...(seeds === undefined ? [] : [`${seeds}: the chance of training is not shown.`]),
  ];
}

type FigureFacts = Pick<ReportFigure, 'basis' | 'legend' | 'scale'>;

/** All that is said of a figure: beside its data and in the manifest; a picture has the most important of it. */
export function figureSentences({ basis, legend, scale }: FigureFacts): string[] {
  const limits = limitsOf(scale);
  const [, said = ''] = limits.split(/: (.*)/s);
  return [
    basis === undefined ? '' : `${basis}.`,
    ...legend,
    said === '' ? '' : `${capitalised(said)}.`,
  ].filter((part) => part !== '');
}

export function figureText(figure: FigureFacts): string {
  return figureSentences(figure).join(' ');
}

/** A reason that applies to every value of the table becomes one note instead of a mark everywhere. */
export function commonReasons(
  estimates: readonly Extract<ReportCell, { kind: 'estimate' }>[],
): ReadonlySet<string> {
  const [first, ...others] = estimates;
  const shared = (first?.notComparable ?? []).filter((reason) =>
    others.every(({ notComparable }) => notComparable.includes(reason)),
  );
  return new Set(others.length === 0 ? [] : shared);
}
