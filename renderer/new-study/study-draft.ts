import { firstFreeName, methodTitle } from '../../preload/contract/plans/index';
import type { Benchmark } from '../../preload/contract/problem';
import type { SearchChange, SearchOptions } from '../../preload/contract/strategy';
import {
  type AgentChoice,
  type Library,
  NO_MODEL,
  nextAgent,
  READER,
  type TeamDraft,
  TRACER,
  teamName,
} from '../shared/agents/index';
import type { ValueList } from '../widgets/typed-values';
import { type MethodDraft, methodOfPreset, presetNamed, searchOptionsOf } from './method-draft';

export type ConfigurationDraft = TeamDraft & {
  /** Empty: named after its agents. */
  readonly name: string;
  /** Search preset of this row; null: the study's method. */
  readonly preset: string | null;
  /** From a copied study: this row's search settings that the form has no fields for. */
  readonly keeps?: SearchChange;
};

/** The form's content; numbers as entered. */
export type StudyDraft = {
  /** Empty: a default name. */
  readonly name: string;
  readonly benchmarkId: string;
  /** Empty: all. */
  readonly problems: string;
  /** Contest days, both inclusive, e.g. "2025-01-01"; empty: no limit. */
  readonly from: string;
  readonly to: string;
  readonly includeExcluded: boolean;
  /** Leaves out problems without public tests. */
  readonly needsPublicTests: boolean;
  /** The preset that `method` started from. */
  readonly preset: string;
  readonly method: MethodDraft;
  readonly nodes: string;
  readonly samplesPerAgent: string;
  readonly batch: string;
  readonly order: SearchOptions['order'];
  readonly stopWhenSolved: boolean;
  /** Further limits per tree; empty: none. */
  readonly treeTokens: string;
  readonly treeSeconds: string;
  readonly grading: SearchOptions['grading'];
  readonly seeds: string;
  /** Settings of the search with several values: each configuration is searched with each. */
  readonly sweep: readonly ValueList[];
  readonly configurations: readonly ConfigurationDraft[];
  /** Carried over from a copied study; null: there was none. */
  readonly note: string | null;
  /** Sentences about what a copied study has and the form has not. */
  readonly lost: readonly string[];
};

/** What the user has changed; other fields follow the benchmark and the strategy. */
export type StudyEdits = Partial<StudyDraft>;

/** N of the papers' searches; recordings with fewer samples lower the default. */
const NODES = 60;
/** As in the quickstart, which two cores finish in minutes. */
const POCKET_NODES = 24;
/** Independent samples for Pass@1. Repeated sampling already has them in its tree. */
const SAMPLES_PER_AGENT = 8;

/** An imported benchmark comes before pocket ones: a user who imported it wants to use it. */
export function defaultBenchmark(library: Library): Benchmark | null {
  const imported = library.benchmarks.filter(({ scale }) => scale !== 'pocket');
  const recorded = imported.find(({ id }) =>
    library.recordings.some(({ benchmarkId }) => benchmarkId === id),
  );
  return recorded ?? imported[0] ?? library.benchmarks[0] ?? null;
}

/** The complete draft; null without any benchmark. */
export function draftOf(edits: StudyEdits, library: Library): StudyDraft | null {
  const benchmark =
    library.benchmarks.find(({ id }) => id === edits.benchmarkId) ?? defaultBenchmark(library);
  if (benchmark === null) return null;
  const pocket = benchmark.scale === 'pocket';
  const preset = edits.preset ?? (pocket ? 'ab-mcts-a' : 'repeated');
  const method = edits.method ?? methodOfPreset(presetNamed(preset), pocket);
  const samples = library.recordings
    .filter(({ benchmarkId }) => benchmarkId === benchmark.id)
    .map(({ mostSamples }) => mostSamples);
  return {
    name: '',
    problems: '',
    from: '',
    to: '',
    includeExcluded: false,
    needsPublicTests: false,
    nodes: String(
      pocket ? POCKET_NODES : samples.length === 0 ? NODES : Math.min(NODES, Math.max(1, ...samples)),
    ),
    samplesPerAgent: String(method.strategy.kind === 'repeated' ? 0 : SAMPLES_PER_AGENT),
    batch: '1',
    order: 'asked',
    stopWhenSolved: false,
    treeTokens: '',
    treeSeconds: '',
    grading: 'as-program',
    seeds: '1',
    sweep: [],
    configurations: defaultConfigurations(benchmark, library),
    note: null,
    lost: [],
    ...edits,
    benchmarkId: benchmark.id,
    preset,
    method,
  };
}

/** Default configurations for the papers' question: does a team beat its members? */
function defaultConfigurations(benchmark: Benchmark, library: Library): readonly ConfigurationDraft[] {
  if (benchmark.scale === 'pocket') {
    return rows([[READER], [READER, READER], [READER, TRACER]]);
  }
  const recorded = library.recordings
    .filter(({ benchmarkId }) => benchmarkId === benchmark.id)
    .slice(0, 2)
    .map(({ id }): AgentChoice => ({ kind: 'recorded', recordingId: id }));
  if (recorded.length === 0) return rows([[NO_MODEL]]);
  return rows([...recorded.map((choice) => [choice]), ...(recorded.length === 2 ? [recorded] : [])]);
}

function rows(teams: readonly (readonly AgentChoice[])[]): readonly ConfigurationDraft[] {
  return teams.map((agents, key) => newConfiguration(key, agents));
}

function newConfiguration(key: number, agents: readonly AgentChoice[]): ConfigurationDraft {
  return { key, name: '', agents, preset: null };
}

/** The names of the configurations: as typed, else after their agents, with a number where another one has that name. */
export function configurationNames(rows: readonly ConfigurationDraft[], library: Library): readonly string[] {
  const taken = new Set(rows.map(({ name }) => name.trim()));
  return rows.map((row) => {
    const name = row.name.trim() || freeName(nameByAgents(row, library), taken);
    taken.add(name);
    return name;
  });
}

/** The name itself, or with a number, of at most 80 characters. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? firstFreeName(shortened(name, 74), ' ', taken) : name;
}

/** At most 80 characters. */
function nameByAgents(row: ConfigurationDraft, library: Library): string {
  const how = row.preset === null ? '' : `, ${presetNamed(row.preset).name}`;
  return `${shortened(teamName(row.agents, library), 80 - how.length)}${how}`;
}

/** As every screen will call the study's search. */
export function methodName({ method }: StudyDraft): string {
  return methodTitle(searchOptionsOf(method));
}

/** The name of the study, by default from benchmark and method. At most 120 characters. */
export function studyName(draft: StudyDraft, library: Library): string {
  const typed = draft.name.trim();
  if (typed !== '') return typed;
  const benchmark = library.benchmarks.find(({ id }) => id === draft.benchmarkId);
  const varied = draft.sweep.find(({ id }) => id === 'nodes')?.values.trim() ?? '';
  const tail = `, ${methodName(draft)}, N = ${varied || draft.nodes.trim() || '?'}`.slice(0, 100);
  const name = benchmark?.name ?? draft.benchmarkId;
  // The seed that generated the problems would be taken for one of the study's own.
  const problems = benchmark?.scale === 'pocket' ? name.replace(/, seed \d+$/, '') : name;
  return `${shortened(problems, 120 - tail.length)}${tail}`;
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/**
 * Switches from the benchmark `before` to another: edits of problems and nodes, and configurations with recordings, are
 * reset.
 */
export function withBenchmark(edits: StudyEdits, before: string, benchmarkId: string): StudyEdits {
  if (before === benchmarkId) return edits;
  const { problems: _problems, nodes: _nodes, from: _from, to: _to, configurations, ...rest } = edits;
  const recorded = configurations?.some(({ agents }) => agents.some(({ kind }) => kind === 'recorded'));
  return {
    ...rest,
    ...(configurations === undefined || recorded ? {} : { configurations }),
    benchmarkId,
  };
}

/** Switches the search preset and resets changes of the method. An unknown preset changes nothing. */
export function withPreset(
  edits: StudyEdits,
  id: string,
  benchmark: Pick<Benchmark, 'scale'> | undefined,
): StudyEdits {
  const preset = presetNamed(id);
  if (preset.id !== id) return edits;
  return { ...edits, preset: id, method: methodOfPreset(preset, benchmark?.scale === 'pocket') };
}

function nextKey(all: readonly ConfigurationDraft[]): number {
  return Math.max(-1, ...all.map(({ key }) => key)) + 1;
}

export function withConfigurationAdded(draft: StudyDraft, library: Library): StudyEdits {
  const { configurations, benchmarkId } = draft;
  const row = newConfiguration(nextKey(configurations), [nextAgent([], benchmarkId, library)]);
  return { configurations: [...configurations, row] };
}

/** Inserts a copy below the original; of a name that was typed, with a new one. */
export function withConfigurationCopied(draft: StudyDraft, key: number, library: Library): StudyEdits {
  const { configurations } = draft;
  const names = new Set(configurationNames(configurations, library));
  return {
    configurations: configurations.flatMap((row) => {
      if (row.key !== key) return [row];
      const name = row.name.trim() === '' ? '' : freeName(row.name.trim(), names);
      return [row, { ...row, key: nextKey(configurations), name }];
    }),
  };
}

export function withConfigurationRemoved(draft: StudyDraft, key: number): StudyEdits {
  return { configurations: draft.configurations.filter((row) => row.key !== key) };
}

/** The row's preset; of a copied study it keeps no method beside that. */
export function withRowPreset(draft: StudyDraft, key: number, preset: string | null): StudyEdits {
  return changedRow(draft, key, ({ keeps = {}, ...row }) => {
    const { strategy: _s, score: _c, tie: _t, feedback: _f, rewardModel: _r, ...size } = keeps;
    return { ...row, preset, ...(Object.keys(size).length === 0 ? {} : { keeps: size }) };
  });
}

/** The row without its overrides from a copied study, and without the name that may describe them. */
export function withoutOverrides(draft: StudyDraft, key: number): StudyEdits {
  return changedRow(draft, key, ({ keeps: _keeps, ...row }) => ({ ...row, name: '' }));
}

export function withConfiguration(
  draft: StudyDraft,
  key: number,
  change: Partial<Omit<ConfigurationDraft, 'key'>>,
): StudyEdits {
  return changedRow(draft, key, (row) => ({ ...row, ...change }));
}

function changedRow(
  { configurations }: StudyDraft,
  key: number,
  changed: (row: ConfigurationDraft) => ConfigurationDraft,
): StudyEdits {
  return { configurations: configurations.map((row) => (row.key === key ? changed(row) : row)) };
}
