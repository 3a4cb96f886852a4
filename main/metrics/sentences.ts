import type { Agent, ConfigurationRow, MetricName, RunConfig, Scale } from '../../preload/contract';
import { assertNever } from '../base';
import { type Comparison, pairCount } from './comparison';
import type { ConfigurationMetrics } from './configuration-metrics';

const METRIC_TITLES: Record<MetricName, string> = {
  'pass@1': 'Pass@1',
  'pass@10': 'Pass@10',
  'pass@1(mcts)': 'Pass@1(MCTS)',
  'pass@n': 'Pass@N',
  'pass@n(public)': 'Pass@N on the public tests',
};

export type SentenceInput = {
  readonly configurations: readonly ConfigurationMetrics[];
  readonly rows: readonly ConfigurationRow[];
  readonly comparisons: readonly Comparison[];
  /** Problems that all configurations have finished, and that they share. */
  readonly compared: number;
  readonly planned: number;
  readonly complete: boolean;
};

/** What can and what can not be said, most important first. */
export function sentencesOf(input: SentenceInput): string[] {
  return [
    ...progressSentences(input),
    ...comparisonSentences(input),
    ...surenessSentences(input),
    ...unmeasuredSentences(input),
    ...scaleSentences(input.rows),
  ];
}

function progressSentences({ complete, compared, planned, configurations }: SentenceInput): string[] {
  if (complete || configurations.length === 0) return [];
  if (configurations.length === 1) {
    return [`The study is not finished: ${compared} of ${count(planned, 'problem')} count so far.`];
  }
  const so = `${compared} of ${count(planned, 'problem')} are finished in all configurations and compared so far`;
  return [`The study is not finished: ${so}; intervals that are looked at again and again mislead.`];
}

/** The chosen answer decides; the other metrics are named where they show a difference. */
function comparisonSentences({ comparisons, configurations }: SentenceInput): string[] {
  const pairs = pairCount(configurations.length);
  const main = comparisons.filter(({ metric }) => metric === 'pass@1(mcts)');
  const others = comparisons.filter(({ metric, separable }) => metric !== 'pass@1(mcts)' && separable);
  return [...main, ...others].map((one) => {
    const nodes = configurations.find(({ configuration }) => configuration === one.first)?.runs[0].config
      .search;
    return one.separable ? difference(one, nodes?.nodes ?? 0, pairs) : noDifference(one, pairs);
  });
}

function difference(comparison: Comparison, nodes: number, pairs: number): string {
  const ahead = comparison.difference > 0;
  const [better, worse] = ahead
    ? [comparison.first, comparison.second]
    : [comparison.second, comparison.first];
  const [low, high] = ahead ? [comparison.low, comparison.high] : [-comparison.high, -comparison.low];
  const size = points(Math.abs(comparison.difference));
  const basis = `${METRIC_TITLES[comparison.metric]}, ${count(comparison.problems, 'problem')}, ${interval(low, high, pairs)}`;
  if (comparison.metric === 'pass@1') {
    return `First attempts of ${better} pass ${size} points more often than those of ${worse} (${basis}).`;
  }
  if (comparison.metric === 'pass@n') {
    return `${capitalised(better)} finds a passing program for ${size} points more problems than ${worse} at N = ${nodes} (${basis}).`;
  }
  return `${capitalised(better)} solves ${size} points more problems than ${worse} at N = ${nodes} (${basis}).`;
}

function noDifference(comparison: Comparison, pairs: number): string {
  const { first, second, metric, low, high, problems, detectable } = comparison;
  const so = `${METRIC_TITLES[metric]} of ${first} minus ${second} is ${points(comparison.difference)} points`;
  const start = `Between ${second} and ${first} no difference can be claimed: ${so} (${interval(low, high, pairs)})`;
  const these = problems === 1 ? 'this one problem' : `these ${problems} problems`;
  if (detectable === null) return `${start}; ${these} cannot tell how large a difference would show.`;
  const size = Math.max(1, Math.ceil(detectable * 100));
  if (size > 100) return `${start}; ${these} are too few to show any difference.`;
  return `${start}; with ${these} a true difference of about ${size} points would show four times in five.`;
}

function surenessSentences({ rows, configurations }: SentenceInput): string[] {
  const sentences: string[] = [];
  const faults = rows.map((row) => Math.max(0, ...row.cells.map((cell) => cell.faults)));
  const faulted = rows.filter((_, i) => (faults[i] ?? 0) > 0).map((row) => row.configuration);
  if (faulted.length > 0) {
    sentences.push(
      `The sandbox failed on some candidates of ${listed(faulted)}; they are left out, not counted as wrong.`,
    );
  }
  const flat = rows.filter((row) => row.cells.some((cell) => cell.problems > 0 && cell.low === cell.high));
  if (flat.length > 0) {
    const names = listed(flat.map((row) => row.configuration));
    sentences.push(`All problems agree in a cell of ${names}: an interval without width is no certainty.`);
  }
  if (configurations.length > 0 && configurations.every(({ runs }) => runs.length === 1)) {
    sentences.push(
      'There is one seed per configuration: the intervals cover the choice of problems, not the chance in the search.',
    );
  }
  const budgets = new Set(rows.map((row) => row.nodesPerTree));
  if (budgets.size > 1) sentences.push('The configurations have different numbers of nodes per tree.');
  return sentences;
}

/** Agents of a team that no configuration runs alone: whether the team beats its best member is then open. */
function unmeasuredSentences({ configurations }: SentenceInput): string[] {
  const configs = configurations.map(({ runs }) => runs[0].config);
  const alone = new Set(
    configs
      .filter(({ team }) => team.agents.length === 1)
      .flatMap((config) => config.team.agents.map((agent) => modelOf(config, agent))),
  );
  return configs.flatMap((config) => {
    if (config.team.kind !== 'heterogeneous') return [];
    const missing = config.team.agents.filter((agent) => !alone.has(modelOf(config, agent)));
    if (missing.length === 0) return [];
    const names = listed([...new Set(missing.map((agent) => agent.name))]);
    const was = missing.length === 1 ? 'was' : 'were';
    return [
      `Not measured: ${names} of ${config.configuration} ${was} not run alone, so whether the team beats its best member is open.`,
    ];
  });
}

function modelOf({ team }: RunConfig, agent: Agent): string {
  return team.servers.find(({ id }) => id === agent.serverId)?.model ?? agent.serverId;
}

function scaleSentences(rows: readonly ConfigurationRow[]): string[] {
  return [...new Set(rows.map((row) => row.scale))].flatMap(scaleSentence);
}

function scaleSentence(scale: Scale): string[] {
  switch (scale) {
    case 'pocket':
      return ['Pocket scale: small policies on generated problems; this says nothing about large models.'];
    case 'recorded':
      return [
        'Recorded scale: the answers were made before, without feedback; a tree over them shows selection, not refinement.',
      ];
    case 'paper':
      return [];
    default:
      return assertNever(scale);
  }
}

function interval(low: number, high: number, pairs: number): string {
  const widened = pairs > 1 ? `, widened for ${pairs} comparisons` : '';
  return `95 % interval ${points(low)} to ${points(high)}${widened}`;
}

/** Percentage points with one decimal; a true minus sign, and no minus zero. */
function points(rate: number): string {
  const rounded = Math.round(rate * 1000) / 10;
  return (rounded < 0 ? '\u2212' : '') + Math.abs(rounded).toFixed(1);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function listed(names: readonly string[]): string {
  if (names.length <= 1) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
