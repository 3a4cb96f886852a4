import {
  configurationsOf,
  nearestPreset,
  type PocketFamily,
  PRESETS,
  type PromptFormatName,
  problemsWithoutPublicTests,
  promptFormatText,
  teamOfMembers,
  textsOfSampling,
} from '../../preload/contract/plans/index';
import type { Benchmark } from '../../preload/contract/problem';
import type { SearchOptions } from '../../preload/contract/strategy';
import type { Study } from '../../preload/contract/study';
import type { Agent, ServerSpec, Team } from '../../preload/contract/team';
import {
  type AgentChoice,
  type AgentDetails,
  defaultRole,
  type Library,
  NO_DETAILS,
  usualPrompt,
} from './agents';
import { checkStudy } from './check-study';
import { type MethodDraft, methodOfPreset, presetNamed, searchOptionsOf } from './method-draft';
import { type ConfigurationDraft, configurationName, draftOf, type StudyEdits } from './study-draft';

/** The form filled in like a study; `lost`: a sentence for each part that the form cannot hold. */
export type StudyCopy = { readonly edits: StudyEdits; readonly lost: readonly string[] };

export function copyOfStudy(study: Study, library: Library): StudyCopy {
  const first = study.runs[0] as Study['runs'][number];
  const { search } = first;
  const benchmark = library.benchmarks.find(({ id }) => id === first.benchmarkId);
  if (benchmark === undefined) {
    return {
      edits: {},
      lost: [`The benchmark ${first.benchmarkId} of "${study.name}" is not in the library.`],
    };
  }
  const method = methodOfSearch(search);
  const preset = (nearestPreset(search) ?? presetNamed('')).id;
  const configurations = configurationsOf(study).map((name, key): ConfigurationDraft => {
    const run = study.runs.find(({ configuration }) => configuration === name) ?? first;
    const row = {
      key,
      name: '',
      agents: choicesOf(run.team),
      preset: ownPreset(run.search, method, benchmark),
    };
    return configurationName(row, library) === name ? row : { ...row, name };
  });
  const edits: StudyEdits = {
    benchmarkId: benchmark.id,
    ...problemEdits(study, benchmark),
    preset,
    method,
    nodes: String(search.nodes),
    samplesPerAgent: String(search.samplesPerAgent),
    batch: String(search.batch),
    order: search.order,
    stopWhenSolved: search.stopWhenSolved,
    treeTokens: textOf(search.treeBudget.tokens),
    treeSeconds: textOf(search.treeBudget.seconds),
    grading: search.grading,
    seeds: [...new Set(study.runs.map(({ seed }) => seed))].join(', '),
    configurations,
  };
  return { edits, lost: differences(study, edits, benchmark, library) };
}

function textOf(value: number | null | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}

/** Studies of earlier versions have only the problems that came of the choice. */
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

/** null: the study's method. */
function ownPreset(search: SearchOptions, method: MethodDraft, { scale }: Benchmark): string | null {
  const own = searchOptionsOf(methodOfSearch(search));
  if (same(own, searchOptionsOf(method))) return null;
  const isOf = (preset: (typeof PRESETS)[number]): boolean =>
    same(own, searchOptionsOf(methodOfPreset(preset, scale === 'pocket')));
  return PRESETS.find(isOf)?.id ?? null;
}

function choicesOf({ agents, servers }: Team): readonly AgentChoice[] {
  const models = agents.map(({ serverId }) =>
    choiceOf(servers.find(({ id }) => id === serverId) ?? (servers[0] as ServerSpec)),
  );
  return models.map((model, at) => {
    const agent = agents[at] as Agent;
    const server = servers.find(({ id }) => id === agent.serverId) as ServerSpec;
    const plain = plainDetails(agent, server);
    const asDefault = models.map((other, index) => (index === at ? { ...other, details: plain } : other));
    const usual = defaultRole(asDefault, at);
    const isUsual =
      (agent.role?.name ?? '') === (usual?.name ?? '') &&
      (agent.role?.systemPrompt ?? '') === usualPrompt(asDefault, at);
    const details = isUsual
      ? plain
      : { ...plain, role: agent.role?.name ?? '', prompt: agent.role?.systemPrompt ?? '' };
    return same(details, NO_DETAILS) ? model : { ...model, details };
  });
}

function choiceOf(server: ServerSpec): AgentChoice {
  switch (server.kind) {
    case 'pocket':
      return {
        kind: 'pocket',
        family: server.family as PocketFamily,
        ...(server.machineId === undefined ? {} : { machineId: server.machineId }),
      };
    case 'recorded':
      return { kind: 'recorded', recordingId: server.recordingId };
    case 'url': {
      const { baseUrl, model, secret, machineId } = server;
      return {
        ...{ kind: 'url', baseUrl, model },
        ...(secret === undefined ? {} : { secret }),
        ...(machineId === undefined ? {} : { machineId }),
      };
    }
    default:
      return { kind: 'launch', launchId: server.launchId, model: server.model };
  }
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
  edits: StudyEdits,
  benchmark: Benchmark,
  library: Library,
): readonly string[] {
  const draft = draftOf(edits, library);
  const request = draft === null ? null : checkStudy(draft, benchmark, library, null).request;
  // The form shows its own errors, e.g. a recording that is gone.
  if (request === null) return [];
  return request.configurations.flatMap(({ configuration, team, search }) => {
    const run = study.runs.find((other) => other.configuration === configuration);
    if (run === undefined) return [];
    const parts = [
      ...(same(team, run.team) ? [] : ['agents']),
      ...(same({ ...request.search, ...search }, run.search) ? [] : ['search']),
    ];
    return parts.length === 0
      ? []
      : [
          `"${configuration}" has settings of its ${parts.join(' and ')} that this form cannot show. Check its row.`,
        ];
  });
}

/** Set by main, and not by the form. */
const OF_MAIN: ReadonlySet<string> = new Set(['deskModel', 'digest']);

function same(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part !== 'object' || part === null || Array.isArray(part)
      ? part
      : Object.fromEntries(
          Object.entries(part)
            .filter(([name]) => !OF_MAIN.has(name))
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        ),
  );
}
