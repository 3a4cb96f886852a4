import type { Payload } from '../../preload/contract/commands';
import { candidatesOf, ROLES, teamOf } from '../../preload/contract/plans/index';
import type { Benchmark } from '../../preload/contract/problem';
import type { SearchOptions, Strategy } from '../../preload/contract/strategy';
import type { Team, TeamKind } from '../../preload/contract/team';
import { isApiAddress, type Library, serverOf } from './agents';
import { type ConfigurationDraft, configurationName, type StudyDraft, studyName } from './draft';
import { LIMITS, seedsOf, wholeNumber } from './numbers';
import { warningsOf } from './warnings';

/** Where on the form something is said. */
export type Spot =
  | 'name'
  | 'problems'
  | 'nodes'
  | 'samplesPerAgent'
  | 'batch'
  | 'seeds'
  | 'configurations'
  | 'study'
  | `${number} name`
  | `${number} team`
  | `${number} agent ${number}`
  | `${number} address ${number}`
  | `${number} model ${number}`
  | `${number} role ${number}`;

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
  const nodes = number('nodes');
  const samplesPerAgent = number('samplesPerAgent');
  const batch = number('batch');
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
      : { strategy: strategyOf(draft), nodes, batch, score: 'fraction', tie: 'latest', samplesPerAgent };
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
          configurations: teams.flatMap((team, at) =>
            team === null ? [] : [{ configuration: names[at] ?? '', team }],
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

function problemsOf(draft: StudyDraft, benchmark: Benchmark): number | null {
  if (draft.problems.trim() === '') return benchmark.problems;
  const read = wholeNumber(draft.problems, [1, benchmark.problems]);
  return read.ok ? read.value : null;
}

function strategyOf({ strategy, beliefs, selection }: StudyDraft): Strategy {
  return strategy === 'repeated' ? { kind: 'repeated' } : { kind: 'ab-mcts-a', beliefs, selection };
}

function teamOfRow({ agents, rolePrompts }: ConfigurationDraft): Team | null {
  const [solver, refiner] = ROLES;
  return teamOf(agents.map(serverOf), [
    { ...solver, systemPrompt: rolePrompts[0].trim() },
    { ...refiner, systemPrompt: rolePrompts[1].trim() },
  ]);
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
  const team = teamOfRow(row);
  if (team === null) {
    const message = 'Name each agent once, or one of them twice and nobody else.';
    faults.push({ at: `${key} team`, kind: 'wrong', message });
  } else if (team.kind === 'homogeneous' && agents[0]?.kind === 'recorded') {
    const message =
      'A recording knows no roles: both would replay the same samples, and each program would count twice.';
    faults.push({ at: `${key} team`, kind: 'wrong', message });
  } else if (team.kind === 'homogeneous') {
    const [solver, refiner] = row.rolePrompts.map((prompt) => prompt.trim());
    if (solver === refiner) {
      const message = 'Both roles are told the same, so they are one agent; tell them different things.';
      faults.push({ at: `${key} role 1`, kind: 'wrong', message });
    }
  }
  return faults;
}
