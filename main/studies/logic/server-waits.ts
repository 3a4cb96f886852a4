import type { ServerSpec, ServerState, ServerView } from '../../../preload/contract/index';
import { assertNever } from '../../base/index';

/** What a study says while its requests wait for servers that cannot be reached; none waits in vain unnoticed. */
export function serverWaitMessages(
  specs: readonly Pick<ServerSpec, 'model'>[],
  views: readonly Pick<ServerView, 'model' | 'state'>[],
): string[] {
  return specs.map(({ model }) => {
    const why = views.find((view) => view.model === model && view.state.kind !== 'ready');
    const words = why === undefined ? '' : wordsOf(why.state);
    return `Waits for the server of "${model}"${words === '' ? '.' : `: ${words}`}`;
  });
}

function wordsOf(state: ServerState): string {
  switch (state.kind) {
    case 'starting':
      return state.stage;
    case 'failed':
      return `${state.message} ${state.hint ?? ''}`.trim();
    case 'stopped':
      return 'it was stopped, and is started anew';
    case 'ready':
      return '';
    default:
      return assertNever(state);
  }
}
