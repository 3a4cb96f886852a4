import type { Agent, ServerSpec, Team } from '../team';

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

/** The papers' sampling: temperature 1, no nucleus. */
const SAMPLING = { temperature: 1, topP: 1, maxTokens: 2_048 };

export const POCKET_FAMILIES = ['reader', 'tracer'] as const;
export type PocketFamily = (typeof POCKET_FAMILIES)[number];

export function pocketServer(
  family: PocketFamily,
  options: { checkpointSeed: number; latencyMs: number } = { checkpointSeed: 1, latencyMs: 0 },
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

/** `baseUrl` of an OpenAI-compatible API, e.g. "http://127.0.0.1:8000/v1". */
export function urlServer(baseUrl: string, model: string): ServerSpec {
  return { kind: 'url', id: model, model, baseUrl, maxInFlight: 32 };
}

/** Do both name the same model at the same place? Their ids do not count. */
export function sameServer(a: ServerSpec, b: ServerSpec): boolean {
  return JSON.stringify({ ...a, id: '' }) === JSON.stringify({ ...b, id: '' });
}

function agent(server: ServerSpec, id: string, name: string, role: Agent['role']): Agent {
  // Recorded samples are whole programs already; chat models put theirs in a fence.
  const extraction = server.kind === 'recorded' ? 'whole' : 'last-fence';
  return { id, name, serverId: server.id, role, sampling: SAMPLING, extraction };
}

export function singleTeam(server: ServerSpec): Team {
  return { kind: 'single', servers: [server], agents: [agent(server, server.id, server.id, null)] };
}

/** One server in several roles, the prompts of which tell them apart. */
export function homogeneousTeam(server: ServerSpec, roles: readonly Role[] = ROLES): Team {
  return {
    kind: 'homogeneous',
    servers: [server],
    agents: roles.map((role) =>
      agent(server, `${server.id}-${role.name}`, `${server.id} as ${role.name}`, { ...role }),
    ),
  };
}

/** Two models of one name keep apart by a number: "gpt", "gpt-2". */
export function heterogeneousTeam(servers: readonly ServerSpec[]): Team {
  const ids = new Set<string>();
  const distinct = servers.map((server) => {
    let id = server.id;
    for (let number = 2; ids.has(id); number++) id = `${server.id}-${number}`;
    ids.add(id);
    return { ...server, id };
  });
  return {
    kind: 'heterogeneous',
    servers: distinct,
    agents: distinct.map((server) => agent(server, server.id, server.id, null)),
  };
}

/**
 * The team that these make: one is single, the same one twice plays the two roles, different ones are
 * heterogeneous. Null where they make none: nobody, or some named more often than others.
 */
export function teamOf(servers: readonly ServerSpec[], roles: readonly [Role, Role] = ROLES): Team | null {
  const [first, second, ...more] = servers;
  if (first === undefined) return null;
  if (second === undefined) return singleTeam(first);
  if (more.length === 0 && sameServer(first, second)) return homogeneousTeam(first, roles);
  const repeated = servers.some((server, at) =>
    servers.slice(0, at).some((other) => sameServer(server, other)),
  );
  return repeated ? null : heterogeneousTeam(servers);
}
