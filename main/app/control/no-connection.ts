import type { Answer, Refusal } from '../../../preload/contract/index';
import { type Refused, refusedSchema } from './frames';

/** Why there is no connection. `by`: a workbench that does not speak as this one does, so that to try again changes nothing. */
export type NoConnection = Refusal & { readonly by?: Refused };

export const GARBAGE: Refusal = {
  code: 'unavailable',
  message:
    'What answers there is no workbench: it sent something else than answers, so the connection was closed. Nothing of it was used.',
  hint: 'See what runs there. For the background service of a machine: mars2 service start --service MACHINE puts it there again.',
};

export const SILENT: Refusal = {
  code: 'unavailable',
  message: 'The workbench that has this data folder open does not answer.',
  hint: 'It may be closing, or of another version: close it, then try again.',
};

export function otherVersion(line: unknown): NoConnection {
  const refused = refusedSchema.safeParse(line);
  const by = refused.success ? refused.data : undefined;
  return {
    code: 'unavailable',
    message: `The workbench that has this data folder open is of another version${by === undefined ? '' : ` (${by.version})`}, with which this one cannot talk.`,
    hint: 'Restart it with this version: close its window, or for a service: mars2 service restart.',
    ...(by === undefined ? {} : { by }),
  };
}

export const gone = (): Answer<never> => ({
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
    message: 'The connection to the service is cut, so whether this was done is not known.',
    hint: 'It is connected again by itself. Look at the state then, before you repeat it.',
  },
});
