import type {
  ExhibitMeasure,
  ExhibitResult,
  FilledCell,
  MetricName,
  SearchOptions,
} from '../../../preload/contract/index';
import {
  answerText,
  exhibitAtScale,
  fixedText,
  PLAIN_POCKET_TRAINING,
  percentText,
  REQUIRED_SENTENCES,
} from '../../../preload/contract/plans/index';
import type { ExhibitSource } from './exhibit-tables';
import { printNumber } from './printed-number';
import { type ReportRow, WHOLE } from './report-table';

/** How much each policy of a pocket exhibit is trained, and on what; nothing is, or the scale is another: no note. */
export function trainingNote({ exhibit, result }: ExhibitSource): readonly string[] {
  const { pocket } = exhibit.scales;
  if (result.scale !== 'pocket' || pocket === null) return [];
  if (exhibit.configurations.every(({ method }) => method === 'base')) return [];
  const plain = PLAIN_POCKET_TRAINING;
  const { updates = plain.updates, batch = plain.batch, problems = plain.problems } = pocket.training;
  return [
    `Every training runs ${updates} updates of ${batch} samples (programs) for each policy, on ${printNumber(problems, WHOLE)} generated problems, none of which asks for the same function as a problem of the searches.`,
  ];
}

/** The benchmark of each column of runs at hand, where there are several. */
export function benchmarkNotes({ exhibit, result }: ExhibitSource): string[] {
  const all = new Set(result.cells.flatMap(({ atHand }) => atHand?.benchmarks ?? []));
  if (all.size < 2) return [];
  const texts = exhibit.columns.flatMap(({ id, label, group }) => {
    const own = result.cells
      .filter(({ column }) => column === id)
      .flatMap(({ atHand }) => atHand?.benchmarks ?? []);
    const name = group === '' ? label : `${group}, ${label}`;
    return own.length === 0 ? [] : [`${name}: ${[...new Set(own)].join(' and ')}`];
  });
  return [`Problems of: ${texts.join('; ')}.`];
}

/** What is always said beside it; of other scales than pocket the first sentence. The manifest has what each test found. */
export function mainSentences({ sentences, cautions = [] }: ExhibitResult): readonly string[] {
  const always = sentences.filter((sentence) => REQUIRED_SENTENCES.includes(sentence));
  const texts = cautions.map(({ text }) => text);
  const others = sentences.filter((sentence) => !texts.includes(sentence));
  return [...(always.length > 0 ? always : others.slice(0, 1)), ...texts];
}

/** What a figure of these cells or lines says of them. */
export function figureCautions(
  { cautions = [] }: ExhibitResult,
  shown: readonly Pick<FilledCell, 'runs'>[],
): string[] {
  const studies = new Set(shown.flatMap(({ runs }) => runs.map(({ studyId }) => studyId)));
  return cautions.flatMap(({ text, short = text, studyId }) =>
    studyId === undefined || studies.has(studyId) ? [short] : [],
  );
}

/** How other tables call its rows; of several groups of rows the first is an example. */
export function namesNote(rows: readonly ReportRow[]): readonly string[] {
  const texts = rows.flatMap(({ label, group, configuration = label }) =>
    group === rows[0]?.group && configuration !== label ? `"${label}" is "${configuration}"` : [],
  );
  return texts.length === 0
    ? []
    : [
        `Tables of whole runs in this export ("results", "pairs" and others) name team and method: ${texts.join('; ')}.`,
      ];
}

/** What `tokensNotes` says, in print: several rows need one note. `more`: what else a table must say of them. */
export function tokensNote(
  source: ExhibitSource,
  more = '',
  measures = measuresOf(source),
): readonly string[] {
  const [first, ...others] = tokensNotes(source, measures);
  if (first === undefined) return [];
  const text =
    others.length === 0
      ? first.text
      : `Independent samples have no tree, so that N does not apply: the policies of another row answer in turn, and as many whole programs count as fit into the tokens (of prompts and answers) of that row's tree.${first.measured}`;
  return [`${text}${more}`];
}

/** What is measured of samples, where it is of a tree elsewhere. `search`: theirs; undefined: not known. */
function measuredAs(measures: readonly ExhibitMeasure[], search: SearchOptions | undefined): string {
  const isShown = (metric: MetricName): boolean =>
    measures.some((measure) => measure.kind === 'metric' && measure.metric === metric);
  const answer = search === undefined ? 'the one that their search chooses' : answerText(search);
  const texts = [
    ...(isShown('pass@1(mcts)') ? [`Pass@1(MCTS) is of their answer: ${answer}`] : []),
    ...(isShown('pass@n') ? ['Pass@N asks whether any of them passes'] : []),
  ];
  return texts.length === 0 ? '' : ` ${texts.join('; ')}.`;
}

const measuresOf = ({ exhibit }: ExhibitSource): ExhibitMeasure[] =>
  exhibit.cells.map(({ measure }) => measure);

/** Where a reader would otherwise look for them and find nothing. */
export const LEFT_OUT_OF_OTHERS =
  ' The tables "results", "pairs" and others of whole runs leave such rows out.';

/**
 * Of a row that may spend only the tokens of another: both by the labels of their configurations, `name` as the table calls
 * it, `measured` the last sentence of `text`.
 */
type SamplesNote = Readonly<Record<'name' | 'configuration' | 'other' | 'measured' | 'text', string>>;

/** How many programs count of a row that may spend only the tokens of another. */
export function tokensNotes(source: ExhibitSource, measures = measuresOf(source)): SamplesNote[] {
  const { exhibit, result } = source;
  const { configurations, rows, cells } = exhibitAtScale(exhibit, result.scale);
  return configurations.flatMap(({ id, label, tokensOf, search }) => {
    const other = configurations.find((configuration) => configuration.id === tokensOf);
    if (other === undefined) return [];
    // As the table calls it, where it is a row.
    const shown = new Set(cells.filter(({ configuration }) => configuration === id).map(({ row }) => row));
    const name = (shown.size === 1 ? rows.find((row) => shown.has(row.id))?.label : undefined) ?? label;
    const own = result.counted?.find(({ configuration }) => configuration === id);
    const many =
      own === undefined
        ? ''
        : ` (on average ${fixedText(own.programs, 1)} of ${fixedText(own.written, Number.isInteger(own.written) ? 0 : 1)} programs written for a problem${own.tokens01 === undefined ? '' : `, with ${percentText(own.tokens01)} % of these tokens`})`;
    const planned =
      result.scale === 'pocket' || result.scale === 'paper'
        ? exhibit.scales[result.scale]?.search
        : undefined;
    const measured = measuredAs(measures, planned && ({ ...planned, ...search } as SearchOptions));
    const text = `"${name}": no tree, so that N does not apply: the policies of "${other.label}" answer in turn, independently, and as many whole programs count as fit into the tokens (of prompts and answers) of that row's tree, problem by problem and seed by seed${many}.${measured}`;
    return { name, configuration: label, other: other.label, measured, text };
  });
}
