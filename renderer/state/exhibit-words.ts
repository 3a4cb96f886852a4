import type { CellState } from '../../preload/contract/exhibit';
import type { ReproductionView, StepKind, StepState } from '../../preload/contract/reproduction';
import { assertNever } from './assert-never';
import type { JobWords } from './job-words';

/** The state of a reproduction in a word or two. */
export function reproductionWords({ state }: Pick<ReproductionView, 'state'>): JobWords {
  switch (state.kind) {
    case 'running':
      return { tone: 'active', words: 'Running' };
    case 'pausing':
      return { tone: 'active', words: 'Pausing' };
    case 'paused':
      return { tone: 'quiet', words: 'Paused' };
    case 'done':
      return { tone: 'good', words: 'Done' };
    case 'failed':
      return { tone: 'bad', words: 'Some failed' };
    default:
      return assertNever(state);
  }
}

/** Something of it moves now. */
export function reproductionIsActive({ state }: Pick<ReproductionView, 'state'>): boolean {
  return state.kind === 'running' || state.kind === 'pausing';
}

/** The state of a step in a word or two, as lists have it. */
export function stepWords(state: StepState): JobWords {
  switch (state.kind) {
    case 'planned':
      return { tone: 'quiet', words: 'Planned' };
    case 'waiting':
      return { tone: 'quiet', words: 'Waiting' };
    case 'running':
      return { tone: 'active', words: 'Running' };
    case 'done':
      return { tone: 'good', words: state.reused ? 'Reused' : 'Done' };
    case 'failed':
      return { tone: 'bad', words: 'Failed' };
    case 'blocked':
      return { tone: 'quiet', words: 'Blocked' };
    default:
      return assertNever(state);
  }
}

/** The state of a cell in a sentence. */
export function cellStateSentence(state: CellState): string {
  switch (state.kind) {
    case 'empty':
      return 'Not measured yet.';
    case 'planned':
      return 'Planned: its turn has not come yet.';
    case 'running':
      return `Being measured: ${Math.floor(state.share01 * 100)} % of what it needs is done.`;
    case 'done':
      return state.reused ? 'Measured, with runs that were there already.' : 'Measured.';
    case 'failed':
      return state.message;
    case 'missing':
      return state.message;
    default:
      return assertNever(state);
  }
}

export const STEP_KINDS: readonly StepKind[] = ['train', 'serve', 'search', 'grade', 'metrics', 'cell'];

/** What a kind of step is called: one, and many. */
export const STEP_KIND_WORDS: Readonly<Record<StepKind, readonly [string, string]>> = {
  train: ['training', 'trainings'],
  serve: ['server', 'servers'],
  search: ['search', 'searches'],
  grade: ['grading', 'gradings'],
  metrics: ['set of metrics', 'sets of metrics'],
  cell: ['value', 'values'],
};
