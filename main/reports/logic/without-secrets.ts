import { HIDDEN, hideSecrets, hideTokens, parsedJson } from '../../base/index';

/** Fields with the environment of a server, a training or a job: what its variables hold is a lab's own. */
const ENVIRONMENT = 'env';
/** Fields with a command that somebody has typed: a key may stand anywhere in it. */
const COMMANDS: ReadonlySet<string> = new Set(['commandLine', 'extraArguments', 'setUp']);

/** A value of JSON as it may leave the lab: without environments and typed commands, secrets hidden in every text. */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return hideSecrets(value);
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  // Maps and the like of our own are not JSON.
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inside]) => {
      if (name === ENVIRONMENT) return [name, allHidden(inside)];
      if (COMMANDS.has(name) && typeof inside === 'string') return [name, inside === '' ? '' : HIDDEN];
      return [name, withoutSecrets(inside)];
    }),
  );
}

/** The names stay: they say what has to be set. */
function allHidden(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.keys(value).map((name) => [name, HIDDEN]));
}

/**
 * An event of a journal, as JSON. Prompts, answers and programs stay as they are, except for keys that are recognised
 * by their form; the settings of a run are those of a lab.
 */
export function eventWithoutSecrets(json: string): string {
  const started = json.startsWith('{"kind":"run-started"') ? parsedJson(json) : undefined;
  return started === undefined ? hideTokens(json) : JSON.stringify(withoutSecrets(started));
}
