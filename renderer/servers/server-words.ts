import type { ServerView } from '../../preload/contract/server';
import { assertNever } from '../state/index';

type Words = { readonly tone: 'active' | 'good' | 'quiet' | 'bad'; readonly words: string };

/** The state of a server in words. */
export function serverWords(state: ServerView['state']): Words {
  switch (state.kind) {
    case 'starting':
      return { tone: 'active', words: `Starting: ${state.stage}` };
    case 'ready':
      return { tone: 'good', words: 'Ready' };
    case 'stopped':
      return { tone: 'quiet', words: 'Stopped' };
    case 'failed':
      return { tone: 'bad', words: 'Failed' };
    default:
      return assertNever(state);
  }
}

export const KIND_WORDS: Readonly<Record<ServerView['kind'], string>> = {
  pocket: 'pocket policy',
  recorded: 'recording',
  url: 'outside address',
};
