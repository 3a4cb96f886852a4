import {
  type Answer,
  type CheckedPayload,
  type CommandName,
  commands,
  type Refusal,
  type Value,
} from '../../preload/contract/index';
import type { Result } from '../base/index';

/** Who gives a command: `commands` says which ones a page may give. */
export type CommandHost = 'window' | 'terminal';

/** What does the commands; those of the window's file dialogs are in shell/. */
export type Handlers = {
  readonly [N in CommandName]?: (payload: CheckedPayload<N>) => Promise<Result<Value<N>, Refusal>>;
};

export type Call = (name: string, payload: unknown, host: CommandHost) => Promise<Answer<unknown>>;

function refuse(code: Refusal['code'], message: string): Answer<never> {
  return { ok: false, error: { code, message } };
}

/**
 * One door for every host: checks that the command exists, that this host may give it, and its payload, and
 * answers with data. Never rejects; an error of our own is told to `onBug` and answered as such.
 */
export function dispatcher(handlers: Handlers, onBug: (error: unknown) => void): Call {
  return async (name, payload, host) => {
    if (!Object.hasOwn(commands, name)) return refuse('unknown-command', `There is no command "${name}".`);
    const known = name as CommandName;
    const { payload: schema, host: allowed } = commands[known];
    const handler = handlers[known] as ((payload: unknown) => Promise<Result<unknown, Refusal>>) | undefined;
    if (handler === undefined || (allowed !== 'anywhere' && allowed !== host)) {
      return refuse('not-allowed', `The command "${name}" can not be given from the ${host}.`);
    }
    const checked = schema.safeParse(payload);
    if (!checked.success) {
      const issue = checked.error.issues[0];
      const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
      const why = issue?.message ?? 'it has the wrong form';
      return refuse('invalid-payload', `The command "${name}" was given a wrong value${where}: ${why}.`);
    }
    try {
      return await handler(checked.data);
    } catch (error) {
      onBug(error);
      const message = error instanceof Error ? error.message : String(error);
      return refuse('internal', `The command "${name}" failed on an error of the workbench: ${message}`);
    }
  };
}
