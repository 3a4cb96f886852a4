import type { Payload } from '../../preload/contract/commands/index';
import {
  chosenProblems,
  MAX_CONFIGURATIONS,
  PLAIN_SEARCH,
  problemsWithoutPublicTests,
  requiredSeeds,
  teamOfMembers,
} from '../../preload/contract/plans/index';
import type { Benchmark, ProblemOutline } from '../../preload/contract/problem';
import type { SearchChange, SearchOptions } from '../../preload/contract/strategy';
import type { Study } from '../../preload/contract/study';
import type { Team, TeamKind } from '../../preload/contract/team';
import { agentErrors, formatErrors, isHttpUrl, type Library, memberOf } from '../shared/agents/index';
import { numberIn, wholeNumber } from '../widgets/typed-numbers';
import { enteredNodes, programsOf, variantsOf } from './check-variants';
import type { FieldError, FieldId, Warning } from './field-errors';
import { LIMITS } from './input-options';
import { type MethodDraft, methodOfPreset, presetNamed, searchOptionsOf } from './method-draft';
import { type ConfigurationDraft, configurationNames, type StudyDraft, studyName } from './study-draft';
import { type ProblemsWithoutTests, warningsOf } from './warnings';

export type CheckedConfiguration = {
  readonly key: number;
  readonly name: string;
  /** null: its agents do not form a team. */
  readonly kind: TeamKind | null;
  /** With several values of the search: how often it is searched. */
  readonly variants: number;
  /** Upper bound over all variants and seeds; null while a number is missing. */
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
  readonly untested: ProblemsWithoutTests;
  /** null while there are errors. */
  readonly request: Payload<'study.create'> | null;
};

/**
 * Checks a draft in the window: errors, warnings, size, and the request if there are no errors. `outlines`: the benchmark's
 * problems; null: not known yet.
 */
export function checkStudy(
  draft: StudyDraft,
  benchmark: Benchmark,
  library: Library,
  outlines: readonly ProblemOutline[] | null,
): CheckedStudy {
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
  const nodes = nodesOf(draft, () => number('nodes'));
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
  const untested = untestedOf(draft, problems, benchmark, outlines);
  const seeds = requiredSeeds(draft.seeds);
  if (!seeds.ok) addError('seeds', seeds.message, draft.seeds.trim() === '' ? 'missing' : 'wrong');
  if (draft.name.trim().length > 120) addError('name', 'At most 120 characters.');

  const { configurations } = draft;
  if (configurations.length === 0) addError('configurations', 'Add a configuration.', 'missing');
  if (configurations.length > MAX_CONFIGURATIONS) {
    addError('configurations', `At most ${MAX_CONFIGURATIONS} configurations in one study.`);
  }
  const names = configurationNames(configurations, library);
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
  const planned = teams.flatMap((team, at) =>
    team === null
      ? []
      : [{ configuration: names[at] ?? '', team, ...ownSearch(configurations[at], benchmark) }],
  );
  const { variants, errors: sweepErrors } = variantsOf(planned, search, draft.sweep);
  errors.push(...sweepErrors);
  const rows = configurations.map((row, at): CheckedConfiguration => {
    const team = teams[at] ?? null;
    const own = variants.filter((variant) => variant.team === team);
    const programs =
      team === null || search === null || problems === null || !seeds.ok || sweepErrors.length > 0
        ? null
        : seeds.value.length * programsOf(own, search, problems, availableSamples(row, library));
    const kind = team?.kind ?? null;
    return { key: row.key, name: names[at] ?? '', kind, variants: own.length, programs };
  });
  const isComplete = rows.every(({ programs }) => programs !== null) && rows.length > 0;
  const programs = isComplete ? rows.reduce((sum, row) => sum + (row.programs ?? 0), 0) : null;
  const warnings =
    search === null || problems === null || !seeds.ok
      ? []
      : warningsOf({ draft, benchmark, library, search, problems, untested, seeds: seeds.value, programs });
  const request =
    errors.length > 0 || search === null || !seeds.ok
      ? null
      : {
          name: studyName(draft, library),
          benchmarkId: benchmark.id,
          ...choiceOf(draft, problems),
          configurations: [...variants],
          search,
          seeds: [...seeds.value],
        };
  return { errors, warnings, rows, programs, problems, untested, request };
}

/** If several values are typed, the field below shows the error. */
function nodesOf(draft: StudyDraft, typed: () => number | null): number | null {
  const { text, isVaried } = enteredNodes(draft);
  if (!isVaried) return typed();
  const first = wholeNumber(text, LIMITS.nodes);
  return first.ok ? first.value : 1;
}

/** Samples that each agent can provide: recordings are finite, other agents are not. */
function availableSamples(row: ConfigurationDraft, library: Library): readonly number[] {
  return row.agents.map((agent) => {
    const recording =
      agent.kind === 'recorded' ? library.recordings.find(({ id }) => id === agent.recordingId) : undefined;
    return recording?.mostSamples ?? Number.POSITIVE_INFINITY;
  });
}

function choiceOf(draft: StudyDraft, problems: number | null): NonNullable<Study['choice']> {
  return {
    ...(draft.problems.trim() === '' || problems === null ? {} : { problems }),
    ...(draft.from.trim() === '' ? {} : { from: draft.from.trim() }),
    ...(draft.to.trim() === '' ? {} : { to: draft.to.trim() }),
    includeExcluded: draft.includeExcluded,
    needsPublicTests: draft.needsPublicTests,
  };
}

function untestedOf(
  draft: StudyDraft,
  problems: number | null,
  benchmark: Benchmark,
  outlines: readonly ProblemOutline[] | null,
): ProblemsWithoutTests {
  if (outlines === null) return { problems: problemsWithoutPublicTests(benchmark), of: benchmark.problems };
  const chosen = new Set(
    chosenProblems({ ...choiceOf(draft, problems), needsPublicTests: false }, benchmark, outlines),
  );
  const untested = outlines.filter(({ id, publicTests }) => publicTests === 0 && chosen.has(id));
  return { problems: untested.length, of: chosen.size };
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
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && (new Date(text).toJSON() ?? '').startsWith(text);
}

/** The search options of a row with its own preset, or with settings that it keeps of a copied study. */
function ownSearch(
  row: ConfigurationDraft | undefined,
  benchmark: Benchmark,
): { readonly search?: SearchChange } {
  if (row === undefined || (row.preset === null && row.keeps === undefined)) return {};
  if (row.preset === null) return { search: { ...row.keeps } };
  const method: MethodDraft = methodOfPreset(presetNamed(row.preset), benchmark.scale === 'pocket');
  return { search: { ...searchOptionsOf(method), ...row.keeps } };
}

function teamOfRow({ agents }: ConfigurationDraft): Team | null {
  return teamOfMembers(agents.map((_, at) => memberOf(agents, at)));
}
