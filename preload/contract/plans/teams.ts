import type { PromptFormat } from '../prompt-format';
import type { Agent, ServerSpec, Team } from '../team';
import { differenceCount } from './presets';
import { COMPLETION_STOPS, isWithoutSystemPrompt } from './prompt-formats';
import { firstFreeName } from './unique-names';

export type Role = { readonly name: string; readonly systemPrompt: string };

/**
 * The papers do not publish the role prompts of the homogeneous team; these two are ours:
 * one plans and writes, the other looks for the fault and rewrites.
 */
export const ROLES: readonly [Role, Role] = [
  {
    name: 'solver',
    systemPrompt: 'You are the solver of a team. Plan the steps first, then write one complete program.',
  },
  {
    name: 'refiner',
    systemPrompt:
      'You are the refiner of a team. Find the fault in the earlier program, then write a complete, corrected one.',
  },
];

/** The next built-in role, for a server that the team has more than once; formats without a system prompt use its name only. */
function nextRole(repetition: number, format: PromptFormat | undefined): Role {
  const role = ROLES[repetition % ROLES.length] as Role;
  return isWithoutSystemPrompt(format) ? { ...role, systemPrompt: '' } : role;
}

/** The papers' sampling: temperature 1, no nucleus. */
const SAMPLING = { temperature: 1, topP: 1, maxTokens: 2_048 };

export const POCKET_FAMILIES = ['reader', 'tracer', 'weak', 'reader-large', 'tracer-large'] as const;
export type PocketFamily = (typeof POCKET_FAMILIES)[number];

export function pocketServer(
  family: PocketFamily,
  options: { checkpointSeed: number; latencyMs: number; machineId?: string } = {
    checkpointSeed: 1,
    latencyMs: 0,
  },
): ServerSpec {
  return { kind: 'pocket', id: family, model: `pocket-${family}-base`, family, maxInFlight: 16, ...options };
}

export function recordedServer(recordingId: string): ServerSpec {
  return {
    kind: 'recorded',
    id: recordingId,
    model: recordingId,
    recordingId,
    latencyMs: 0,
    maxInFlight: 16,
  };
}

/** `baseUrl` of an OpenAI-compatible API, e.g. "http://127.0.0.1:8000/v1"; `secret` names a key of the key store. */
export function urlServer(
  baseUrl: string,
  model: string,
  more: { readonly secret?: string; readonly machineId?: string } = {},
): ServerSpec {
  return { kind: 'url', id: model, model, baseUrl, maxInFlight: 32, ...more };
}

/**
 * Where a machine reaches the URL of an agent, as ssh forwards it; null: not over a forwarded port, because the certificate of
 * an https address is for another name.
 */
export function forwardTargetOf(baseUrl: string): { readonly host: string; readonly port: number } | null {
  const [, host, port = '80'] =
    /^http:\/\/([\w.-]+|\[[\da-f:]+\])(?::(\d{1,5}))?(?:\/|$)/i.exec(baseUrl) ?? [];
  return host === undefined || Number(port) > 65_535 ? null : { host, port: Number(port) };
}

/** Of a saved launch; it is started when a study needs it. */
export function launchServer(launchId: string, model = launchId): ServerSpec {
  return { kind: 'launch', id: launchId, model, launchId, maxInFlight: 64 };
}

/** The same model at the same place? Ids are ignored. */
export function sameServer(a: ServerSpec, b: ServerSpec): boolean {
  return differenceCount({ ...a, id: '' }, { ...b, id: '' }) === 0;
}

/** One place in a team. */
export type TeamMember = {
  readonly server: ServerSpec;
  /** Left out: none, or the next of `ROLES` where the team has this server more than once. */
  readonly role?: Role | undefined;
  readonly sampling?: Partial<Agent['sampling']> | undefined;
  readonly budget?: Agent['budget'] | undefined;
  readonly extraction?: Agent['extraction'] | undefined;
  /** Left out: the workbench's own. */
  readonly promptFormat?: PromptFormat | undefined;
};

/** "gpt", "gpt-2", "gpt-3": the first name that is not in `taken`; adds it there. */
function freeName(name: string, taken: Set<string>): string {
  const free = firstFreeName(name, '-', taken);
  taken.add(free);
  return free;
}

/**
 * The team of these members: one is single; one server in several roles is homogeneous; several servers are
 * heterogeneous, and some of them may have several roles. null without members.
 */
export function teamOfMembers(members: readonly TeamMember[]): Team | null {
  const serverIds = new Set<string>();
  const servers: ServerSpec[] = [];
  const serverIndices = members.map(({ server }) => {
    const existing = servers.findIndex((other) => sameServer(server, other));
    if (existing !== -1) return existing;
    return servers.push({ ...server, id: freeName(server.id, serverIds) }) - 1;
  });
  if (servers.length === 0) return null;
  const agentIds = new Set<string>();
  const seen = servers.map(() => 0);
  const agents = members.map((member, at): Agent => {
    const serverIndex = serverIndices[at] as number;
    const server = servers[serverIndex] as ServerSpec;
    const repetition = seen[serverIndex] as number;
    seen[serverIndex] = repetition + 1;
    const repeated = serverIndices.filter((other) => other === serverIndex).length > 1;
    const role = member.role ?? (repeated ? nextRole(repetition, member.promptFormat) : null);
    const isCompletion = member.promptFormat?.kind === 'completion';
    const id = freeName(role === null ? server.id : `${server.id}-${role.name}`, agentIds);
    return {
      id,
      name: role === null ? id : `${server.id} as ${id.slice(server.id.length + 1)}`,
      serverId: server.id,
      role: role === null ? null : { ...role },
      sampling: {
        ...SAMPLING,
        ...(isCompletion ? { stop: [...COMPLETION_STOPS] } : {}),
        ...member.sampling,
      },
      // Recorded samples are whole programs already; chat models put theirs in a fence.
      extraction:
        member.extraction ??
        (server.kind === 'recorded' ? 'whole' : isCompletion ? 'completion' : 'last-fence'),
      ...(member.promptFormat === undefined ? {} : { promptFormat: member.promptFormat }),
      ...(member.budget === undefined ? {} : { budget: member.budget }),
    };
  });
  const kind = servers.length > 1 ? 'heterogeneous' : agents.length > 1 ? 'homogeneous' : 'single';
  return { kind, servers, agents };
}

function teamOf(members: readonly TeamMember[]): Team {
  const team = teamOfMembers(members);
  if (team === null) throw new RangeError('A team needs a member');
  return team;
}

export function singleTeam(server: ServerSpec): Team {
  return teamOf([{ server }]);
}

/** One server in several roles with different prompts. */
export function homogeneousTeam(server: ServerSpec, roles: readonly Role[] = ROLES): Team {
  return teamOf(roles.map((role) => ({ server, role })));
}

export function heterogeneousTeam(servers: readonly ServerSpec[]): Team {
  return teamOf(servers.map((server) => ({ server })));
}
