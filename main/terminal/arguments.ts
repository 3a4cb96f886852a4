import {
  POCKET_FAMILIES,
  pocketServer,
  recordedServer,
  type ServerSpec,
  type Team,
  teamOf,
  urlServer,
} from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';

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
  const family = POCKET_FAMILIES.find((one) => one === name);
  if (kind === 'pocket' && family !== undefined) return ok(pocketServer(family));
  if (kind === 'recorded' && name !== '') return ok(recordedServer(name));
  if (kind === 'url') {
    const [baseUrl, model] = name.split('#');
    if (baseUrl && model && URL.canParse(baseUrl)) return ok(urlServer(baseUrl, model));
  }
  return failed({
    message: `"${word}" is no agent. Write pocket:reader, pocket:tracer, recorded:ID or url:http://host:port/v1#MODEL.`,
  });
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
  const team = teamOf(servers);
  if (team?.kind === 'homogeneous' && servers[0]?.kind === 'recorded') {
    const twice = `"${text}" names a recording twice: it can not play roles, and each sample would count twice.`;
    return failed({ message: `${twice} Write it once.` });
  }
  if (team !== null) return ok({ configuration, team });
  return failed({
    message: `"${text}" names some agents twice and some once; name each once, or one of them twice.`,
  });
}
