import type { StudyState, StudyView } from '../../preload/contract/study';
import { assertNever } from './assert-never';

/** active: something moves; good: done well; quiet: stands still by choice; bad: needs somebody. */
export type Tone = 'active' | 'good' | 'quiet' | 'bad';

/** The state of a study in one or two words. */
export function stateWords(state: StudyState): { readonly words: string; readonly tone: Tone } {
  switch (state.kind) {
    case 'planned':
      return { words: 'Planned', tone: 'quiet' };
    case 'preparing':
      return { words: `Preparing: ${state.step}`, tone: 'active' };
    case 'running':
      return { words: 'Running', tone: 'active' };
    case 'pausing':
      return { words: 'Pausing', tone: 'active' };
    case 'paused':
      return { words: 'Paused', tone: 'quiet' };
    case 'interrupted':
      return { words: 'Interrupted', tone: 'bad' };
    case 'cancelled':
      return { words: 'Cancelled', tone: 'quiet' };
    case 'failed':
      return { words: 'Failed', tone: 'bad' };
    case 'finished':
      return { words: 'Finished', tone: 'good' };
    default:
      return assertNever(state);
  }
}

export type StudyAction = 'start' | 'resume' | 'pause' | 'cancel' | 'remove';

/** What can be done to a study in this state, the likeliest first. */
export function actionsOf(state: StudyState): readonly StudyAction[] {
  switch (state.kind) {
    case 'planned':
      return ['start', 'remove'];
    case 'preparing':
      return ['cancel'];
    case 'running':
      return ['pause', 'cancel'];
    case 'pausing':
      return [];
    case 'paused':
    case 'interrupted':
      return ['resume', 'cancel', 'remove'];
    case 'cancelled':
    case 'failed':
      return ['resume', 'remove'];
    case 'finished':
      return ['remove'];
    default:
      return assertNever(state);
  }
}

/** Does anything of it go on now? */
export function isActive(state: StudyState): boolean {
  return state.kind === 'preparing' || state.kind === 'running' || state.kind === 'pausing';
}

/** The share of the work that is done, in [0, 1]: generating and grading on the private tests count alike. */
export function shareDone({ progress, state }: StudyView): number {
  if (state.kind === 'finished') return 1;
  if (progress.nodesTotal === 0) return 0;
  const share = (progress.nodesDone + progress.gradedDone) / (2 * progress.nodesTotal);
  return Math.min(1, Math.max(0, share));
}

/** Does somebody have to look at it? */
export function needsAttention(view: StudyView): boolean {
  return view.state.kind === 'failed' || view.state.kind === 'interrupted';
}
