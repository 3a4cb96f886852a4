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
import { assertNever } from '../base';
import { MAX_ALL_PAIRS } from './comparison';
import type { ConfigurationMetrics } from './configuration-metrics';
import { formatList, formatP, formatPoints, pluralize } from './format';
import { POCKET_SENTENCES } from './pocket-words';

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
  /** Problems that all configurations have finished, and that they share. */
  readonly compared: number;
  readonly planned: number;
  readonly complete: boolean;
};

/** What can and what can not be said, most important first. */
export function sentencesOf(input: SentenceInput): string[] {
  return [
    ...pocketSentences(input),
    ...progressSentences(input),
    ...comparisonSentences(input),
    ...uncertaintySentences(input),
    ...settingSentences(input),
    ...missingBaselineSentences(input),
    ...scaleSentences(input.rows),
  ];
}

/** Where families that were made to complement each other are compared. */
function pocketSentences({ configurations }: SentenceInput): readonly string[] {
  const families = configurations.flatMap(({ runs }) =>
    runs[0].config.team.servers.flatMap((server) => (server.kind === 'pocket' ? [server.family] : [])),
  );
  return new Set(families).size > 1 ? POCKET_SENTENCES : [];
}

function progressSentences({ complete, compared, planned, configurations }: SentenceInput): string[] {
  if (configurations.length === 0) return [];
  if (complete && compared < planned) {
    const left = pluralize(planned - compared, 'problem');
    return [
      `${left} of ${planned} ${planned - compared === 1 ? 'does' : 'do'} not count: a recording has no answer there, which says nothing of its model.`,
    ];
  }
  if (complete) return [];
  if (configurations.length === 1) {
    return [`Not all runs are finished: ${compared} of ${pluralize(planned, 'problem')} count so far.`];
  }
  const so = `${compared} of ${pluralize(planned, 'problem')} are finished in all configurations and compared so far`;
  return [`Not all runs are finished: ${so}; intervals that are looked at again and again mislead.`];
}

/** Above so many configurations a sentence for every pair is a wall of text. */
const MOST_IN_WORDS = 4;
/** The largest differences that are told one by one where there are many. */
const MOST_TOLD = 6;

/** The chosen answer decides; the other metrics are named where they show a difference. */
function comparisonSentences(input: SentenceInput): string[] {
  const { pairs, configurations } = input;
  const main = pairs.filter(({ metric }) => metric === 'pass@1(mcts)');
  const others = pairs.filter(({ metric, separable }) => metric !== 'pass@1(mcts)' && separable);
  if (configurations.length > MOST_IN_WORDS) return summaryOfMany(input, main);
  return [...main, ...others].map((pair) =>
    pair.separable ? significantSentence(pair, input) : notSignificantSentence(pair, main.length),
  );
}

/** Many configurations: how many pairs differ, the largest differences, and who cannot be told apart. */
function summaryOfMany(input: SentenceInput, main: readonly Pair[]): string[] {
  if (main.length === 0) return [];
  const clear = main.filter(({ separable }) => separable);
  const told = [...clear]
    .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference))
    .slice(0, MOST_TOLD)
    .map((pair) => significantSentence(pair, input));
  const detectable = main.flatMap((pair) => pair.detectable ?? []);
  const could =
    detectable.length === 0
      ? ''
      : `; a true difference of about ${wholePoints(Math.max(...detectable))} points would show in every pair four times in five`;
  const [baseline] = input.configurations;
  const which =
    input.configurations.length > MAX_ALL_PAIRS
      ? `${clear.length} of ${main.length} configurations differ from ${baseline?.configuration}`
      : `${clear.length} of ${main.length} pairs of configurations differ`;
  return [
    `In ${METRIC_TITLES['pass@1(mcts)']} ${which} after Holm's correction${could}.`,
    ...told,
    ...groupSentences(input, clear.length),
  ];
}

function groupSentences({ groupings }: SentenceInput, clear: number): string[] {
  const letters = groupings.find(({ metric }) => metric === 'pass@1(mcts)')?.letters ?? [];
  if (clear === 0) return [];
  const groups = [...new Set(letters.flatMap((one) => [...one.letters]))].sort();
  return groups.flatMap((letter) => {
    const names = letters.filter((one) => one.letters.includes(letter)).map((one) => one.configuration);
    return names.length < 2 ? [] : [`No difference can be claimed within ${formatList(names)}.`];
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
    pluralize(pair.problems, 'problem'),
    interval(low, high),
    probability(pair, family),
  ].join(', ');
  if (pair.metric === 'pass@1') {
    return `First attempts of ${better} pass ${size} points more often than those of ${worse} (${basis}).`;
  }
  const nodesOf = (name: string): number =>
    configurations.find(({ configuration }) => configuration === name)?.runs[0].config.search.nodes ?? 0;
  const [own, other] = [nodesOf(better), nodesOf(worse)];
  const at = own === other ? `at N = ${own}` : `(N = ${own} against ${other})`;
  if (pair.metric === 'pass@n') {
    return `${capitalised(better)} finds a passing program for ${size} points more problems than ${worse} ${at} (${basis}).`;
  }
  return `${capitalised(better)} solves ${size} points more problems than ${worse} ${at} (${basis}).`;
}

function notSignificantSentence(pair: Pair, family: number): string {
  const { first, second, metric, low, high, problems, detectable, problemsNeeded } = pair;
  const so = `${METRIC_TITLES[metric]} of ${first} minus ${second} is ${formatPoints(pair.difference)} points`;
  const start = `Between ${second} and ${first} no difference can be claimed: ${so} (${interval(low, high)}, ${probability(pair, family)})`;
  const these = problems === 1 ? 'this one problem' : `these ${problems} problems`;
  if (detectable === null) {
    return low === high
      ? `${start}; ${these} cannot tell how large a difference would show.`
      : `${start}; ${these} are too few to show any difference.`;
  }
  const needed =
    problemsNeeded === null ? '' : `, and to show the one found would take about ${problemsNeeded} problems`;
  return `${start}; with ${these} a true difference of about ${wholePoints(detectable)} points would show four times in five${needed}.`;
}

function uncertaintySentences({ rows, configurations }: SentenceInput): string[] {
  const sentences: string[] = [];
  const faults = rows.map((row) => Math.max(0, ...row.cells.map((cell) => cell.faults)));
  const faulted = rows.filter((_, i) => (faults[i] ?? 0) > 0).map((row) => row.configuration);
  if (faulted.length > 0) {
    sentences.push(
      `The sandbox failed on some candidates of ${formatList(faulted)}; they are left out, not counted as wrong.`,
    );
  }
  const flat = rows.filter((row) => row.cells.some((cell) => cell.problems > 0 && cell.low === cell.high));
  if (flat.length > 0) {
    const names = formatList(flat.map((row) => row.configuration));
    sentences.push(`All problems agree in a cell of ${names}: an interval without width is no certainty.`);
  }
  if (configurations.length > 0 && configurations.every(({ runs }) => runs.length === 1)) {
    sentences.push(
      'There is one seed per configuration: the intervals cover the choice of problems, not the chance in the search.',
    );
  }
  return sentences;
}

const SEARCH_WORDS = [
  ['strategy', 'strategy'],
  ['nodes', 'nodes per tree'],
  ['batch', 'trials at once in a tree'],
  ['order', 'order of telling'],
  ['score', 'score of a node'],
  ['tie', 'choice between equal nodes'],
  ['samplesPerAgent', 'independent samples'],
  ['feedback', 'feedback to refinements'],
  ['rewardModel', 'reward model'],
  ['stopWhenSolved', 'stop when solved'],
  ['treeBudget', 'budget of a tree'],
  ['grading', 'reading of verdicts'],
] as const satisfies ReadonlyArray<readonly [keyof SearchOptions, string]>;

/** What else than the team differs: without it a reader would take every difference for the team's. */
function settingSentences({ configurations }: SentenceInput): string[] {
  const configs = configurations.map(({ runs }) => runs[0].config);
  const [first] = configs;
  if (first === undefined) return [];
  const differing = SEARCH_WORDS.filter(([key]) =>
    configs.some(({ search }) => JSON.stringify(search[key]) !== JSON.stringify(first.search[key])),
  );
  if (differing.length === 0) return [];
  const what = formatList(differing.map(([, words]) => words));
  const sameTeam = configs.every(({ team }) => JSON.stringify(team) === JSON.stringify(first.team));
  return [
    sameTeam
      ? `All configurations have the same team and differ in the search alone: ${what}.`
      : `The configurations differ in the search as well as in the team: ${what}.`,
  ];
}

/** Agents of a team that no configuration runs alone: whether the team beats its best member is then open. */
function missingBaselineSentences({ configurations }: SentenceInput): string[] {
  const configs = configurations.map(({ runs }) => runs[0].config);
  const alone = new Set(
    configs
      .filter(({ team }) => team.agents.length === 1)
      .flatMap((config) => config.team.agents.map((agent) => modelOf(config, agent))),
  );
  // Rows of an ablation have one team: it is said of all of them at once.
  const missing = new Map<string, { several: boolean; of: string[] }>();
  for (const config of configs) {
    if (config.team.kind !== 'heterogeneous') continue;
    const names = config.team.agents
      .filter((agent) => !alone.has(modelOf(config, agent)))
      .map((agent) => agent.name);
    if (names.length === 0) continue;
    const key = formatList([...new Set(names)]);
    const known = missing.get(key);
    if (known === undefined) missing.set(key, { several: names.length > 1, of: [config.configuration] });
    else known.of.push(config.configuration);
  }
  return [...missing].map(([names, { several, of }]) => {
    const was = several ? 'were' : 'was';
    const whether = of.length === 1 ? 'the team beats its' : 'these teams beat their';
    return `Not measured: ${names} of ${formatList(of)} ${was} not run alone, so whether ${whether} best member is open.`;
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

function interval(low: number, high: number): string {
  return `95 % interval ${formatPoints(low)} to ${formatPoints(high)}`;
}

/** The p-value as it is judged: corrected where there are several pairs. */
function probability({ test }: Pair, family: number): string {
  const p = family > 1 ? test.pHolm : test.p;
  const value = formatP(p);
  return family > 1 ? `${value} after Holm's correction for ${family} comparisons` : value;
}

/** Never less than found: a size that shows is rounded up. */
function wholePoints(rate: number): number {
  return Math.max(1, Math.ceil(rate * 100 - 1e-9));
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
