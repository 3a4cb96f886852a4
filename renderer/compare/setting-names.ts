import { capitalised, SAMPLING_SETTINGS, STRATEGIES } from '../../preload/contract/plans/index';
import { EXTRACTIONS } from '../text/extractions';
import {
  FEEDBACK,
  GRADING_MODES,
  ORDERS,
  REWARD_USES,
  SCORES,
  SEARCH_LABELS,
  TIES,
} from '../text/search-settings';

/**
 * Names of settings by their path in a run's configuration that no form has; those of the forms are the forms' own, others
 * follow from the path.
 */
const NAMES: Readonly<Record<string, string>> = {
  benchmarkId: SEARCH_LABELS.benchmark,
  benchmarkDigest: 'Version of the benchmark (digest)',
  team: 'Kind of team',
  'search.rewardModel.use': SEARCH_LABELS.rewardUse,
  'search.strategy.kind': SEARCH_LABELS.strategy,
  extraction: 'extraction of the program',
  'server.kind': 'kind of server',
  'server.model': 'model',
  'server.family': 'family',
  'server.deskModel': 'small language model',
  'server.launchId': 'launch settings',
  'server.recordingId': 'recording',
  'server.checkpointSeed': 'seed of the base checkpoint',
  'server.trained.trainingId': 'training',
  'server.trained.checkpointId': 'checkpoint',
};

/** Options of all strategies. */
const STRATEGY_LABELS: ReadonlyMap<string, string> = new Map(
  Object.values(STRATEGIES).flatMap(({ options }) =>
    Object.entries(options).map(([option, { label }]) => [option, `${SEARCH_LABELS.strategy}: ${label}`]),
  ),
);

/** What a field of the form lets one choose from, by its path in the search. */
const CHOICES: Readonly<Record<string, readonly { readonly value: string; readonly label: string }[]>> = {
  order: ORDERS,
  grading: GRADING_MODES,
  feedback: FEEDBACK,
  score: SCORES,
  tie: TIES,
};

/** "Agent 1: role, system prompt" for "agents[0].role.systemPrompt". */
export function settingName(path: string): string {
  const [, agent, rest = path] = /^agents\[(\d+)\]\.(.+)$/.exec(path) ?? [];
  if (agent !== undefined)
    return `Agent ${Number(agent) + 1}: ${NAMES[rest] ?? NAMES[last(rest)] ?? samplingName(rest) ?? words(rest)}`;
  const name = NAMES[path] ?? formLabel(path) ?? words(path.replace(/^search\./, ''));
  return capitalised(name);
}

/** A value as its field in a form shows it. */
export function settingValue(path: string, value: string): string {
  if (value === 'true' || value === 'false') return value === 'true' ? 'on' : 'off';
  if (path === 'search.strategy.kind') {
    return Object.entries(STRATEGIES).find(([kind]) => kind === value)?.[1].name ?? value;
  }
  const choices = path === 'search.rewardModel.use' ? REWARD_USES : CHOICES[path.replace('search.', '')];
  const shown = choices?.find((choice) => choice.value === value);
  if (shown !== undefined) return shown.label;
  if (path.endsWith('.extraction')) return EXTRACTIONS.find((one) => one.value === value)?.label ?? value;
  return value;
}

/** Of a field of the search, or of its strategy; undefined: the form has none. */
function formLabel(path: string): string | undefined {
  const [, option] = /^search\.strategy\.(\w+)$/.exec(path) ?? [];
  if (option !== undefined) return STRATEGY_LABELS.get(option);
  const [, field = ''] = /^search\.(\w+)$/.exec(path) ?? [];
  return Object.entries(SEARCH_LABELS).find(([key]) => key === field)?.[1];
}

function samplingName(path: string): string | undefined {
  const field = last(path);
  const label = SAMPLING_SETTINGS.find((setting) => setting.field === field)?.label;
  return label === undefined ? undefined : label.charAt(0).toLowerCase() + label.slice(1);
}

function last(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** "tree budget, tokens" for "treeBudget.tokens"; what a list holds counts from 1. */
function words(path: string): string {
  return path
    .replace(/\[(\d+)\]/g, (_, at: string) => ` ${Number(at) + 1}`)
    .split('.')
    .map((part) => part.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))
    .join(', ');
}
