import { STRATEGIES } from '../../preload/contract/plans/index';
import { EXTRACTIONS } from '../text/extractions';

/** Names of settings by their path in a run's configuration, as the form of a study calls them; others follow from the path. */
const NAMES: Readonly<Record<string, string>> = {
  benchmarkId: 'Benchmark',
  benchmarkDigest: 'Version of the benchmark (digest)',
  team: 'Kind of team',
  'search.nodes': 'Nodes per tree',
  'search.batch': 'Parallel trials per tree',
  'search.order': 'Order of results',
  'search.score': 'Node score',
  'search.tie': 'Tie-breaking',
  'search.samplesPerAgent': 'Independent samples per agent',
  'search.feedback': 'Refinement feedback',
  'search.rewardModel.use': 'Reward use',
  'search.stopWhenSolved': 'Stop when solved',
  'search.grading': 'Grading mode',
  'search.strategy.kind': 'Strategy',
  'search.strategy.samples': 'Strategy: programs per agent',
  topP: 'top-p',
  topK: 'top-k',
  minP: 'min-p',
  maxTokens: 'most tokens of an answer',
  minTokens: 'least tokens of an answer',
  contextTokens: 'context, tokens',
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

/** "Agent 1: role, system prompt" for "agents[0].role.systemPrompt". */
export function settingName(path: string): string {
  const [, agent, rest = path] = /^agents\[(\d+)\]\.(.+)$/.exec(path) ?? [];
  if (agent !== undefined)
    return `Agent ${Number(agent) + 1}: ${NAMES[rest] ?? NAMES[last(rest)] ?? words(rest)}`;
  const name = NAMES[path] ?? words(path.replace(/^search\./, ''));
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** A value as its field in a form shows it. */
export function settingValue(path: string, value: string): string {
  if (value === 'true' || value === 'false') return value === 'true' ? 'on' : 'off';
  if (path === 'search.strategy.kind') {
    return Object.entries(STRATEGIES).find(([kind]) => kind === value)?.[1].name ?? value;
  }
  if (path.endsWith('.extraction')) return EXTRACTIONS.find((one) => one.value === value)?.label ?? value;
  return value;
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
