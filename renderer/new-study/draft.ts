import { ROLES } from '../../preload/contract/plans/index';
import type { Benchmark } from '../../preload/contract/problem';
import type { Strategy } from '../../preload/contract/strategy';
import { type AgentChoice, agentName, type Library } from './agents';

type AbMcts = Extract<Strategy, { kind: 'ab-mcts-a' }>;

export type ConfigurationDraft = {
  /** Stays while the row is edited or others come and go. */
  readonly key: number;
  /** Empty: named after its agents. */
  readonly name: string;
  readonly agents: readonly AgentChoice[];
  /** What the two roles are told when the team is homogeneous. */
  readonly rolePrompts: readonly [string, string];
};

/** A study as it stands in the form: numbers as they are typed. */
export type StudyDraft = {
  /** Empty: named after what is done. */
  readonly name: string;
  readonly benchmarkId: string;
  /** Empty: all. */
  readonly problems: string;
  readonly strategy: Strategy['kind'];
  readonly beliefs: AbMcts['beliefs'];
  readonly selection: AbMcts['selection'];
  readonly nodes: string;
  readonly samplesPerAgent: string;
  readonly batch: string;
  readonly seeds: string;
  readonly configurations: readonly ConfigurationDraft[];
};

/** What the user has set; the rest follows the benchmark and the strategy. */
export type Touched = Partial<StudyDraft>;

/** N of the papers' searches; a recording that holds fewer samples caps the default. */
const NODES = 60;
/** On the pocket benchmark as in the quickstart, which two cores finish in minutes. */
const POCKET_NODES = 24;
/** Independent samples for Pass@1. Repeated sampling has them in its tree already. */
const SAMPLES_PER_AGENT = 8;

/** Pocket benchmarks are offered last: whoever imported one means that. */
export function defaultBenchmark(library: Library): Benchmark | null {
  const imported = library.benchmarks.filter(({ scale }) => scale !== 'pocket');
  const recorded = imported.find(({ id }) =>
    library.recordings.some(({ benchmarkId }) => benchmarkId === id),
  );
  return recorded ?? imported[0] ?? library.benchmarks[0] ?? null;
}

/** The whole draft; null when there is no benchmark to search. */
export function draftOf(touched: Touched, library: Library): StudyDraft | null {
  const benchmark =
    library.benchmarks.find(({ id }) => id === touched.benchmarkId) ?? defaultBenchmark(library);
  if (benchmark === null) return null;
  const pocket = benchmark.scale === 'pocket';
  const strategy = touched.strategy ?? (pocket ? 'ab-mcts-a' : 'repeated');
  const samples = library.recordings
    .filter(({ benchmarkId }) => benchmarkId === benchmark.id)
    .map(({ mostSamples }) => mostSamples);
  return {
    name: '',
    problems: '',
    beliefs: 'beta',
    selection: 'thompson',
    nodes: String(
      pocket ? POCKET_NODES : samples.length === 0 ? NODES : Math.min(NODES, Math.max(1, ...samples)),
    ),
    samplesPerAgent: String(strategy === 'repeated' ? 0 : SAMPLES_PER_AGENT),
    batch: '1',
    seeds: '1',
    configurations: defaultConfigurations(benchmark, library),
    ...touched,
    benchmarkId: benchmark.id,
    strategy,
  };
}

const READER: AgentChoice = { kind: 'pocket', family: 'reader' };
const TRACER: AgentChoice = { kind: 'pocket', family: 'tracer' };
const NO_MODEL: AgentChoice = { kind: 'url', baseUrl: '', model: '' };

/** The papers' question, asked of what there is: does a team beat its members? */
function defaultConfigurations(benchmark: Benchmark, library: Library): readonly ConfigurationDraft[] {
  if (benchmark.scale === 'pocket') {
    return rows([[READER], [READER, READER], [READER, TRACER]]);
  }
  const recorded = library.recordings
    .filter(({ benchmarkId }) => benchmarkId === benchmark.id)
    .slice(0, 2)
    .map(({ id }): AgentChoice => ({ kind: 'recorded', recordingId: id }));
  if (recorded.length === 0) return rows([[NO_MODEL]]);
  return rows([...recorded.map((one) => [one]), ...(recorded.length === 2 ? [recorded] : [])]);
}

function rows(teams: readonly (readonly AgentChoice[])[]): readonly ConfigurationDraft[] {
  return teams.map((agents, key) => newConfiguration(key, agents));
}

function newConfiguration(key: number, agents: readonly AgentChoice[]): ConfigurationDraft {
  const [solver, refiner] = ROLES;
  return { key, name: '', agents, rolePrompts: [solver.systemPrompt, refiner.systemPrompt] };
}

/** The agent that a new place in a team is filled with: the first of what there is that is not in it yet. */
export function nextAgent(team: readonly AgentChoice[], benchmarkId: string, library: Library): AgentChoice {
  const benchmark = library.benchmarks.find(({ id }) => id === benchmarkId);
  const choices: readonly AgentChoice[] = [
    ...library.recordings
      .filter((recording) => recording.benchmarkId === benchmarkId)
      .map(({ id }): AgentChoice => ({ kind: 'recorded', recordingId: id })),
    ...(benchmark?.scale === 'pocket' ? [READER, TRACER] : []),
  ];
  const taken = new Set(team.map((one) => JSON.stringify(one)));
  return choices.find((one) => !taken.has(JSON.stringify(one))) ?? NO_MODEL;
}

/** What a configuration is called when nobody named it. At most 80 characters. */
export function configurationName(row: ConfigurationDraft, library: Library): string {
  const typed = row.name.trim();
  if (typed !== '') return typed;
  const [first, second] = row.agents;
  const names = row.agents.map((agent) => agentName(agent, library));
  const same =
    first !== undefined && row.agents.length === 2 && JSON.stringify(first) === JSON.stringify(second);
  const name = same ? `${names[0]}, two roles` : names.join(' + ');
  return shortened(name === '' ? 'empty' : name, 80);
}

export const STRATEGY_NAMES: Readonly<Record<Strategy['kind'], string>> = {
  repeated: 'repeated sampling',
  'ab-mcts-a': 'AB-MCTS-A',
};

/** What a study is called when nobody named it. At most 120 characters. */
export function studyName(draft: StudyDraft, library: Library): string {
  const typed = draft.name.trim();
  if (typed !== '') return typed;
  const benchmark = library.benchmarks.find(({ id }) => id === draft.benchmarkId);
  const tail = `, ${STRATEGY_NAMES[draft.strategy]}, N = ${draft.nodes.trim() || '?'}`;
  return `${shortened(benchmark?.name ?? draft.benchmarkId, 120 - tail.length)}${tail}`;
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/**
 * Another benchmark than `before`, which the draft has now: what was said about that one's problems, samples and
 * recordings is forgotten.
 */
export function withBenchmark(touched: Touched, before: string, benchmarkId: string): Touched {
  if (before === benchmarkId) return touched;
  const { problems: _problems, nodes: _nodes, configurations, ...kept } = touched;
  const recorded = configurations?.some(({ agents }) => agents.some(({ kind }) => kind === 'recorded'));
  return {
    ...kept,
    ...(configurations === undefined || recorded ? {} : { configurations }),
    benchmarkId,
  };
}

function freeKey(all: readonly ConfigurationDraft[]): number {
  return Math.max(-1, ...all.map(({ key }) => key)) + 1;
}

export function withConfigurationAdded(draft: StudyDraft, library: Library): Touched {
  const { configurations, benchmarkId } = draft;
  const row = newConfiguration(freeKey(configurations), [nextAgent([], benchmarkId, library)]);
  return { configurations: [...configurations, row] };
}

/** The copy stands below its original, under a name of its own. */
export function withConfigurationCopied(draft: StudyDraft, key: number, library: Library): Touched {
  const { configurations } = draft;
  const names = new Set(configurations.map((row) => configurationName(row, library)));
  return {
    configurations: configurations.flatMap((row) => {
      if (row.key !== key) return [row];
      const base = configurationName(row, library).slice(0, 74);
      let number = 2;
      while (names.has(`${base} (${number})`)) number += 1;
      return [row, { ...row, key: freeKey(configurations), name: `${base} (${number})` }];
    }),
  };
}

export function withConfigurationRemoved(draft: StudyDraft, key: number): Touched {
  return { configurations: draft.configurations.filter((row) => row.key !== key) };
}

export function withConfiguration(
  draft: StudyDraft,
  key: number,
  change: Partial<Omit<ConfigurationDraft, 'key'>>,
): Touched {
  return {
    configurations: draft.configurations.map((row) => (row.key === key ? { ...row, ...change } : row)),
  };
}
