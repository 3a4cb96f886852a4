import {
  type Answer,
  type CheckedPayload,
  type CommandName,
  commands,
  payloadProblem,
  type Refusal,
  type Value,
} from '../../preload/contract/index';
import type { Result } from '../base/index';

/** Who runs a command: `commands` says which ones a page may run. */
export type CommandHost = 'window' | 'terminal';

/** What runs the commands; those of the window's file dialogs are in electron/. */
export type Handlers = {
  readonly [N in CommandName]?: (
    payload: CheckedPayload<N>,
    host?: CommandHost,
  ) => Promise<Result<Value<N>, Refusal>>;
};

export type Call = (name: string, payload: unknown, host: CommandHost) => Promise<Answer<unknown>>;

function refuse(code: Refusal['code'], message: string): Answer<never> {
  return { ok: false, error: { code, message } };
}

/** Logs an error of our own in a command; answers where a person finds more about it. */
export type OnBug = (error: unknown, name: string) => string;

/** The answer of a command that threw. */
export function answerOfBug(name: string, error: unknown, onBug: OnBug): Answer<never> {
  const hint = onBug(error, name);
  const why = error instanceof Error ? error.message : String(error);
  const message = `The command "${name}" failed because of an error in the workbench: ${why}`;
  return { ok: false, error: { code: 'internal', message, hint } };
}

/**
 * The one entry for every host: checks that the command exists, that this host may run it, and its payload, and
 * answers with data. Never rejects. An error of our own, thrown or answered as `internal`, goes to `onBug`.
 */
export function dispatcher(handlers: Handlers, onBug: OnBug): Call {
  return async (name, payload, host) => {
    if (!Object.hasOwn(commands, name)) return refuse('unknown-command', `There is no command "${name}".`);
    const commandName = name as CommandName;
    const { payload: schema, host: allowed } = commands[commandName];
    const handler = handlers[commandName] as
      | ((payload: unknown, host: CommandHost) => Promise<Result<unknown, Refusal>>)
      | undefined;
    if (handler === undefined || (allowed !== 'anywhere' && allowed !== host)) {
      return refuse('not-allowed', `The command "${name}" cannot be run from the ${host}.`);
    }
    const checked = schema.safeParse(payload, { reportInput: true });
    if (!checked.success) return refuse('invalid-payload', payloadProblem(name, checked.error));
    try {
      const answer = await handler(checked.data, host);
      if (answer.ok || answer.error.code !== 'internal') return answer;
      const { message, hint } = answer.error;
      const more = onBug(message, commandName);
      return { ok: false, error: { ...answer.error, hint: hint === undefined ? more : `${hint} ${more}` } };
    } catch (error) {
      return answerOfBug(commandName, error, onBug);
    }
  };
}
