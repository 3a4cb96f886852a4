import type {
  Amount,
  ExhibitCell,
  ExhibitMeasure,
  ExhibitReference,
  FilledCell,
} from '../../preload/contract/exhibit';
import {
  fixedText,
  hasWidth,
  isEntered,
  isSecondHand,
  measuresRate,
  signedText,
} from '../../preload/contract/plans/index';
import { cellStateSentence } from '../text/exhibits';
import { count, duration, percent, percentRange, plural } from '../widgets/index';

/** "61.7" of a rate, "2.31" of a number. */
export function valueText(value: number, rate: boolean): string {
  return rate ? percent(value) : fixedText(value, 2);
}

/** "51.2 – 72.5", with `before` in front; nothing where the interval has no width. */
export function intervalText(
  interval: Pick<NonNullable<FilledCell['ours']>, 'low' | 'high'>,
  rate: boolean,
  before = '',
): string {
  return hasWidth(interval) ? `${before}${rangeText(interval.low, interval.high, rate)}` : '';
}

export function rangeText(low: number, high: number, rate: boolean): string {
  return rate ? percentRange(low, high) : `${fixedText(low, 2)} – ${fixedText(high, 2)}`;
}

/** A number as its source gives it: "60" stays "60.0" among percents. */
export function referenceText({ value, unit }: Pick<ExhibitReference, 'value' | 'unit'>): string {
  return unit === 'number' ? String(value) : fixedText(value, 1);
}

/** "57.1* / 58.3": each value of the paper once, with a star where it was read second-hand alone. */
export function paperText(references: readonly ExhibitReference[]): string {
  const sources = new Map<string, ExhibitReference[]>();
  for (const one of references) {
    const text = referenceText(one);
    sources.set(text, [...(sources.get(text) ?? []), one]);
  }
  return [...sources].map(([text, all]) => `${text}${all.every(isSecondHand) ? '*' : ''}`).join(' / ');
}

/** " (entered by the lab from p. 7, Table 3)"; "": it is from our sources. */
function enteredText(reference: ExhibitReference): string {
  if (!isEntered(reference)) return '';
  return ` (${reference.source.charAt(0).toLowerCase()}${reference.source.slice(1)})`;
}

/** Ours minus the paper's, in the unit of the paper's, always with its sign. */
export function differenceText(difference: number, unit: ExhibitReference['unit']): string {
  return signedText(difference, unit === 'number' ? 2 : 1);
}

export function measureText(measure: ExhibitMeasure): string {
  if (measure.kind === 'metric') return METRIC_LABELS[measure.metric];
  if (measure.measure === 'da@k') return `DA@${measure.k ?? 'k'}`;
  return DIVERSITY_LABELS[measure.measure];
}

const METRIC_LABELS: Readonly<Record<Extract<ExhibitMeasure, { kind: 'metric' }>['metric'], string>> = {
  'pass@1': 'Pass@1',
  'pass@10': 'Pass@10',
  'pass@1(mcts)': 'Pass@1(MCTS)',
  'pass@n': 'Pass@N',
  'pass@n(public)': 'Pass@N on public tests',
};
const DIVERSITY_LABELS: Readonly<
  Record<Exclude<Extract<ExhibitMeasure, { kind: 'diversity' }>['measure'], 'da@k'>, string>
> = {
  distinct: 'Distinct programs',
  ea: 'EA',
  nauadc: 'NAUADC',
  aec: 'AEC',
  vendi: 'Vendi score',
  'g-vendi': 'G-Vendi score',
};

/** A cell in one sentence, for tooltip and screen reader. `reasons`: why this cell is not comparable, without the common ones. */
export function cellSentence(
  cell: ExhibitCell,
  filled: FilledCell | null,
  reasons: readonly string[],
): string {
  const rate = measuresRate(cell.measure);
  const unit = rate ? ' %' : '';
  const [reference] = cell.reference;
  const ours = filled?.ours ?? null;
  return [
    measureText(cell.measure),
    ours === null
      ? null
      : `ours ${valueText(ours.value, rate)}${unit}${intervalText(ours, rate, ', 95 % interval ')}, ${plural(ours.problems, 'problem')}, ${plural(ours.seeds, 'seed')}${ours.seedSpread === undefined ? '' : ` (standard deviation ${valueText(ours.seedSpread.sd, rate)})`}, from ${plural(filled?.runs.length ?? 0, 'run')}`,
    reference === undefined
      ? 'no value of the paper'
      : `paper ${paperText(cell.reference)}${unit}${enteredText(reference)}`,
    filled === null ||
    filled.difference === null ||
    filled.notComparable.length > 0 ||
    reference === undefined
      ? null
      : `difference ${differenceText(filled.difference, reference.unit)}`,
    ours === null && filled !== null ? cellStateSentence(filled.state) : null,
    reasons.length === 0 ? null : `not comparable: ${reasons.join(' ')}`,
  ]
    .filter((part) => part !== null)
    .join('; ');
}

/** "2 h 10 min", "12 GPU-h", "1.2 M tokens": the known parts of an amount. */
export function amountParts({ seconds, gpuSeconds, tokens }: Amount): readonly string[] {
  return [
    ...(seconds === null || seconds === 0 ? [] : [duration(seconds * 1_000)]),
    ...(gpuSeconds === null || gpuSeconds === 0 ? [] : [gpuHours(gpuSeconds)]),
    ...(tokens === null || tokens === 0 ? [] : [`${tokenText(tokens)} tokens`]),
  ];
}

export function gpuHours(gpuSeconds: number): string {
  const hours = gpuSeconds / 3_600;
  return `${hours < 10 ? hours.toFixed(1) : count(hours)} GPU-h`;
}

/** "840", "12 k", "3.4 M". */
export function tokenText(tokens: number): string {
  if (tokens < 10_000) return count(tokens);
  if (tokens < 1_000_000) return `${count(tokens / 1_000)} k`;
  return `${(tokens / 1_000_000).toFixed(1)} M`;
}
