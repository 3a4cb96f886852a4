import type { Agent, RunConfig, Scale, SearchOptions } from '../../preload/contract';
import { serverDeskModel } from '../../preload/contract/plans';
import { assertNever, counted } from '../base';
import { comparisonSentences, type SentenceInput } from './comparison-sentences';
import { formatList } from './format';
import { ONE_SEED_SENTENCE, POCKET_SENTENCES } from './pocket-sentences';

/**
 * The conclusions, the main one first, then what limits them, most important first. That pocket families were made to
 * complement each other, or that the study is not finished yet, is said before them. `secondMain`: index of the sentence that
 * matters most beside the first one, the main limit or, behind such a caution, the main conclusion.
 */
export function sentencesOf(input: SentenceInput): {
  readonly sentences: string[];
  readonly secondMain: number;
} {
  const progress = progressSentences(input);
  const cautions = pocketSentences(input);
  const findings = [...(input.complete ? [] : progress), ...comparisonSentences(input)];
  const limits = [
    ...(input.complete ? progress : []),
    ...uncertaintySentences(input),
    ...settingSentences(input),
    ...missingBaselineSentences(input),
    ...scaleSentences(input),
  ];
  return {
    sentences: [...cautions, ...findings, ...limits],
    secondMain: cautions.length > 0 ? cautions.length : findings.length,
  };
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
      `${left} of ${counted(planned, 'problem')} ${left === 1 ? 'is' : 'are'} excluded: a recording has no answer there, which says nothing about its model.`,
    ];
  }
  if (complete) return [];
  if (configurations.length === 1) {
    return [`Not all runs are finished: ${compared} of ${counted(planned, 'problem')} count so far.`];
  }
  const so = `${compared} of ${counted(planned, 'problem')} are finished in all configurations and compared so far`;
  return [
    `Not all runs are finished: ${so}; do not decide on interim intervals, since repeated looks inflate the false-positive rate.`,
  ];
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
    sentences.push(ONE_SEED_SENTENCE);
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
