import type { Agent, Analysis, RunConfig, Scale, SearchOptions } from '../../preload/contract';
import { hasSeveralFamilies, serverDeskModel, testsName } from '../../preload/contract/plans';
import { assertNever, canonicalJson, counted } from '../base';
import { comparisonConclusions, type SentenceInput } from './comparison-sentences';
import { type Conclusion, conclusionTexts, limit, limitOf } from './conclusion';
import type { ConfigurationMetrics } from './configuration-metrics';
import { formatList, formatNames } from './format';
import { ONE_SEED_SENTENCE, POCKET_SENTENCES, SAME_POLICIES_SENTENCE } from './pocket-sentences';
import { haveSamePolicies } from './seed-rows';
import { shortTrees } from './short-trees';

/**
 * The conclusions, the main one first, then what limits them, most important first. That pocket families were made to
 * complement each other, or that the study is not finished yet, is said before them. `secondMain`: index of the sentence that
 * matters most beside the first one, the main limit or, behind such a caution, the main conclusion. `chips`: each of them in
 * one line.
 */
export function sentencesOf(input: SentenceInput): {
  readonly sentences: string[];
  readonly chips: NonNullable<Analysis['chips']>;
  readonly secondMain: number;
} {
  const progress = progressLimits(input);
  const cautions = pocketCautions(input);
  const findings = [...(input.complete ? [] : progress), ...comparisonConclusions(input)];
  const limits = [
    ...(input.complete ? progress : []),
    ...uncertaintyLimits(input),
    ...settingLimits(input),
    ...missingBaselineLimits(input),
    ...scaleLimits(input),
  ];
  const all = [...cautions, ...findings, ...limits];
  return {
    ...conclusionTexts(all),
    secondMain: cautions.length > 0 ? cautions.length : findings.length,
  };
}

/** Cautions for comparisons of families that were made to complement each other. */
function pocketCautions({ configurations }: SentenceInput): Conclusion[] {
  if (!hasSeveralFamilies(configurations.map(({ runs }) => runs[0].config))) return [];
  return POCKET_SENTENCES.map(limitOf);
}

function progressLimits({ complete, compared, planned, configurations }: SentenceInput): Conclusion[] {
  if (configurations.length === 0) return [];
  if (complete && compared < planned) {
    const left = planned - compared;
    const excluded = `${left} of ${counted(planned, 'problem')} ${left === 1 ? 'is' : 'are'} excluded`;
    return [
      limit(excluded, `${excluded}: a recording has no answer there, which says nothing about its model.`),
    ];
  }
  if (complete) return [];
  const interim = 'do not decide on interim intervals, since repeated looks inflate the false-positive rate';
  if (compared === planned) {
    const all = `Not all runs are finished: all ${counted(planned, 'problem')} count so far, over the seeds that have them`;
    return [limit(all, configurations.length === 1 ? `${all}.` : `${all}; ${interim}.`)];
  }
  const of = `${compared} of ${counted(planned, 'problem')}`;
  if (configurations.length === 1) {
    const alone = `Not all runs are finished: ${of} count so far`;
    return [limit(alone, `${alone}.`)];
  }
  const so = `${of} are finished in all configurations and compared so far`;
  const short = `Not all runs are finished: ${of} are finished in all configurations`;
  return [limit(short, `Not all runs are finished: ${so}; ${interim}.`)];
}

function uncertaintyLimits({ rows, configurations }: SentenceInput): Conclusion[] {
  const limits: Conclusion[] = [];
  const faults = rows.map((row) => Math.max(0, ...row.cells.map((cell) => cell.faults)));
  const faulted = rows.filter((_, i) => (faults[i] ?? 0) > 0).map((row) => row.configuration);
  if (faulted.length > 0) {
    const short = `The sandbox or the grader failed on some candidates of ${formatNames(faulted)}`;
    limits.push(limit(short, `${short}. They are excluded, not counted as wrong.`));
  }
  limits.push(...configurations.flatMap(shortTreesLimit));
  if (configurations.length > 0 && configurations.every(({ runs }) => runs.length === 1)) {
    limits.push(limit('One seed per configuration', ONE_SEED_SENTENCE));
  }
  limits.push(...samePolicies(configurations));
  return limits;
}

/** Seeds that only repeat the search, with the same policies: their spread must not be taken for that of trainings. */
function samePolicies(configurations: readonly ConfigurationMetrics[]): Conclusion[] {
  const withSeveralSeeds = configurations.filter(({ runs }) => runs.length > 1);
  const shared = withSeveralSeeds.filter(haveSamePolicies);
  if (shared.length === 0) return [];
  if (shared.length === withSeveralSeeds.length) {
    return [limit('All seeds have the same policies: they vary the search alone', SAME_POLICIES_SENTENCE)];
  }
  const short = `All seeds of ${formatNames(shared.map(({ configuration }) => configuration))} have the same policies`;
  return [
    limit(short, `${short}: they vary the search alone, so the chance of training is not in the spread.`),
  ];
}

/** A recording may have fewer answers to a problem than its trees may have nodes. */
function shortTreesLimit(metrics: ConfigurationMetrics): Conclusion[] {
  const { search } = metrics.runs[0].config;
  const { longestTree } = shortTrees(metrics);
  if (longestTree === undefined) return [];
  const short = `Trees of ${metrics.configuration} end after ${longestTree} of ${counted(search.nodes, 'node')}`;
  return [
    limit(
      short,
      `${short}: its recording has no more answers to a problem. Its curves are level from there on, and trees with more nodes find more by their number alone.`,
    ),
  ];
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
function settingLimits({ configurations }: SentenceInput): Conclusion[] {
  const configs = configurations.map(({ runs }) => runs[0].config);
  const [first] = configs;
  if (first === undefined) return [];
  const differing = SETTING_LABELS.filter(([key]) =>
    configs.some(({ search }) => canonicalJson(search[key]) !== canonicalJson(first.search[key])),
  );
  if (differing.length === 0) return [];
  const settings = formatList(differing.map(([, setting]) => setting));
  const sameTeam = configs.every(({ team }) => canonicalJson(team) === canonicalJson(first.team));
  const sameTests = configs.every((config) => testsName(config) === testsName(first));
  const other = sameTeam ? 'tests' : 'team';
  return [
    sameTeam && sameTests
      ? limit(
          `They differ only in the search: ${settings}`,
          `All configurations have the same team and differ only in the search: ${settings}.`,
        )
      : limit(
          `They differ in the search as well as in the ${other}: ${settings}`,
          `The configurations differ in the search as well as in the ${other}: ${settings}.`,
        ),
  ];
}

/** Agents of a team that no configuration runs alone: whether the team beats its best member is then unknown. */
function missingBaselineLimits({ configurations }: SentenceInput): Conclusion[] {
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
    const key = formatNames([...new Set(names)]);
    const existing = missing.get(key);
    if (existing === undefined) missing.set(key, { several: names.length > 1, of: [config.configuration] });
    else existing.of.push(config.configuration);
  }
  return [...missing].map(([names, { several, of }]) => {
    const was = several ? 'were' : 'was';
    const whether = of.length === 1 ? 'the team beats its' : 'these teams beat their';
    const short = `Not measured: ${names} of ${formatNames(of)} ${was} not run alone`;
    return limit(short, `${short}, so whether ${whether} best member is unknown.`);
  });
}

function modelOf({ team }: RunConfig, agent: Agent): string {
  return team.servers.find(({ id }) => id === agent.serverId)?.model ?? agent.serverId;
}

function scaleLimits(input: SentenceInput): Conclusion[] {
  return [...new Set(input.rows.map((row) => row.scale))]
    .flatMap((scale) => scaleSentence(scale, input))
    .map(limitOf);
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
        "Own scale: other models, or other problems, than those of the papers; the results say nothing about the papers' models.",
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
