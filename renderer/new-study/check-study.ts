import type { Payload } from '../../preload/contract/commands/index';
import {
  candidateCount,
  forwardTargetOf,
  PLAIN_SEARCH,
  problemsWithoutPublicTests,
  promptFormatProblem,
  requiredSeeds,
  samplingOfTexts,
  teamOfMembers,
} from '../../preload/contract/plans/index';
import type { Benchmark } from '../../preload/contract/problem';
import type { SearchChange, SearchOptions } from '../../preload/contract/strategy';
import type { Team, TeamKind } from '../../preload/contract/team';
import { numberIn, wholeNumber } from '../widgets/typed-numbers';
import { type AgentChoice, isHttpUrl, type Library, memberOf } from './agents';
import { LIMITS, MEMBER_LIMITS } from './input-options';
import { type MethodDraft, methodOfPreset, presetNamed, searchOptionsOf } from './method-draft';
import { type ConfigurationDraft, configurationName, type StudyDraft, studyName } from './study-draft';
import { warningsOf } from './warnings';

/** A field of the form, or a group of fields, that messages belong to. */
export type FieldId =
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

/** missing: shown only after the user tries to create the study; wrong: shown at once. */
export type FieldError = {
  readonly at: FieldId;
  readonly kind: 'missing' | 'wrong';
  readonly message: string;
};
export type Warning = { readonly at: FieldId; readonly message: string };

export type CheckedConfiguration = {
  readonly key: number;
  readonly name: string;
  /** null: its agents do not form a team. */
  readonly kind: TeamKind | null;
  /** Upper bound over all seeds; null while a number is missing. */
  readonly programs: number | null;
};

export type CheckedStudy = {
  readonly errors: readonly FieldError[];
  readonly warnings: readonly Warning[];
  readonly rows: readonly CheckedConfiguration[];
  /** Upper bound for the whole study; null while a number is missing. */
  readonly programs: number | null;
  /** Number of problems; null while invalid. */
  readonly problems: number | null;
  /** null while there are errors. */
  readonly request: Payload<'study.create'> | null;
};

/** Limit of agents in a team: there are four icons, and using one more than twice makes a tree unreadable. */
const MAX_AGENTS = 8;
const MAX_CONFIGURATIONS = 50;

/** Checks a draft in the window: errors, warnings, size, and the request if there are no errors. */
export function checkStudy(draft: StudyDraft, benchmark: Benchmark, library: Library): CheckedStudy {
  const errors: FieldError[] = [];
  const addError = (at: FieldId, message: string, kind: FieldError['kind'] = 'wrong'): void => {
    errors.push({ at, kind, message });
  };
  const number = (at: 'nodes' | 'samplesPerAgent' | 'batch'): number | null => {
    const read = wholeNumber(draft[at], LIMITS[at]);
    if (read.ok) return read.value;
    addError(at, read.message, draft[at].trim() === '' ? 'missing' : 'wrong');
    return null;
  };
  const ownLimit = (at: 'treeTokens' | 'treeSeconds'): number | null => {
    if (draft[at].trim() === '') return null;
    const read = at === 'treeTokens' ? wholeNumber(draft[at], LIMITS[at]) : numberIn(draft[at], LIMITS[at]);
    if (read.ok) return read.value;
    addError(at, read.message);
    return null;
  };
  const nodes = number('nodes');
  const samplesPerAgent = number('samplesPerAgent');
  const batch = number('batch');
  const treeTokens = ownLimit('treeTokens');
  const treeSeconds = ownLimit('treeSeconds');
  if (draft.method.reward === 'http' && !isHttpUrl(draft.method.rewardUrl.trim())) {
    const empty = draft.method.rewardUrl.trim() === '';
    addError('rewardUrl', 'Enter the full URL of the reward model.', empty ? 'missing' : 'wrong');
  }
  if (![draft.from, draft.to].every((day) => day.trim() === '' || isDay(day.trim()))) {
    addError('days', 'Enter days as 2025-01-31.');
  }
  const problems = problemsOf(draft, benchmark);
  if (problems === null) addError('problems', `Enter 1 to ${benchmark.problems}, or leave empty for all.`);
  const seeds = requiredSeeds(draft.seeds);
  if (!seeds.ok) addError('seeds', seeds.message, draft.seeds.trim() === '' ? 'missing' : 'wrong');
  if (draft.name.trim().length > 120) addError('name', 'At most 120 characters.');

  const { configurations } = draft;
  if (configurations.length === 0) addError('configurations', 'Add a configuration.', 'missing');
  if (configurations.length > MAX_CONFIGURATIONS) {
    addError('configurations', `At most ${MAX_CONFIGURATIONS} configurations in one study.`);
  }
  const names = configurations.map((row) => configurationName(row, library));
  const teams = configurations.map((row, at) => {
    const name = names[at] ?? '';
    if (name.length > 80) addError(`${row.key} name`, 'At most 80 characters.');
    if (names.indexOf(name) !== at) {
      addError(`${row.key} name`, `There is already a configuration "${name}". Choose another name.`);
    }
    errors.push(...agentErrors(row, benchmark, library));
    return teamOfRow(row);
  });

  const search: SearchOptions | null =
    nodes === null || samplesPerAgent === null || batch === null
      ? null
      : {
          ...PLAIN_SEARCH,
          ...searchOptionsOf(draft.method),
          nodes,
          batch,
          order: draft.order,
          samplesPerAgent,
          stopWhenSolved: draft.stopWhenSolved,
          treeBudget: { tokens: treeTokens, seconds: treeSeconds },
          grading: draft.grading,
        };
  for (const [at, row] of configurations.entries()) {
    if (search === null) break;
    const strategy = ownSearch(row, benchmark).search?.strategy ?? search.strategy;
    errors.push(...formatErrors(row, teams[at] ?? null, { strategy }, library));
  }
  const rows = configurations.map((row, at): CheckedConfiguration => {
    const team = teams[at] ?? null;
    const programs =
      team === null || search === null || problems === null || !seeds.ok
        ? null
        : seeds.value.length *
          candidateCount({ team, search, problemIds: { length: problems } }, availableSamples(row, library));
    return { key: row.key, name: names[at] ?? '', kind: team?.kind ?? null, programs };
  });
  const whole = rows.every(({ programs }) => programs !== null) && rows.length > 0;
  const programs = whole ? rows.reduce((sum, row) => sum + (row.programs ?? 0), 0) : null;
  const warnings =
    search === null || problems === null || !seeds.ok
      ? []
      : warningsOf({ draft, benchmark, library, search, problems, seeds: seeds.value, programs });
  const request =
    errors.length > 0 || search === null || !seeds.ok
      ? null
      : {
          name: studyName(draft, library),
          benchmarkId: benchmark.id,
          ...(draft.problems.trim() === '' || problems === null ? {} : { problems }),
          ...(draft.from.trim() === '' ? {} : { from: draft.from.trim() }),
          ...(draft.to.trim() === '' ? {} : { to: draft.to.trim() }),
          includeExcluded: draft.includeExcluded,
          needsPublicTests: draft.needsPublicTests,
          configurations: teams.flatMap((team, at) =>
            team === null
              ? []
              : [{ configuration: names[at] ?? '', team, ...ownSearch(configurations[at], benchmark) }],
          ),
          search,
          seeds: [...seeds.value],
        };
  return { errors, warnings, rows, programs, problems, request };
}

/** Samples that each agent can provide: recordings are finite, other agents are not. */
function availableSamples(row: ConfigurationDraft, library: Library): readonly number[] {
  return row.agents.map((agent) => {
    const recording =
      agent.kind === 'recorded' ? library.recordings.find(({ id }) => id === agent.recordingId) : undefined;
    return recording?.mostSamples ?? Number.POSITIVE_INFINITY;
  });
}

/** An upper bound: only main knows how many contests lie within the days, and which problems are left out twice. */
function problemsOf(draft: StudyDraft, benchmark: Benchmark): number | null {
  const excluded = draft.includeExcluded ? 0 : benchmark.marks.filter(({ exclude }) => exclude).length;
  const untested = draft.needsPublicTests ? problemsWithoutPublicTests(benchmark) : 0;
  const left = benchmark.problems - Math.max(excluded, untested);
  if (draft.problems.trim() === '') return left;
  const read = wholeNumber(draft.problems, [1, benchmark.problems]);
  return read.ok ? Math.min(read.value, left) : null;
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
}

/** The search options of a row with its own preset. */
function ownSearch(
  row: ConfigurationDraft | undefined,
  benchmark: Benchmark,
): { readonly search?: SearchChange } {
  if (row === undefined || row.preset === null) return {};
  const method: MethodDraft = methodOfPreset(presetNamed(row.preset), benchmark.scale === 'pocket');
  return { search: searchOptionsOf(method) };
}

function teamOfRow({ agents }: ConfigurationDraft): Team | null {
  return teamOfMembers(agents.map((_, at) => memberOf(agents, at)));
}

function detailErrors({ key, agents }: ConfigurationDraft): FieldError[] {
  return agents.flatMap(({ details }, at): FieldError[] => {
    if (details === undefined) return [];
    const limits = MEMBER_LIMITS.flatMap(({ field, name, limits }) => {
      const text = details[field].trim();
      const read = text === '' ? null : wholeNumber(text, limits);
      return read === null || read.ok ? [] : [`${name}: ${uncapitalized(read.message)}`];
    });
    const { problems } = samplingOfTexts(details);
    const sampling = problems.map(({ setting, message }) => `${setting.label}: ${message}.`);
    return [...sampling, ...limits].map((message) => ({
      at: `${key} details ${at}`,
      kind: 'wrong',
      message,
    }));
  });
}

/** Prompt formats that their agents or the search cannot have. */
function formatErrors(
  { key }: ConfigurationDraft,
  team: Team | null,
  search: Pick<SearchOptions, 'strategy'>,
  { launches }: Library,
): FieldError[] {
  if (team === null) return [];
  const engineOf = (launchId: string) => launches.find(({ id }) => id === launchId)?.engine;
  return team.agents.flatMap((agent, at): FieldError[] => {
    const server = team.servers.find(({ id }) => id === agent.serverId);
    const message = promptFormatProblem(agent, { server, search, engineOf });
    return message === null ? [] : [{ at: `${key} details ${at}`, kind: 'wrong', message }];
  });
}

function uncapitalized(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function agentErrors(row: ConfigurationDraft, benchmark: Benchmark, library: Library): FieldError[] {
  const { key, agents } = row;
  const errors: FieldError[] = [];
  if (agents.length === 0) {
    return [{ at: `${key} team`, kind: 'missing', message: 'Add an agent.' }];
  }
  if (agents.length > MAX_AGENTS) {
    errors.push({ at: `${key} team`, kind: 'wrong', message: `At most ${MAX_AGENTS} agents in a team.` });
  }
  for (const [at, agent] of agents.entries()) {
    if (agent.kind === 'url') {
      const address = agent.baseUrl.trim();
      if (address === '') {
        errors.push({ at: `${key} address ${at}`, kind: 'missing', message: 'Enter the URL of the model.' });
      } else if (!isHttpUrl(address)) {
        const message = 'Enter a full URL, e.g. http://127.0.0.1:8000/v1';
        errors.push({ at: `${key} address ${at}`, kind: 'wrong', message });
      } else if (agent.machineId !== undefined && forwardTargetOf(address) === null) {
        errors.push({
          at: `${key} address ${at}`,
          kind: 'wrong',
          message: 'Through a machine the URL must begin with http://',
        });
      }
      if (agent.model.trim() === '') {
        errors.push({
          at: `${key} model ${at}`,
          kind: 'missing',
          message: 'Enter the name of the model on that server.',
        });
      }
    }
    if (agent.kind === 'launch' && !library.launches.some(({ id }) => id === agent.launchId)) {
      const message = `The launch ${agent.launchId} no longer exists. Choose another model.`;
      errors.push({ at: `${key} agent ${at}`, kind: 'wrong', message });
    }
    if (agent.kind === 'recorded') {
      const recording = library.recordings.find(({ id }) => id === agent.recordingId);
      const message =
        recording === undefined
          ? `The recording ${agent.recordingId} is not in the library.`
          : recording.benchmarkId === benchmark.id
            ? null
            : `${recording.name} was recorded on another benchmark than ${benchmark.name}.`;
      if (message !== null) errors.push({ at: `${key} agent ${at}`, kind: 'wrong', message });
    }
  }
  errors.push(...detailErrors(row));
  errors.push(...duplicateErrors(row));
  return errors;
}

/** Identical agents within one team. */
function duplicateErrors(row: ConfigurationDraft): FieldError[] {
  const { key, agents } = row;
  const seen = new Map<string, number>();
  for (const [at, agent] of agents.entries()) {
    const { budget: _budget, ...same } = memberOf(agents, at);
    const role = same.role === undefined ? null : same.role.systemPrompt;
    const text = JSON.stringify(agent.kind === 'recorded' ? same.server : { ...same, role });
    if (seen.has(text) && !isUnfilled(agent)) {
      const message =
        agent.kind === 'recorded'
          ? 'A recording has no roles: both agents would replay the same samples, and each program would count twice.'
          : 'This agent is identical to another one. Change its prompt or temperature.';
      return [{ at: `${key} agent ${at}`, kind: 'wrong', message }];
    }
    seen.set(text, at);
  }
  return [];
}

function isUnfilled(agent: AgentChoice): boolean {
  return agent.kind === 'url' && (agent.baseUrl.trim() === '' || agent.model.trim() === '');
}
