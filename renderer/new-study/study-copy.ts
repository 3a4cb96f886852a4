import {
  configurationsOf,
  nearestPreset,
  type PromptFormatName,
  problemsWithoutPublicTests,
  promptFormatText,
  teamOfMembers,
  textsOfSampling,
} from '../../preload/contract/plans/index';
import type { Benchmark } from '../../preload/contract/problem';
import type { SearchOptions } from '../../preload/contract/strategy';
import type { Study, StudyView } from '../../preload/contract/study';
import type { Agent, ServerSpec, Team } from '../../preload/contract/team';
import {
  type AgentChoice,
  type AgentDetails,
  choiceOfServer,
  defaultPrompt,
  defaultRole,
  type Library,
  NO_DETAILS,
} from '../shared/agents/index';
import { checkStudy } from './check-study';
import { equalSettings } from './equal-settings';
import { type MethodDraft, presetNamed } from './method-draft';
import {
  type ConfigurationDraft,
  configurationNames,
  draftOf,
  type StudyDraft,
  type StudyEdits,
  studyName,
} from './study-draft';
import { recoverSweep, rowSearch } from './swept-rows';

/** Most characters of a study's name. */
const MAX_NAME = 120;
const COPY = ', copy';

/** The form filled in like a study; `lost` has a sentence for each part that the form cannot hold. */
export function copyOfStudy(
  { study, note = '' }: Pick<StudyView, 'study' | 'note'>,
  library: Library,
): StudyEdits {
  const first = study.runs[0] as Study['runs'][number];
  const benchmark = library.benchmarks.find(({ id }) => id === first.benchmarkId);
  if (benchmark === undefined) {
    return { lost: [`The benchmark ${first.benchmarkId} of "${study.name}" is not in the library.`] };
  }
  const { sweep, rows } = recoverSweep(
    configurationsOf(study).map((name) => {
      const run = study.runs.find(({ configuration }) => configuration === name) ?? first;
      return { name, team: run.team, search: run.search };
    }),
  );
  const search = mostCommon(rows.map((row) => row.search));
  const configurations = rows.map(({ name, team, search: own }, key): ConfigurationDraft => {
    const row = {
      key,
      name: '',
      agents: choicesOf(team),
      ...rowSearch(own, search, sweep, benchmark.scale === 'pocket'),
    };
    return configurationNames([row], library)[0] === name ? row : { ...row, name };
  });
  const edits: StudyEdits = {
    benchmarkId: benchmark.id,
    ...problemEdits(study, benchmark),
    preset: (nearestPreset(search) ?? presetNamed('')).id,
    method: methodOfSearch(search),
    nodes: String(search.nodes),
    samplesPerAgent: String(search.samplesPerAgent),
    batch: String(search.batch),
    order: search.order,
    stopWhenSolved: search.stopWhenSolved,
    treeTokens: textOf(search.treeBudget.tokens),
    treeSeconds: textOf(search.treeBudget.seconds),
    grading: search.grading,
    seeds: [...new Set(study.runs.map(({ seed }) => seed))].join(', '),
    sweep,
    configurations,
    ...(note === '' ? {} : { note }),
  };
  const draft = draftOf(edits, library);
  const isNamedByForm = draft !== null && studyName(draft, library) === study.name;
  const base = study.name.endsWith(COPY) ? study.name.slice(0, -COPY.length) : study.name;
  const lost = draft === null ? [] : differences(study, draft, benchmark, library);
  return {
    ...edits,
    ...(isNamedByForm ? {} : { name: `${base.slice(0, MAX_NAME - COPY.length)}${COPY}` }),
    ...(lost.length === 0 ? {} : { lost }),
  };
}

/** The study's search is that of most rows; of as many, the first. */
function mostCommon(searches: readonly SearchOptions[]): SearchOptions {
  const times = (search: SearchOptions): number =>
    searches.filter((other) => equalSettings(other, search)).length;
  return searches.toSorted((a, b) => times(b) - times(a))[0] as SearchOptions;
}

function textOf(value: number | null | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}

/** Studies of earlier versions have only the chosen problems, not the rule that chose them. */
function problemEdits({ choice, runs }: Study, benchmark: Benchmark): StudyEdits {
  if (choice !== undefined) {
    const { problems, from = '', to = '', includeExcluded, needsPublicTests } = choice;
    return { problems: textOf(problems), from, to, includeExcluded, needsPublicTests };
  }
  const searched = runs[0]?.problemIds.length ?? 0;
  const excluded = benchmark.marks.filter(({ exclude }) => exclude).length;
  const untested = problemsWithoutPublicTests(benchmark);
  if (searched === benchmark.problems) return { includeExcluded: excluded > 0 };
  if (searched === benchmark.problems - excluded) return {};
  if (searched === benchmark.problems - untested) return { needsPublicTests: true };
  return { problems: String(searched) };
}

function methodOfSearch({ strategy, score, tie, feedback, rewardModel }: SearchOptions): MethodDraft {
  const source = rewardModel?.source;
  return {
    strategy,
    score,
    tie,
    feedback,
    reward: source?.kind ?? 'none',
    rewardUrl: source?.kind === 'http' ? source.url : '',
    rewardUse: rewardModel?.use ?? 'choice',
  };
}

function choicesOf({ agents, servers }: Team): readonly AgentChoice[] {
  const models = agents.map(({ serverId }) =>
    choiceOfServer(servers.find(({ id }) => id === serverId) ?? (servers[0] as ServerSpec)),
  );
  return models.map((model, at) => {
    const agent = agents[at] as Agent;
    const server = servers.find(({ id }) => id === agent.serverId) as ServerSpec;
    const plain = plainDetails(agent, server);
    const asDefault = models.map((other, index) => (index === at ? { ...other, details: plain } : other));
    const usual = defaultRole(asDefault, at);
    const isUsual =
      (agent.role?.name ?? '') === (usual?.name ?? '') &&
      (agent.role?.systemPrompt ?? '') === defaultPrompt(asDefault, at);
    const details = isUsual
      ? plain
      : { ...plain, role: agent.role?.name ?? '', prompt: agent.role?.systemPrompt ?? '' };
    return equalSettings(details, NO_DETAILS) ? model : { ...model, details };
  });
}

/** All but the role; what an agent has by default stays empty. */
function plainDetails(agent: Agent, server: ServerSpec): AgentDetails {
  const { promptFormat, budget, extraction } = agent;
  const usual = teamOfMembers([{ server, promptFormat }])?.agents[0];
  const usualTexts = textsOfSampling(usual?.sampling ?? {});
  const texts = Object.entries(textsOfSampling(agent.sampling)).filter(
    ([field, text]) => text !== usualTexts[field as keyof typeof usualTexts],
  );
  const template = promptFormat?.kind === 'file' ? promptFormat : null;
  return {
    ...NO_DETAILS,
    ...Object.fromEntries(texts),
    nodes: textOf(budget?.nodes),
    tokens: textOf(budget?.tokens),
    extraction: extraction === usual?.extraction ? '' : extraction,
    format:
      promptFormat === undefined
        ? ''
        : template !== null
          ? 'file'
          : (promptFormatText({ promptFormat }) as PromptFormatName),
    templateSystem: template?.system ?? '',
    templateUser: template?.user ?? '',
  };
}

/** Compares what the form would create with the study itself, so that nothing is lost unsaid. */
function differences(
  study: Study,
  draft: StudyDraft,
  benchmark: Benchmark,
  library: Library,
): readonly string[] {
  const { request } = checkStudy(draft, benchmark, library, null);
  // The form shows its own errors, e.g. a recording that is gone.
  if (request === null) return [];
  const differing = (part: (typeof request.configurations)[number], run: Study['runs'][number]) => ({
    agents: !equalSettings(part.team, run.team),
    search: !equalSettings({ ...request.search, ...part.search }, run.search),
  });
  const rows = request.configurations.flatMap((row) => {
    const run = study.runs.find((other) => other.configuration === row.configuration);
    return run === undefined ? [] : [{ name: `"${row.configuration}"`, ...differing(row, run) }];
  });
  return (['agents', 'search'] as const).flatMap((part) => {
    const names = rows.filter((row) => row[part]).map(({ name }) => name);
    const whose = part === 'agents' ? 'the agents' : 'the search';
    return names.length === 0
      ? []
      : [`Settings of ${whose} of ${names.join(', ')} are left out: this form has no fields for them.`];
  });
}
