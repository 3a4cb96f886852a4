import { capitalised } from '../../base/index';
import { estimatesIn, type ReportRow, type ReportTable } from './report-table';

/** On what a table's rows were measured: in its caption where all rows agree, else in columns of their own. */
export type RowFacts = {
  /** e.g. "Pocket scale: 60 problems, 30 nodes per tree, seeds 1\u20135". */
  readonly caption: string;
  readonly columns: readonly { readonly label: string; readonly texts: readonly string[] }[];
};

type Fact = {
  readonly label: string;
  /** null: the row says nothing of it. */
  readonly of: (row: ReportRow) => string | null;
  readonly inCaption: (text: string) => string;
};

const PROBLEMS = 'Problems';
const FACTS: readonly Fact[] = [
  { label: 'Scale', of: ({ scale }) => scale, inCaption: (text) => text },
  {
    label: PROBLEMS,
    of: problemsOf,
    inCaption: (text) => `${text} problem${text === '1' ? '' : 's'}`,
  },
  {
    label: 'N',
    of: ({ nodes }) => (nodes === undefined || nodes === null ? null : String(nodes)),
    inCaption: (text) => `N = ${text} nodes a tree`,
  },
  {
    label: 'Seeds',
    of: seedsOf,
    inCaption: (text) =>
      text.includes(' of ')
        ? text.replace(' of ', ' of the seeds ')
        : `${/^\d+$/.test(text) ? 'seed' : 'seeds'} ${text}`,
  },
];

/** e.g. "60", or "58\u201360" where its values are over different problems. */
function problemsOf({ cells }: ReportRow): string | null {
  // A value that is not of problems, e.g. of training samples, has none.
  const counts = estimatesIn(cells).flatMap(({ ours }) => ours?.problems || []);
  if (counts.length === 0) return null;
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return least === most ? String(least) : `${least}\u2013${most}`;
}

/** Their numbers; "2 of 1\u20135" where not all of them are measured yet. */
function seedsOf({ seeds, cells }: ReportRow): string | null {
  if (seeds.length === 0) return null;
  const counts = estimatesIn(cells).flatMap(({ ours }) => ours?.seeds ?? []);
  const [least, most] = [Math.min(seeds.length, ...counts), Math.max(...counts)];
  if (counts.length === 0 || least === seeds.length) return seedsText(seeds);
  return `${least === most ? least : `${least}\u2013${most}`} of ${seedsText(seeds)}`;
}

/** e.g. "1\u20133, 7". */
function seedsText(seeds: readonly number[]): string {
  const sorted = [...seeds].sort((a, b) => a - b);
  const ranges: [first: number, last: number][] = [];
  for (const seed of sorted) {
    const range = ranges.at(-1);
    if (range !== undefined && seed === range[1] + 1) range[1] = seed;
    else ranges.push([seed, seed]);
  }
  return ranges
    .map(([first, last]) =>
      first === last ? `${first}` : `${first}${last - first > 1 ? '\u2013' : ', '}${last}`,
    )
    .join(', ');
}

export function rowFacts({
  rows,
  benchmark = '',
  searched,
}: Pick<ReportTable, 'rows' | 'benchmark' | 'searched'>): RowFacts {
  const ofBenchmark = benchmark === '' ? '' : ` of ${benchmark}`;
  const captionParts: string[] = [];
  const columns: { label: string; texts: string[] }[] = [];
  for (const { label, of, inCaption } of FACTS) {
    const texts = rows.map(of);
    const counted = [...new Set(texts.flatMap((text) => text ?? []))];
    const isSearched = label === PROBLEMS && counted.length === 0 && searched !== undefined;
    const known = isSearched ? [String(searched)] : counted;
    const [only] = known;
    if (known.length > 1) columns.push({ label, texts: texts.map((text) => text ?? '\u2013') });
    else if (only !== undefined) captionParts.push(inCaption(only));
    if (label !== PROBLEMS || benchmark === '') continue;
    if (known.length === 1) captionParts.push(`${captionParts.pop()}${ofBenchmark}`);
    else captionParts.push(`problems${ofBenchmark}`);
  }
  const isOneScale = rows.length > 0 && rows.every(({ scale }) => scale === rows[0]?.scale);
  const [scale = '', ...facts] = isOneScale ? captionParts : ['', ...captionParts];
  const head = scale === '' ? '' : `${capitalised(scale)} scale`;
  const rest = facts.join(', ');
  return { caption: [head, rest].filter((text) => text !== '').join(': '), columns };
}
