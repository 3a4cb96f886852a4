import type { Answer, Refusal } from '../../../preload/contract/index';
import { CONTROL_PROTOCOL, type Refused, refusedSchema } from './frames';

/** Why there is no connection. `by`: a workbench that does not speak as this one does, so that to try again changes nothing. */
export type NoConnection = Refusal & { readonly by?: Refused };

export const INVALID_ANSWER: Refusal = {
  code: 'unavailable',
  message:
    'The program that answers there is not a workbench: it sent something else than answers, so the connection was closed. Nothing of it was used.',
  hint: 'See what runs there. For the background service of a machine: mars2 service start --service MACHINE installs it again.',
};

export const NO_ANSWER: Refusal = {
  code: 'unavailable',
  message: 'The workbench that has this data folder open does not answer.',
  hint: 'It may be closing, or of another version: close it, then try again.',
};

/** A workbench that speaks otherwise has answered `line`: which one it is, and what to do, which depends on who is the older one. */
export function otherVersion(line: unknown): NoConnection {
  const refused = refusedSchema.safeParse(line);
  if (!refused.success) {
    return {
      code: 'unavailable',
      message: `${HOLDERS.terminal} is of another version, and this one cannot talk with it.`,
      hint: `${CLOSE_IT} For a service, in a terminal: mars2 service restart`,
    };
  }
  const by = refused.data;
  const isNewer = by.protocol > CONTROL_PROTOCOL;
  const who = HOLDERS[by.kind ?? 'terminal'];
  return {
    code: 'unavailable',
    message: `${who} is of ${isNewer ? 'a newer' : 'an older'} version (${by.version}), and this one cannot talk with it.`,
    hint: isNewer
      ? `Start the workbench of version ${by.version}: it shows everything, and what runs goes on meanwhile.`
      : by.kind === 'service'
        ? 'Start the service again with this version, in a terminal: mars2 service restart. Its jobs and studies go on.'
        : CLOSE_IT,
    by,
  };
}

const HOLDERS = {
  service: 'The background service that works on this data folder',
  window: 'The window that has this data folder open',
  terminal: 'The workbench that has this data folder open',
} as const;
const CLOSE_IT = 'Close it, then start this one again.';

export const closedDuringCommand = (): Answer<never> => ({
  ok: false,
  error: {
    code: 'unavailable',
    message: 'The workbench that has this data folder open was closed during the command.',
    hint: 'Run the command again.',
  },
});

export const unreachable = (): Answer<never> => ({
  ok: false,
  error: {
    code: 'unreachable',
    message: 'The connection to the service was cut: the command may or may not have been done.',
    hint: 'It reconnects by itself. Check the state before you repeat the command.',
  },
});
