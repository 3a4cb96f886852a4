import type { Payload } from '../../preload/contract/commands/index';
import { candidatesOf, PLAIN_SEARCH, teamOfMembers } from '../../preload/contract/plans/index';
import type { Benchmark } from '../../preload/contract/problem';
import type { SearchChange, SearchOptions } from '../../preload/contract/strategy';
import type { Team, TeamKind } from '../../preload/contract/team';
import { numberIn, seedsOf, wholeNumber } from '../widgets/typed-numbers';
import { type AgentChoice, isApiAddress, type Library, memberOf } from './agents';
import { type ConfigurationDraft, configurationName, type StudyDraft, studyName } from './draft';
import { type MethodDraft, methodFrom, presetNamed, searchOfMethod } from './method';
import { LIMITS, MEMBER_LIMITS } from './numbers';
import { warningsOf } from './warnings';

/** Where on the form something is said. */
export type Spot =
  | 'name'
  | 'problems'
  | 'days'
  | 'rewardUrl'
  | 'nodes'
  | 'samplesPerAgent'
  | 'batch'
  | 'treeTokens'
  | 'treeSeconds'
  | 'seeds'
  | 'configurations'
  | 'study'
  | `${number} name`
  | `${number} team`
  | `${number} agent ${number}`
  | `${number} address ${number}`
  | `${number} model ${number}`
  | `${number} details ${number}`;

/** missing: not filled in yet, which is only said once the user wants to create; wrong: said at once. */
export type Fault = { readonly at: Spot; readonly kind: 'missing' | 'wrong'; readonly message: string };
export type Warning = { readonly at: Spot; readonly message: string };

export type CheckedRow = {
  readonly key: number;
  readonly name: string;
  /** null: its agents make no team. */
  readonly kind: TeamKind | null;
  /** At most, for all seeds; null while a number is missing. */
  readonly programs: number | null;
};

export type CheckedDraft = {
  readonly faults: readonly Fault[];
  readonly warnings: readonly Warning[];
  readonly rows: readonly CheckedRow[];
  /** Of the whole study; null while a number is missing. */
  readonly programs: number | null;
  /** Searched problems; null while that is no number. */
  readonly problems: number | null;
  /** null while there are faults. */
  readonly order: Payload<'study.create'> | null;
};

/** Agents of one team: there are four marks, and with each more than twice a tree cannot be read. */
const MOST_AGENTS = 8;
const MOST_CONFIGURATIONS = 50;

/** All that can be said about a draft before main sees it. */
export function checkDraft(draft: StudyDraft, benchmark: Benchmark, library: Library): CheckedDraft {
  const faults: Fault[] = [];
  const fault = (at: Spot, message: string, kind: Fault['kind'] = 'wrong'): void => {
    faults.push({ at, kind, message });
  };
  const number = (at: 'nodes' | 'samplesPerAgent' | 'batch'): number | null => {
    const read = wholeNumber(draft[at], LIMITS[at]);
    if (read.ok) return read.value;
    fault(at, read.message, draft[at].trim() === '' ? 'missing' : 'wrong');
    return null;
  };
  const ownLimit = (at: 'treeTokens' | 'treeSeconds'): number | null => {
    if (draft[at].trim() === '') return null;
    const read = at === 'treeTokens' ? wholeNumber(draft[at], LIMITS[at]) : numberIn(draft[at], LIMITS[at]);
    if (read.ok) return read.value;
    fault(at, read.message);
    return null;
  };
  const nodes = number('nodes');
  const samplesPerAgent = number('samplesPerAgent');
  const batch = number('batch');
  const treeTokens = ownLimit('treeTokens');
  const treeSeconds = ownLimit('treeSeconds');
  if (draft.method.reward === 'http' && !isApiAddress(draft.method.rewardUrl.trim())) {
    const empty = draft.method.rewardUrl.trim() === '';
    fault(
      'rewardUrl',
      'Where does the reward model answer? Write the whole address.',
      empty ? 'missing' : 'wrong',
    );
  }
  if (![draft.from, draft.to].every((day) => day.trim() === '' || isDay(day.trim()))) {
    fault('days', 'Days are written 2025-01-31.');
  }
  const problems = problemsOf(draft, benchmark);
  if (problems === null) fault('problems', `All when empty, else 1 to ${benchmark.problems}.`);
  const seeds = seedsOf(draft.seeds);
  if (!seeds.ok) fault('seeds', seeds.message, draft.seeds.trim() === '' ? 'missing' : 'wrong');
  if (draft.name.trim().length > 120) fault('name', 'At most 120 characters.');

  const { configurations } = draft;
  if (configurations.length === 0) fault('configurations', 'Add a configuration to search with.', 'missing');
  if (configurations.length > MOST_CONFIGURATIONS) {
    fault('configurations', `At most ${MOST_CONFIGURATIONS} configurations in one study.`);
  }
  const names = configurations.map((row) => configurationName(row, library));
  const teams = configurations.map((row, at) => {
    const name = names[at] ?? '';
    if (name.length > 80) fault(`${row.key} name`, 'At most 80 characters.');
    if (names.indexOf(name) !== at) {
      fault(`${row.key} name`, `There is a "${name}" above; results are told apart by the name.`);
    }
    faults.push(...agentFaults(row, benchmark, library));
    return teamOfRow(row);
  });

  const search: SearchOptions | null =
    nodes === null || samplesPerAgent === null || batch === null
      ? null
      : {
          ...PLAIN_SEARCH,
          ...searchOfMethod(draft.method),
          nodes,
          batch,
          order: draft.order,
          samplesPerAgent,
          stopWhenSolved: draft.stopWhenSolved,
          treeBudget: { tokens: treeTokens, seconds: treeSeconds },
          grading: draft.grading,
        };
  const rows = configurations.map((row, at): CheckedRow => {
    const team = teams[at] ?? null;
    const programs =
      team === null || search === null || problems === null || !seeds.ok
        ? null
        : seeds.value.length *
          candidatesOf({ team, search, problemIds: { length: problems } }, heldBy(row, library));
    return { key: row.key, name: names[at] ?? '', kind: team?.kind ?? null, programs };
  });
  const whole = rows.every(({ programs }) => programs !== null) && rows.length > 0;
  const programs = whole ? rows.reduce((sum, row) => sum + (row.programs ?? 0), 0) : null;
  const warnings =
    search === null || problems === null || !seeds.ok
      ? []
      : warningsOf({ draft, benchmark, library, search, problems, seeds: seeds.value, programs });
  const order =
    faults.length > 0 || search === null || !seeds.ok
      ? null
      : {
          name: studyName(draft, library),
          benchmarkId: benchmark.id,
          ...(draft.problems.trim() === '' || problems === null ? {} : { problems }),
          ...(draft.from.trim() === '' ? {} : { from: draft.from.trim() }),
          ...(draft.to.trim() === '' ? {} : { to: draft.to.trim() }),
          includeExcluded: draft.includeExcluded,
          configurations: teams.flatMap((team, at) =>
            team === null
              ? []
              : [{ configuration: names[at] ?? '', team, ...ownSearch(configurations[at], benchmark) }],
          ),
          search,
          seeds: [...seeds.value],
        };
  return { faults, warnings, rows, programs, problems, order };
}

/** A recording ends; every other agent writes as long as it is asked. */
function heldBy(row: ConfigurationDraft, library: Library): readonly number[] {
  return row.agents.map((agent) => {
    const recording =
      agent.kind === 'recorded' ? library.recordings.find(({ id }) => id === agent.recordingId) : undefined;
    return recording?.mostSamples ?? Number.POSITIVE_INFINITY;
  });
}

/** At most: how many contests fall into the days, main alone knows. */
function problemsOf(draft: StudyDraft, benchmark: Benchmark): number | null {
  const excluded = draft.includeExcluded ? 0 : benchmark.marks.filter(({ exclude }) => exclude).length;
  if (draft.problems.trim() === '') return benchmark.problems - excluded;
  const read = wholeNumber(draft.problems, [1, benchmark.problems]);
  return read.ok ? Math.min(read.value, benchmark.problems - excluded) : null;
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
}

/** What a row searches by, where it has a preset of its own. */
function ownSearch(
  row: ConfigurationDraft | undefined,
  benchmark: Benchmark,
): { readonly search?: SearchChange } {
  if (row === undefined || row.preset === null) return {};
  const method: MethodDraft = methodFrom(presetNamed(row.preset), benchmark.scale === 'pocket');
  return { search: searchOfMethod(method) };
}

function teamOfRow({ agents }: ConfigurationDraft): Team | null {
  return teamOfMembers(agents.map((_, at) => memberOf(agents, at)));
}

function detailFaults({ key, agents }: ConfigurationDraft): Fault[] {
  return agents.flatMap(({ details }, at) =>
    MEMBER_LIMITS.flatMap(({ field, name, limits, whole }): Fault[] => {
      const text = details?.[field].trim() ?? '';
      if (text === '') return [];
      const read = whole ? wholeNumber(text, limits) : numberIn(text, limits);
      return read.ok
        ? []
        : [{ at: `${key} details ${at}`, kind: 'wrong', message: `${name}: ${lowered(read.message)}` }];
    }),
  );
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function agentFaults(row: ConfigurationDraft, benchmark: Benchmark, library: Library): Fault[] {
  const { key, agents } = row;
  const faults: Fault[] = [];
  if (agents.length === 0) {
    return [{ at: `${key} team`, kind: 'missing', message: 'A configuration needs an agent.' }];
  }
  if (agents.length > MOST_AGENTS) {
    faults.push({ at: `${key} team`, kind: 'wrong', message: `At most ${MOST_AGENTS} agents in a team.` });
  }
  for (const [at, agent] of agents.entries()) {
    if (agent.kind === 'url') {
      const address = agent.baseUrl.trim();
      if (address === '') {
        faults.push({ at: `${key} address ${at}`, kind: 'missing', message: 'Where does the model answer?' });
      } else if (!isApiAddress(address)) {
        const message = 'No address: write it whole, e.g. http://127.0.0.1:8000/v1';
        faults.push({ at: `${key} address ${at}`, kind: 'wrong', message });
      }
      if (agent.model.trim() === '') {
        faults.push({
          at: `${key} model ${at}`,
          kind: 'missing',
          message: 'What is the model called there?',
        });
      }
    }
    if (agent.kind === 'launch' && !library.launches.some(({ id }) => id === agent.launchId)) {
      const message = `The launch ${agent.launchId} is not saved (any more). Choose another model.`;
      faults.push({ at: `${key} agent ${at}`, kind: 'wrong', message });
    }
    if (agent.kind === 'recorded') {
      const recording = library.recordings.find(({ id }) => id === agent.recordingId);
      const message =
        recording === undefined
          ? `The recording ${agent.recordingId} is not in the library.`
          : recording.benchmarkId === benchmark.id
            ? null
            : `${recording.name} answers other problems than those of ${benchmark.name}.`;
      if (message !== null) faults.push({ at: `${key} agent ${at}`, kind: 'wrong', message });
    }
  }
  faults.push(...detailFaults(row));
  faults.push(...twinFaults(row));
  return faults;
}

/** Agents of one team that nothing tells apart. */
function twinFaults(row: ConfigurationDraft): Fault[] {
  const { key, agents } = row;
  const seen = new Map<string, number>();
  for (const [at, agent] of agents.entries()) {
    const { budget: _budget, ...same } = memberOf(agents, at);
    const role = same.role === undefined ? null : same.role.systemPrompt;
    const text = JSON.stringify(agent.kind === 'recorded' ? same.server : { ...same, role });
    if (seen.has(text) && !isUnfilled(agent)) {
      const message =
        agent.kind === 'recorded'
          ? 'A recording knows no roles: both would replay the same samples, and each program would count twice.'
          : 'This agent is told the same as another one, so they are one; give it another prompt or temperature.';
      return [{ at: `${key} agent ${at}`, kind: 'wrong', message }];
    }
    seen.set(text, at);
  }
  return [];
}

function isUnfilled(agent: AgentChoice): boolean {
  return agent.kind === 'url' && (agent.baseUrl.trim() === '' || agent.model.trim() === '');
}
