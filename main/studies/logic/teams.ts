import type { Agent, ServerSpec, Team } from '../../../preload/contract/index';

/**
 * Ready-made teams. The papers do not publish the role prompts of the homogeneous team (specification, O22);
 * these two are ours: one plans and writes, the other looks for the fault and rewrites.
 */
const SOLVER = {
  name: 'solver',
  systemPrompt: 'You are the solver of a team. Plan the steps first, then write one complete program.',
};
const REFINER = {
  name: 'refiner',
  systemPrompt:
    'You are the refiner of a team. Find the fault in the earlier program, then write a complete, corrected one.',
};

/** The papers' sampling: temperature 1, no nucleus. */
const SAMPLING = { temperature: 1, topP: 1, maxTokens: 2_048 };

export type PocketFamily = 'reader' | 'tracer';

export function pocketServer(
  family: PocketFamily,
  options: { checkpointSeed: number; latencyMs: number },
): ServerSpec {
  return { kind: 'pocket', id: family, model: `pocket-${family}-base`, family, maxInFlight: 16, ...options };
}

function agent(id: string, name: string, serverId: string, role: Agent['role']): Agent {
  return { id, name, serverId, role, sampling: SAMPLING, extraction: 'last-fence' };
}

export function singleTeam(server: ServerSpec): Team {
  return { kind: 'single', servers: [server], agents: [agent(server.id, server.id, server.id, null)] };
}

export function homogeneousTeam(server: ServerSpec): Team {
  return {
    kind: 'homogeneous',
    servers: [server],
    agents: [SOLVER, REFINER].map((role) =>
      agent(`${server.id}-${role.name}`, `${server.id} as ${role.name}`, server.id, role),
    ),
  };
}

export function heterogeneousTeam(servers: readonly ServerSpec[]): Team {
  return {
    kind: 'heterogeneous',
    servers: [...servers],
    agents: servers.map((server) => agent(server.id, server.id, server.id, null)),
  };
}
