import type {
  Agent,
  ConfigurationRow,
  Grouping,
  MetricName,
  Pair,
  RunConfig,
  Scale,
  SearchOptions,
} from '../../preload/contract';
import { serverDeskModel } from '../../preload/contract/plans';
import { assertNever } from '../base';
import { MAX_ALL_PAIRS } from './comparison';
import type { ConfigurationMetrics } from './configuration-metrics';
import { formatList, formatP, formatPoints, pluralize } from './format';
import { POCKET_SENTENCES } from './pocket-sentences';

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
  readonly pairs: readonly Pair[];
  readonly groupings: readonly Grouping[];
  /** Problems that all configurations have finished, and all that they share. */
  readonly compared: number;
  readonly planned: number;
  readonly complete: boolean;
};

/** The conclusions and their limits, most important first. */
export function sentencesOf(input: SentenceInput): string[] {
  return [
    ...pocketSentences(input),
    ...progressSentences(input),
    ...comparisonSentences(input),
    ...uncertaintySentences(input),
    ...settingSentences(input),
    ...missingBaselineSentences(input),
    ...scaleSentences(input),
  ];
}

/** A caution for comparisons of families that were made to complement each other. */
function pocketSentences({ configurations }: SentenceInput): readonly string[] {
  const families = configurations.flatMap(({ runs }) =>
    runs[0].config.team.servers.flatMap((server) => (server.kind === 'pocket' ? [server.family] : [])),
  );
  return new Set(families).size > 1 ? POCKET_SENTENCES : [];
}

function progressSentences({ complete, compared, planned, configurations }: SentenceInput): string[] {
  if (configurations.length === 0) return [];
  if (complete && compared < planned) {
    const left = planned - compared;
    return [
      `${left} of ${pluralize(planned, 'problem')} ${left === 1 ? 'is' : 'are'} excluded: a recording has no answer there, which says nothing about its model.`,
    ];
  }
  if (complete) return [];
  if (configurations.length === 1) {
    return [`Not all runs are finished: ${compared} of ${pluralize(planned, 'problem')} count so far.`];
  }
  const so = `${compared} of ${pluralize(planned, 'problem')} are finished in all configurations and compared so far`;
  return [
    `Not all runs are finished: ${so}; do not decide on interim intervals, since repeated looks inflate the false-positive rate.`,
  ];
}

/** With more configurations, a sentence for every pair is a wall of text. */
const MAX_WITH_ALL_PAIRS = 4;
/** Of many significant differences only the largest get a sentence. */
const MAX_DIFFERENCES = 6;

/** Pass@1(MCTS) is the primary metric; the others appear where they differ significantly. */
function comparisonSentences(input: SentenceInput): string[] {
  const { pairs, configurations } = input;
  const main = pairs.filter(({ metric }) => metric === 'pass@1(mcts)');
  const others = pairs.filter(({ metric, separable }) => metric !== 'pass@1(mcts)' && separable);
  if (configurations.length > MAX_WITH_ALL_PAIRS) return summaryOfMany(input, main);
  return [...main, ...others].map((pair) =>
    pair.separable ? significantSentence(pair, input) : notSignificantSentence(pair, main.length),
  );
}

/** Many configurations: how many pairs differ significantly, the largest differences, and the groups without any. */
function summaryOfMany(input: SentenceInput, main: readonly Pair[]): string[] {
  if (main.length === 0) return [];
  const significant = main.filter(({ separable }) => separable);
  const largest = [...significant]
    .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference))
    .slice(0, MAX_DIFFERENCES)
    .map((pair) => significantSentence(pair, input));
  const detectable = main.flatMap((pair) => pair.detectable ?? []);
  const power =
    detectable.length === 0
      ? ''
      : `; each pair would detect a true difference of about ${wholePoints(Math.max(...detectable))} points with 80 % power`;
  const [baseline] = input.configurations;
  const which =
    input.configurations.length > MAX_ALL_PAIRS
      ? `${significant.length} of ${main.length} configurations differ significantly from ${baseline?.configuration}`
      : `${significant.length} of ${main.length} pairs of configurations differ significantly`;
  return [
    `In ${METRIC_TITLES['pass@1(mcts)']} ${which} after Holm's correction${power}.`,
    ...largest,
    ...groupSentences(input, significant.length),
  ];
}

function groupSentences({ groupings }: SentenceInput, significant: number): string[] {
  const letters = groupings.find(({ metric }) => metric === 'pass@1(mcts)')?.letters ?? [];
  if (significant === 0) return [];
  const groups = [...new Set(letters.flatMap((entry) => [...entry.letters]))].sort();
  return groups.flatMap((letter) => {
    const names = letters
      .filter((entry) => entry.letters.includes(letter))
      .map((entry) => entry.configuration);
    return names.length < 2 ? [] : [`No significant differences among ${formatList(names)}.`];
  });
}

function significantSentence(pair: Pair, { pairs, configurations }: SentenceInput): string {
  const ahead = pair.difference > 0;
  const [better, worse] = ahead ? [pair.first, pair.second] : [pair.second, pair.first];
  const [low, high] = ahead ? [pair.low, pair.high] : [-pair.high, -pair.low];
  const size = formatPoints(Math.abs(pair.difference));
  const family = pairs.filter(({ metric }) => metric === pair.metric).length;
  const basis = [
    METRIC_TITLES[pair.metric],
    `n = ${pluralize(pair.problems, 'problem')}`,
    interval(low, high),
    probability(pair, family),
  ].join(', ');
  if (pair.metric === 'pass@1') {
    return `First attempts of ${better} pass significantly more often than those of ${worse}: by ${size} points (${basis}).`;
  }
  const nodesOf = (name: string): number =>
    configurations.find(({ configuration }) => configuration === name)?.runs[0].config.search.nodes ?? 0;
  const [own, other] = [nodesOf(better), nodesOf(worse)];
  const at = own === other ? `at N = ${own}` : `(N = ${own} against ${other})`;
  if (pair.metric === 'pass@n') {
    return `${capitalised(better)} finds a passing program for significantly more problems than ${worse} ${at}: ${size} points (${basis}).`;
  }
  return `${capitalised(better)} solves significantly more problems than ${worse} ${at}: ${size} points (${basis}).`;
}

function notSignificantSentence(pair: Pair, family: number): string {
  const { first, second, metric, low, high, problems, detectable, problemsNeeded } = pair;
  const basis = `n = ${pluralize(problems, 'problem')}, ${interval(low, high)}, ${probability(pair, family)}`;
  const start = `${capitalised(first)} and ${second} do not differ significantly in ${METRIC_TITLES[metric]}: difference ${formatPoints(pair.difference)} points (${basis}).`;
  if (detectable === null) {
    return low === high
      ? `${start} Without any spread the smallest detectable difference is unknown.`
      : `${start} That is too few problems to detect any difference.`;
  }
  const needed =
    problemsNeeded === null ? '' : `; the observed difference would need about ${problemsNeeded} problems`;
  return `${start} Smallest detectable difference with 80 % power: about ${wholePoints(detectable)} points${needed}.`;
}

function uncertaintySentences({ rows, configurations }: SentenceInput): string[] {
  const sentences: string[] = [];
  const faults = rows.map((row) => Math.max(0, ...row.cells.map((cell) => cell.faults)));
  const faulted = rows.filter((_, i) => (faults[i] ?? 0) > 0).map((row) => row.configuration);
  if (faulted.length > 0) {
    sentences.push(
      `The sandbox or the grader failed on some candidates of ${formatList(faulted)}. They are excluded, not counted as wrong.`,
    );
  }
  const flat = rows.filter((row) => row.cells.some((cell) => cell.problems > 0 && cell.low === cell.high));
  if (flat.length > 0) {
    const names = formatList(flat.map((row) => row.configuration));
    sentences.push(
      `All problems agree in a cell of ${names}: an interval of width zero does not mean certainty.`,
    );
  }
  if (configurations.length > 0 && configurations.every(({ runs }) => runs.length === 1)) {
    sentences.push(
      'One seed per configuration: the intervals cover the sampling of problems, not the randomness of the search.',
    );
  }
  return sentences;
}

const SETTING_LABELS = [
  ['strategy', 'strategy'],
  ['nodes', 'nodes per tree'],
  ['batch', 'parallel trials per tree'],
  ['order', 'order of results'],
  ['score', 'node score'],
  ['tie', 'tie-breaking'],
  ['samplesPerAgent', 'independent samples'],
  ['feedback', 'feedback for refinements'],
  ['rewardModel', 'reward model'],
  ['stopWhenSolved', 'stop when solved'],
  ['treeBudget', 'tree budget'],
  ['grading', 'grading rules'],
] as const satisfies ReadonlyArray<readonly [keyof SearchOptions, string]>;

/** Search settings that differ: without them a reader would attribute every difference to the team. */
function settingSentences({ configurations }: SentenceInput): string[] {
  const configs = configurations.map(({ runs }) => runs[0].config);
  const [first] = configs;
  if (first === undefined) return [];
  const differing = SETTING_LABELS.filter(([key]) =>
    configs.some(({ search }) => JSON.stringify(search[key]) !== JSON.stringify(first.search[key])),
  );
  if (differing.length === 0) return [];
  const settings = formatList(differing.map(([, setting]) => setting));
  const sameTeam = configs.every(({ team }) => JSON.stringify(team) === JSON.stringify(first.team));
  return [
    sameTeam
      ? `All configurations have the same team and differ only in the search: ${settings}.`
      : `The configurations differ in the search as well as in the team: ${settings}.`,
  ];
}

/** Agents of a team that no configuration runs alone: whether the team beats its best member is then unknown. */
function missingBaselineSentences({ configurations }: SentenceInput): string[] {
  const configs = configurations.map(({ runs }) => runs[0].config);
  const alone = new Set(
    configs
      .filter(({ team }) => team.agents.length === 1)
      .flatMap((config) => config.team.agents.map((agent) => modelOf(config, agent))),
  );
  // Rows of an ablation share one team: one sentence for all of them.
  const missing = new Map<string, { several: boolean; of: string[] }>();
  for (const config of configs) {
    if (config.team.kind !== 'heterogeneous') continue;
    const names = config.team.agents
      .filter((agent) => !alone.has(modelOf(config, agent)))
      .map((agent) => agent.name);
    if (names.length === 0) continue;
    const key = formatList([...new Set(names)]);
    const existing = missing.get(key);
    if (existing === undefined) missing.set(key, { several: names.length > 1, of: [config.configuration] });
    else existing.of.push(config.configuration);
  }
  return [...missing].map(([names, { several, of }]) => {
    const was = several ? 'were' : 'was';
    const whether = of.length === 1 ? 'the team beats its' : 'these teams beat their';
    return `Not measured: ${names} of ${formatList(of)} ${was} not run alone, so whether ${whether} best member is unknown.`;
  });
}

function modelOf({ team }: RunConfig, agent: Agent): string {
  return team.servers.find(({ id }) => id === agent.serverId)?.model ?? agent.serverId;
}

function scaleSentences(input: SentenceInput): string[] {
  return [...new Set(input.rows.map((row) => row.scale))].flatMap((scale) => scaleSentence(scale, input));
}

/** The small models of the runs, each once. */
function deskModels({ configurations }: SentenceInput): string[] {
  const servers = configurations.flatMap(({ runs }) => runs[0].config.team.servers);
  return [...new Set(servers.flatMap((server) => serverDeskModel(server) ?? []))];
}

function scaleSentence(scale: Scale, input: SentenceInput): string[] {
  switch (scale) {
    case 'pocket':
      return [
        'Pocket scale: small policies on generated problems; the results say nothing about large models.',
      ];
    case 'recorded':
      return [
        'Recorded scale: the answers were generated earlier, without feedback. A tree over them shows selection, not refinement.',
      ];
    case 'own':
      return [
        "Own scale: language models that were trained or served here; the results say nothing about the papers' models.",
      ];
    case 'desk':
      return [
        `Desk scale: small language models (${formatList(deskModels(input))}); the results say nothing about the papers' models.`,
      ];
    case 'paper':
      return [];
    default:
      return assertNever(scale);
  }
}

function interval(low: number, high: number): string {
  return `95 % CI ${formatPoints(low)} to ${formatPoints(high)}`;
}

/** The p-value that decides: corrected where there are several pairs. */
function probability({ test }: Pair, family: number): string {
  const p = family > 1 ? test.pHolm : test.p;
  const value = formatP(p);
  return family > 1 ? `${value} after Holm's correction for ${family} comparisons` : value;
}

/** Rounded up, so that a detectable size is never understated. */
function wholePoints(rate: number): number {
  return Math.max(1, Math.ceil(rate * 100 - 1e-9));
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
