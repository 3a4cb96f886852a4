import type { ServerView } from '../../preload/contract/server';

/** It answers, or is about to. */
export function serverIsUp({ kind }: ServerView['state']): boolean {
  return kind === 'ready' || kind === 'starting';
}
