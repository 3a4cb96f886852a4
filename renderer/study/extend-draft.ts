import type { Payload } from '../../preload/contract/commands/index';
import {
  configurationsOf,
  MAX_SEEDS,
  PRESETS,
  readSeeds,
  teamOfMembers,
} from '../../preload/contract/plans/index';
import type { Benchmark } from '../../preload/contract/problem';
import type { Study } from '../../preload/contract/study';
import type { Agent, ServerSpec, Team } from '../../preload/contract/team';
import {
  agentErrors,
  type FieldError,
  type Library,
  memberOf,
  type TeamDraft,
  teamName,
} from '../shared/agents/index';
import { wholeNumber } from '../widgets/typed-numbers';

/** A configuration to add. */
export type AddedConfiguration = TeamDraft & {
  /** Empty: named after team and strategy. */
  readonly name: string;
  /** Label of a `TeamChoice`; null: a team of `agents`. */
  readonly team: string | null;
  /** A preset's id; null: the study's strategy. */
  readonly preset: string | null;
};

/** What the user adds to a study, and the limits of its trees; numbers as typed, empty: nothing. */
export type ExtendDraft = {
  readonly seeds: string;
  readonly problems: string;
  readonly nodes: string;
  /** Or "max": no limit. */
  readonly tokens: string;
  readonly seconds: string;
  readonly configurations: readonly AddedConfiguration[];
};

export const NOTHING_ADDED: ExtendDraft = {
  ...{ seeds: '', problems: '', nodes: '', tokens: '', seconds: '' },
  configurations: [],
};

export type ExtendField = 'seeds' | 'problems' | 'nodes' | 'tokens' | 'seconds';
export type CheckedExtension = {
  readonly errors: Partial<Record<ExtendField, string>>;
  /** Of configurations, by key. */
  readonly rowErrors: ReadonlyMap<number, string>;
  /** Of the agents of configurations. */
  readonly agentErrors: readonly FieldError[];
  /** null: nothing is added, or there are errors. */
  readonly request: Omit<Payload<'study.extend'>, 'apply'> | null;
};

/** A team of the study's models. */
export type TeamChoice = { readonly label: string; readonly isNew: boolean; readonly team: Team };

const MAX_PROBLEMS = 1_000_000;
const MAX_NODES = 100_000;
const MAX_TOKENS = 1_000_000_000;
const MAX_SECONDS = 1_000_000;
const MAX_NAME = 80;

/** The teams of the study, then each of its models alone and each two of them together. */
export function teamChoices(study: Study): readonly TeamChoice[] {
  const runs = configurationsOf(study).map((name) => study.runs.find((run) => run.configuration === name));
  const own = runs.flatMap((run) =>
    run === undefined ? [] : [{ label: run.configuration, isNew: false, team: run.team }],
  );
  const members = new Map<string, { readonly server: ServerSpec; readonly agent: Agent }>();
  for (const { team } of own) {
    for (const agent of team.agents) {
      const server = team.servers.find(({ id }) => id === agent.serverId);
      if (server !== undefined && !members.has(server.model)) members.set(server.model, { server, agent });
    }
  }
  const single = [...members.values()].map(({ server, agent }) => ({
    ...{ server, sampling: agent.sampling, extraction: agent.extraction, promptFormat: agent.promptFormat },
    // As lists call it; that of a role has the role in it.
    name: server.kind === 'pocket' || agent.role !== null ? server.model : agent.name,
  }));
  const sets = [
    ...single.map((member) => [member]),
    ...single.flatMap((one, at) => single.slice(at + 1).map((other) => [one, other])),
  ];
  const teams = new Set(own.map(({ team }) => makeUp(team)));
  const others = sets.flatMap((set): TeamChoice[] => {
    const team = teamOfMembers(set);
    if (team === null || teams.has(makeUp(team))) return [];
    const names = set.map(({ name }) => name).join(' + ');
    return [{ label: set.length === 1 ? `${names} alone` : names, isNew: true, team }];
  });
  return [...own, ...others];
}

/** Which models play which roles. */
function makeUp({ agents, servers }: Team): string {
  const places = agents.map(({ serverId, role }) => [
    servers.find(({ id }) => id === serverId)?.model,
    role?.name ?? null,
  ]);
  return JSON.stringify(places.sort());
}

/** The name of a configuration to add: typed, or after its team and strategy. */
export function addedName(
  { name, team, agents, preset }: AddedConfiguration,
  library: Library | null,
): string {
  const typed = name.trim();
  if (typed !== '') return typed;
  const strategy = PRESETS.find(({ id }) => id === preset)?.name;
  const own = team ?? (library === null ? 'new agents' : teamName(agents, library));
  return `${own}${strategy === undefined ? '' : `, ${strategy}`}`.slice(0, MAX_NAME);
}

/** How many problems the study has. */
export function problemsOf(study: Study): number {
  return Math.max(...study.runs.map(({ problemIds }) => problemIds.length));
}

/** What agents can be chosen from; null: not known yet. */
export type AgentSources = { readonly benchmark: Benchmark | null; readonly library: Library | null };

/** What is typed as a request to main, which decides what of it is possible. */
export function checkExtension(
  draft: ExtendDraft,
  study: Study,
  { benchmark, library }: AgentSources = { benchmark: null, library: null },
): CheckedExtension {
  const errors: Partial<Record<ExtendField, string>> = {};
  const number = (field: Exclude<ExtendField, 'seeds'>, most: number, least = 1): number | undefined => {
    if (draft[field].trim() === '') return undefined;
    const read = wholeNumber(draft[field], [least, most]);
    if (read.ok) return read.value;
    errors[field] = read.message;
    return undefined;
  };
  const problems = number('problems', benchmark?.problems ?? MAX_PROBLEMS, problemsOf(study) + 1);
  const nodes = number('nodes', MAX_NODES);
  const limit = (field: 'tokens' | 'seconds', most: number): number | null | undefined =>
    draft[field].trim() === 'max' ? null : number(field, most);
  const tokens = limit('tokens', MAX_TOKENS);
  const seconds = limit('seconds', MAX_SECONDS);
  const seeds = readSeeds(draft.seeds, MAX_SEEDS);
  if (!seeds.ok) errors.seeds = seeds.message;
  const rowErrors = nameErrors(draft.configurations, configurationsOf(study), library);
  const choices = teamChoices(study);
  const wrongAgents = draft.configurations.flatMap((row) =>
    row.team !== null || benchmark === null || library === null ? [] : agentErrors(row, benchmark, library),
  );
  const configurations = draft.configurations.flatMap((row) => {
    const team =
      row.team === null
        ? teamOfMembers(row.agents.map((_, at) => memberOf(row.agents, at)))
        : choices.find(({ label }) => label === row.team)?.team;
    return team === undefined || team === null
      ? []
      : [{ configuration: addedName(row, library), team, ...searchOf(row.preset) }];
  });
  const parts = {
    ...(seeds.ok && seeds.value.length > 0 && { seeds: [...seeds.value] }),
    ...(problems !== undefined && { problems }),
    ...(nodes !== undefined && { nodes }),
    ...(tokens !== undefined && { tokens }),
    ...(seconds !== undefined && { seconds }),
    ...(configurations.length > 0 && { configurations }),
  };
  const isEmpty = Object.keys(parts).length === 0;
  const isWrong = Object.keys(errors).length + rowErrors.size + wrongAgents.length > 0;
  return {
    errors,
    rowErrors,
    agentErrors: wrongAgents,
    request: isEmpty || isWrong ? null : { studyId: study.id, ...parts },
  };
}

function searchOf(id: string | null) {
  const preset = PRESETS.find((candidate) => candidate.id === id);
  if (preset === undefined) return {};
  const { guided: _guided, ...search } = preset.method;
  return { search };
}

function nameErrors(
  rows: readonly AddedConfiguration[],
  known: readonly string[],
  library: Library | null,
): ReadonlyMap<number, string> {
  const names = new Set(known);
  const errors = new Map<number, string>();
  for (const row of rows) {
    const name = addedName(row, library);
    if (names.has(name)) errors.set(row.key, `"${name}" is there already. Choose another name.`);
    names.add(name);
  }
  return errors;
}

/** The next configuration to add: of a team that the study lacks where there is one, else with another strategy. */
export function nextConfiguration(
  study: Study,
  rows: readonly AddedConfiguration[],
  library: Library | null = null,
): AddedConfiguration {
  const key = Math.max(-1, ...rows.map((row) => row.key)) + 1;
  const choices = teamChoices(study);
  const names = new Set([...configurationsOf(study), ...rows.map((row) => addedName(row, library))]);
  const teams = [...choices.filter(({ isNew }) => isNew), ...choices.filter(({ isNew }) => !isNew)];
  const all = [null, ...PRESETS.map(({ id }) => id)].flatMap((preset) =>
    teams.map(({ label, isNew }) => ({ isNew, row: { key, name: '', team: label, agents: [], preset } })),
  );
  const free = all.find(
    ({ isNew, row }) => (isNew || row.preset !== null) && !names.has(addedName(row, library)),
  );
  return free?.row ?? { key, name: '', team: teams[0]?.label ?? '', agents: [], preset: null };
}
