import type { Agent, ServerSpec, Team } from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import { heterogeneousTeam, homogeneousTeam, pocketServer, singleTeam } from '../studies/index';

/** What the user typed is wrong; `message` says what was expected. */
export type UsageError = { readonly message: string };

export function wholeNumber(
  text: string | undefined,
  name: string,
  least: number,
  most: number,
): Result<number | undefined, UsageError> {
  if (text === undefined) return ok(undefined);
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most) {
    return failed({ message: `--${name} takes a whole number from ${least} to ${most}, not "${text}".` });
  }
  return ok(value);
}

function serverOf(word: string): Result<ServerSpec, UsageError> {
  const colon = word.indexOf(':');
  const kind = colon === -1 ? word : word.slice(0, colon);
  const name = word.slice(colon + 1);
  if (kind === 'pocket' && (name === 'reader' || name === 'tracer')) {
    return ok(pocketServer(name, { checkpointSeed: 1, latencyMs: 0 }));
  }
  if (kind === 'recorded' && name !== '') {
    return ok({ kind: 'recorded', id: name, model: name, recordingId: name, latencyMs: 0, maxInFlight: 16 });
  }
  if (kind === 'url') {
    const [baseUrl, model] = name.split('#');
    if (baseUrl && model && URL.canParse(baseUrl)) {
      return ok({ kind: 'url', id: model, model, baseUrl, maxInFlight: 32 });
    }
  }
  return failed({
    message: `"${word}" is no agent. Write pocket:reader, pocket:tracer, recorded:ID or url:http://host:port/v1#MODEL.`,
  });
}

/** Recorded samples are whole programs already; chat models put theirs in a fence. */
function withExtraction(team: Team): Team {
  const recorded = new Set(team.servers.filter(({ kind }) => kind === 'recorded').map(({ id }) => id));
  const agents = team.agents.map(
    (agent): Agent => (recorded.has(agent.serverId) ? { ...agent, extraction: 'whole' } : agent),
  );
  return { ...team, agents };
}

/** "NAME=AGENT" is a single agent, "NAME=AGENT,AGENT" a team; one agent named twice plays two roles. */
export function configurationOf(text: string): Result<{ configuration: string; team: Team }, UsageError> {
  const equals = text.indexOf('=');
  const configuration = text.slice(0, equals).trim();
  const words = text.slice(equals + 1).split(',');
  if (equals < 1 || configuration === '') {
    return failed({ message: `"${text}" is no configuration. Write NAME=AGENT or NAME=AGENT,AGENT.` });
  }
  const servers: ServerSpec[] = [];
  for (const word of words) {
    const server = serverOf(word.trim());
    if (!server.ok) return server;
    servers.push(server.value);
  }
  const first = servers[0] as ServerSpec;
  const distinct = new Set(servers.map(({ id }) => id)).size;
  if (servers.length === 1) return ok({ configuration, team: withExtraction(singleTeam(first)) });
  if (distinct === 1) return ok({ configuration, team: withExtraction(homogeneousTeam(first)) });
  if (distinct === servers.length) {
    return ok({ configuration, team: withExtraction(heterogeneousTeam(servers)) });
  }
  return failed({
    message: `"${text}" names some agents twice and some once; name each once, or one of them twice.`,
  });
}
