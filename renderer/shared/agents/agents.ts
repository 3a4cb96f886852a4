import { assertNever } from '../../../preload/contract/assert-never';
import type { ServerLaunch } from '../../../preload/contract/launch';
import {
  isWithoutSystemPrompt,
  launchServer,
  namedPromptFormat,
  type PocketFamily,
  type PromptFormatName,
  pocketServer,
  promptFormatText,
  ROLES,
  recordedServer,
  type SamplingSetting,
  sameServer,
  samplingOfTexts,
  samplingText,
  type TeamMember,
  urlServer,
} from '../../../preload/contract/plans/index';
import type { Benchmark, Recording } from '../../../preload/contract/problem';
import type { PromptFormat } from '../../../preload/contract/prompt-format';
import type { Agent, ServerSpec } from '../../../preload/contract/team';
import type { TrainingView } from '../../../preload/contract/training';
import { plural } from '../../widgets/format';

/** Optional settings of an agent, as entered; empty: the default. */
export type AgentDetails = Readonly<Record<SamplingSetting['field'], string>> & {
  readonly role: string;
  readonly prompt: string;
  /** Limits of nodes and tokens per tree. */
  readonly nodes: string;
  readonly tokens: string;
  readonly extraction: '' | Agent['extraction'];
  readonly format: '' | PromptFormatName;
  /** The texts of the format `file`. */
  readonly templateSystem: string;
  readonly templateUser: string;
};

export const NO_DETAILS: AgentDetails = {
  role: '',
  prompt: '',
  temperature: '',
  topP: '',
  topK: '',
  minP: '',
  maxTokens: '',
  minTokens: '',
  contextTokens: '',
  thinking: '',
  stop: '',
  extra: '',
  nodes: '',
  tokens: '',
  extraction: '',
  format: '',
  templateSystem: '',
  templateUser: '',
};

/** The models that an agent can use. */
export type AgentChoice =
  /** `machineId` left out: this computer. */
  (
    | { readonly kind: 'pocket'; readonly family: PocketFamily; readonly machineId?: string }
    | { readonly kind: 'recorded'; readonly recordingId: string }
    /** As entered: the URL of an OpenAI-compatible API, e.g. "http://127.0.0.1:8000/v1", and its model. */
    | {
        readonly kind: 'url';
        readonly baseUrl: string;
        readonly model: string;
        /** Name of its key in the key store; left out: none. */
        readonly secret?: string;
        readonly machineId?: string;
      }
    /** A saved launch, started when the study needs it; `model` is its name in requests. */
    | { readonly kind: 'launch'; readonly launchId: string; readonly model: string }
    /** Of a training; ids are empty and `server` null until they are chosen. */
    | {
        readonly kind: 'checkpoint';
        readonly trainingId: string;
        readonly checkpointId: string;
        readonly server: ServerSpec | null;
      }
  ) & { readonly details?: AgentDetails };

/** The agents of a team, as entered. */
export type TeamDraft = {
  /** Stable while teams are edited, added or removed. */
  readonly key: number;
  readonly agents: readonly AgentChoice[];
};

/** What the form offers. */
export type Library = {
  readonly benchmarks: readonly Benchmark[];
  readonly recordings: readonly Recording[];
  /** The user's saved launches. */
  readonly launches: readonly ServerLaunch[];
  /** Newest first. */
  readonly trainings: readonly TrainingView[];
};

/** The choice that has this server. */
export function choiceOfServer(server: ServerSpec): AgentChoice {
  switch (server.kind) {
    case 'pocket': {
      const { family, trained, machineId } = server;
      if (trained !== undefined) return { kind: 'checkpoint', ...trained, server };
      const machine = machineId === undefined ? {} : { machineId };
      return { kind: 'pocket', family: family as PocketFamily, ...machine };
    }
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
    case 'launch':
      return { kind: 'launch', launchId: server.launchId, model: server.model };
    default:
      return assertNever(server);
  }
}

/** A small policy in place of a language model. */
export function isPocketPolicy(choice: AgentChoice): boolean {
  return choice.kind === 'pocket' || (choice.kind === 'checkpoint' && choice.server?.kind === 'pocket');
}

export function serverOf(choice: AgentChoice): ServerSpec {
  switch (choice.kind) {
    case 'pocket':
      return choice.machineId === undefined
        ? pocketServer(choice.family)
        : pocketServer(choice.family, { checkpointSeed: 1, latencyMs: 0, machineId: choice.machineId });
    case 'recorded':
      return recordedServer(choice.recordingId);
    case 'url':
      return urlServer(choice.baseUrl.trim(), choice.model.trim(), {
        ...(choice.secret === undefined ? {} : { secret: choice.secret }),
        ...(choice.machineId === undefined ? {} : { machineId: choice.machineId }),
      });
    case 'launch':
      return launchServer(choice.launchId, choice.model);
    case 'checkpoint':
      return choice.server ?? launchServer(choice.checkpointId);
    default:
      return assertNever(choice);
  }
}

/** The default role: the next built-in role if its model occurs more than once in the team, else none. */
export function defaultRole(team: readonly AgentChoice[], at: number): (typeof ROLES)[number] | null {
  const own = team[at];
  if (own === undefined) return null;
  const server = serverOf(own);
  const isSame = (other: AgentChoice): boolean => sameServer(serverOf(other), server);
  if (team.filter(isSame).length < 2) return null;
  return ROLES[team.slice(0, at).filter(isSame).length % ROLES.length] ?? null;
}

/** undefined: the workbench's own. */
function promptFormatOf({ format, templateSystem, templateUser }: AgentDetails): PromptFormat | undefined {
  if (format === '' || format === 'workbench') return undefined;
  return format === 'file'
    ? { kind: 'file', system: templateSystem, user: templateUser, digest: '' }
    : namedPromptFormat(format);
}

/** The role prompt that an agent has without one of its own; empty: none. */
export function defaultPrompt(team: readonly AgentChoice[], at: number): string {
  const format = promptFormatOf(team[at]?.details ?? NO_DETAILS);
  return isWithoutSystemPrompt(format) ? '' : (defaultRole(team, at)?.systemPrompt ?? '');
}

/** A member of the team. Invalid numbers count as not set; the form reports them elsewhere. */
export function memberOf(team: readonly AgentChoice[], at: number): TeamMember {
  const choice = team[at] as AgentChoice;
  const details = choice.details ?? NO_DETAILS;
  const { role, prompt, nodes, tokens, extraction } = details;
  const promptFormat = promptFormatOf(details);
  const usual = defaultRole(team, at);
  const name = role.trim() || usual?.name;
  const number = (text: string): number | undefined =>
    text.trim() === '' || Number.isNaN(Number(text)) ? undefined : Number(text);
  const budget = { nodes: number(nodes) ?? null, tokens: number(tokens) ?? null };
  return {
    server: serverOf(choice),
    role:
      name === undefined && prompt.trim() === ''
        ? undefined
        : { name: name ?? 'role', systemPrompt: prompt.trim() || defaultPrompt(team, at) },
    sampling: samplingOfTexts(details).sampling,
    budget: budget.nodes === null && budget.tokens === null ? undefined : budget,
    extraction: extraction === '' ? undefined : extraction,
    promptFormat,
  };
}

/** Short name of the agent, for lists and default names. */
export function agentName(choice: AgentChoice, library: Library): string {
  switch (choice.kind) {
    case 'pocket':
      return choice.family;
    case 'recorded':
      return library.recordings.find(({ id }) => id === choice.recordingId)?.name ?? choice.recordingId;
    case 'url':
      return choice.model.trim() === '' ? 'a model' : choice.model.trim();
    case 'launch':
      return library.launches.find(({ id }) => id === choice.launchId)?.name ?? choice.launchId;
    case 'checkpoint': {
      const training = library.trainings.find(({ id }) => id === choice.trainingId);
      if (choice.checkpointId === '') return 'a checkpoint';
      return training === undefined ? choice.checkpointId : `${training.name} ${choice.checkpointId}`;
    }
    default:
      return assertNever(choice);
  }
}

const ROLE_COUNTS: Readonly<Record<number, string>> = { 2: 'two', 3: 'three', 4: 'four' };

/** What a team is called by default: "reader + tracer", "reader, two roles". */
export function teamName(agents: readonly AgentChoice[], library: Library): string {
  const names = agents.map((agent) => agentName(agent, library));
  const haveSameName = new Set(names).size === 1 && names.length > 1;
  if (haveSameName) return `${names[0]}, ${ROLE_COUNTS[names.length] ?? names.length} roles`;
  return names.length === 0 ? 'empty' : names.join(' + ');
}

/** "role solver, temperature 0.6, at most 20 nodes per tree"; empty with defaults. */
export function detailsText(team: readonly AgentChoice[], at: number): string {
  const { role, sampling, budget, extraction, promptFormat } = memberOf(team, at);
  return [
    role === undefined ? '' : `role ${role.name}`,
    samplingText(sampling ?? {}),
    budget?.nodes ? `at most ${plural(budget.nodes, 'node')} per tree` : '',
    budget?.tokens ? `at most ${budget.tokens} tokens per tree` : '',
    extraction === undefined ? '' : `extraction ${extraction}`,
    promptFormat === undefined ? '' : `prompt format ${promptFormatText({ promptFormat })}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** Whether the text is an http or https URL. */
export function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && hostname !== '';
}
