import type { ConfigurationRow, Grouping, MetricName, Pair } from '../../preload/contract';
import { counted } from '../base';
import { MAX_ALL_PAIRS } from './comparison';
import type { Conclusion } from './conclusion';
import type { ConfigurationMetrics } from './configuration-metrics';
import { formatNames, formatP, formatPoints, formatSignedPoints } from './format';

export const METRIC_TITLES: Record<MetricName, string> = {
  'pass@1': 'Pass@1',
  'pass@10': 'Pass@10',
  'pass@1(mcts)': 'Pass@1(MCTS)',
  'pass@n': 'Pass@N',
  'pass@n(public)': 'Pass@N on the public tests',
};

export type SentenceInput = {
  readonly configurations: readonly ConfigurationMetrics[];
  readonly rows: readonly ConfigurationRow[];
  readonly pairs: readonly Pair[];
  readonly groupings: readonly Grouping[];
  /** Problems that all configurations have finished, and all that they share. */
  readonly compared: number;
  readonly planned: number;
  readonly complete: boolean;
};

/** With more configurations, a sentence for every pair is a wall of text. */
const MAX_WITH_ALL_PAIRS = 4;
/** Only the largest of many significant differences get a sentence. */
const MAX_DIFFERENCES = 6;

/** With fewer problems so far, a difference says nothing, and a chip for every pair buries what does. */
const FEWEST_INTERIM_PROBLEMS = 10;

/** Pass@1(MCTS) is the primary metric; the others appear where they differ significantly. */
export function comparisonConclusions(input: SentenceInput): Conclusion[] {
  const { configurations, complete } = input;
  const pairs = input.pairs.filter(({ problems }) => complete || problems >= FEWEST_INTERIM_PROBLEMS);
  const main = pairs.filter(({ metric }) => metric === 'pass@1(mcts)');
  const others = pairs.filter(({ metric, separable }) => metric !== 'pass@1(mcts)' && separable);
  if (configurations.length > MAX_WITH_ALL_PAIRS) return summaryOfMany(input, main);
  return [...largestFirst(main), ...others].map((pair) =>
    interim(pair.separable ? significant(pair, input) : notSignificant(pair, main.length), pair, input),
  );
}

/** While a study runs, a chip names only the difference: its p-value is not the final one. */
function interim(conclusion: Conclusion, pair: Pair, { complete, planned }: SentenceInput): Conclusion {
  if (complete) return conclusion;
  const count = `${pair.problems} of ${counted(planned, 'problem')}`;
  const size = `${formatSignedPoints(pair.difference)} percentage points`;
  return {
    kind: 'interim',
    short: `So far, ${count}: ${METRIC_TITLES[pair.metric]}, ${pair.first} against ${pair.second} ${size}`,
    long: conclusion.long,
  };
}

/** Significant differences before others, the largest first. */
function largestFirst(pairs: readonly Pair[]): readonly Pair[] {
  const size = ({ separable, difference }: Pair): number => Math.abs(difference) - (separable ? 0 : 1);
  return [...pairs].sort((a, b) => size(b) - size(a));
}

/** Many configurations: how many pairs differ significantly, the largest differences, and the groups without any. */
function summaryOfMany(input: SentenceInput, main: readonly Pair[]): Conclusion[] {
  if (main.length === 0) return [];
  const differing = main.filter(({ separable }) => separable);
  const largest = largestFirst(differing)
    .slice(0, MAX_DIFFERENCES)
    .map((pair) => interim(significant(pair, input), pair, input));
  const detectable = main.flatMap((pair) => pair.detectable ?? []);
  // Unknown for pairs that differ on no problem.
  const unknown = main.filter(({ test: { onlyFirst, onlySecond } }) => onlyFirst + onlySecond === 0).length;
  const power =
    detectable.length === 0 || detectable.length + unknown < main.length
      ? ''
      : `; ${foundText(Math.max(...detectable), main)} in each pair`;
  const [baseline] = input.configurations;
  const which =
    input.configurations.length > MAX_ALL_PAIRS
      ? `${differing.length} of ${main.length} configurations differ significantly from ${baseline?.configuration}`
      : `${differing.length} of ${main.length} pairs of configurations differ significantly`;
  const title = METRIC_TITLES['pass@1(mcts)'];
  const others =
    differing.length === main.length
      ? ''
      : `; ${differing.length === 0 ? 'any of them' : 'the others'} may still differ`;
  const long = `In ${title} ${which} after Holm's correction${others}${power}.`;
  if (!input.complete) {
    return [{ kind: 'interim', short: `${title}: tested when all runs are finished`, long }, ...largest];
  }
  const kind = differing.length > 0 ? 'difference' : 'no-difference';
  return [
    { kind, short: `${title}: ${which}`, long },
    ...largest,
    ...groupConclusions(input, differing.length),
  ];
}

function groupConclusions({ groupings }: SentenceInput, differing: number): Conclusion[] {
  const letters = groupings.find(({ metric }) => metric === 'pass@1(mcts)')?.letters ?? [];
  if (differing === 0) return [];
  const groups = [...new Set(letters.flatMap((entry) => [...entry.letters]))].sort();
  return groups.flatMap((letter) => {
    const names = letters
      .filter((entry) => entry.letters.includes(letter))
      .map((entry) => entry.configuration);
    if (names.length < 2) return [];
    const short = `No significant differences among ${formatNames(names)}`;
    return [
      { kind: 'no-difference', short: `${METRIC_TITLES['pass@1(mcts)']}: ${short}`, long: `${short}.` },
    ];
  });
}

function significant(pair: Pair, { pairs, configurations }: SentenceInput): Conclusion {
  const ahead = pair.difference > 0;
  const [better, worse] = ahead ? [pair.first, pair.second] : [pair.second, pair.first];
  const [low, high] = ahead ? [pair.low, pair.high] : [-pair.high, -pair.low];
  const size = formatPoints(Math.abs(pair.difference));
  const family = pairs.filter(({ metric }) => metric === pair.metric).length;
  const basis = [
    METRIC_TITLES[pair.metric],
    `n = ${counted(pair.problems, 'problem')}`,
    interval(low, high),
    probability(pair, family),
  ].join(', ');
  const conclusion = (long: string): Conclusion => ({
    kind: 'difference',
    short: `${METRIC_TITLES[pair.metric]}: ${better} > ${worse}, +${size} percentage points, ${formatP(decidingP(pair, family))}`,
    long,
  });
  if (pair.metric === 'pass@1') {
    return conclusion(
      `First attempts of ${named(better)} pass significantly more often than those of ${named(worse)}: by ${size} percentage points (${basis}).`,
    );
  }
  const nodesOf = (name: string): number =>
    configurations.find(({ configuration }) => configuration === name)?.runs[0].config.search.nodes ?? 0;
  const [own, other] = [nodesOf(better), nodesOf(worse)];
  const at = own === other ? `at N = ${own}` : `(N = ${own} against ${other})`;
  return conclusion(
    pair.metric === 'pass@n'
      ? `${named(better)} finds a passing program for significantly more problems than ${named(worse)} ${at}: ${size} percentage points (${basis}).`
      : `${named(better)} solves significantly more problems than ${named(worse)} ${at}: ${size} percentage points (${basis}).`,
  );
}

function notSignificant(pair: Pair, family: number): Conclusion {
  const size = `${formatSignedPoints(pair.difference)} percentage points`;
  return {
    kind: 'no-difference',
    short: `${METRIC_TITLES[pair.metric]}: ${pair.first} and ${pair.second} do not differ significantly, ${size}, ${formatP(decidingP(pair, family))}`,
    long: notSignificantSentence(pair, family),
  };
}

function notSignificantSentence(pair: Pair, family: number): string {
  const { first, second, metric, low, high, problems, detectable, problemsNeeded } = pair;
  const basis = `n = ${counted(problems, 'problem')}, ${interval(low, high)}, ${probability(pair, family)}`;
  const start = `${named(first)} and ${named(second)} do not differ significantly in ${METRIC_TITLES[metric]}: difference ${formatPoints(pair.difference)} percentage points (${basis}).`;
  if (detectable === null) {
    return pair.test.onlyFirst + pair.test.onlySecond === 0
      ? `${start} Without any spread the smallest detectable difference is unknown.`
      : `${start} That is too few problems or seeds to detect any difference.`;
  }
  const needed =
    problemsNeeded === null
      ? ''
      : `; the observed difference would need about ${counted(problemsNeeded, 'problem')}`;
  const found = foundText(detectable, [pair]);
  return `${start} ${found.charAt(0).toUpperCase()}${found.slice(1)}${needed}.`;
}

/** The smallest difference that the data could have shown. */
function foundText(detectable: number, pairs: readonly Pick<Pair, 'seedSpread'>[]): string {
  const seeds = pairs.some(({ seedSpread }) => seedSpread !== undefined) ? ' and seeds' : '';
  return `with these problems${seeds} a true difference of about ${formatPoints(detectable)} percentage points would be found 4 times in 5`;
}

function interval(low: number, high: number): string {
  return `95 % CI ${formatPoints(low)} to ${formatPoints(high)}`;
}

function probability(pair: Pair, family: number): string {
  const value = formatP(decidingP(pair, family));
  return family > 1 ? `${value} after Holm's correction for ${family} comparisons` : value;
}

/** Corrected where there are several pairs. */
function decidingP({ test }: Pair, family: number): number {
  return family > 1 ? test.pHolm : test.p;
}

/** As it is called, also where a sentence begins; in quotation marks where it has parts that a sentence could take for its own. */
function named(name: string): string {
  return /,|\band\b/.test(name) ? `"${name}"` : name;
}
