import type { ServerSpec, ServerState, ServerView, StudyWarning } from '../../../preload/contract/index';
import { assertNever } from '../../base/index';

/** Warnings of a study whose requests wait for servers that cannot be reached. */
export function serverWaitWarnings(
  specs: readonly Pick<ServerSpec, 'model'>[],
  views: readonly Pick<ServerView, 'model' | 'state'>[],
): StudyWarning[] {
  return specs.map(({ model }) => {
    const why = views.find((view) => view.model === model && view.state.kind !== 'ready');
    const reason = why === undefined ? '' : reasonOf(why.state);
    return {
      id: `waits for ${model}`,
      configuration: null,
      text: `Waiting for the server of "${model}"${reason === '' ? '.' : `: ${reason}`}`,
    };
  });
}

function reasonOf(state: ServerState): string {
  switch (state.kind) {
    case 'starting':
      return state.stage;
    case 'failed':
      return `${state.message} ${state.hint ?? ''}`.trim();
    case 'stopped':
      return 'it was stopped and is being restarted';
    case 'ready':
      return '';
    default:
      return assertNever(state);
  }
}
