import { assertNever } from '../../preload/contract/assert-never';
import type { CellState, Exhibit, ExhibitResult } from '../../preload/contract/exhibit';
import { counted } from '../../preload/contract/plans/index';
import type { ReproductionView, StepKind, StepState } from '../../preload/contract/reproduction';
import type { StatusLabel } from './status';

/** "Figure 5 · Pass@1 of teams": as a reader of the paper looks for it. */
export function exhibitName({ place, title }: Pick<Exhibit, 'place' | 'title'>): string {
  return `${place} · ${title}`;
}

export function reproductionStatus({ state }: Pick<ReproductionView, 'state'>): StatusLabel {
  switch (state.kind) {
    case 'running':
      return { tone: 'active', text: 'Running' };
    case 'pausing':
      return { tone: 'active', text: 'Pausing, what runs saves its work' };
    case 'paused':
      return { tone: 'quiet', text: 'Paused' };
    case 'done':
      return { tone: 'good', text: 'Done' };
    case 'failed':
      return { tone: 'bad', text: 'Some failed' };
    default:
      return assertNever(state);
  }
}

/** How far runs at hand fill a table or figure of the lab's own. */
export function filledStatus({
  cells,
  series,
  complete,
}: Pick<ExhibitResult, 'cells' | 'series' | 'complete'>): StatusLabel {
  if (complete) return { tone: 'good', text: 'Complete' };
  const all = [...cells, ...series];
  const missing = all.filter(({ state }) => state.kind !== 'done').length;
  const noun = cells.length === 0 ? 'line' : 'value';
  return { tone: 'unsure', text: `${missing} of ${counted(all.length, noun)} missing` };
}

export function reproductionIsActive({ state }: Pick<ReproductionView, 'state'>): boolean {
  return state.kind === 'running' || state.kind === 'pausing';
}

/** The unit of its share, behind "29 %". */
export function progressMeasure({ progress }: Pick<ReproductionView, 'progress'>): string {
  return progress.of === 'time' ? 'of the time' : 'of the steps';
}

export function stepStatus(state: StepState): StatusLabel {
  switch (state.kind) {
    case 'planned':
      return { tone: 'quiet', text: 'Planned' };
    case 'waiting':
      return { tone: 'quiet', text: 'Waiting' };
    case 'running':
      return { tone: 'active', text: 'Running' };
    case 'done':
      return { tone: 'good', text: state.reused ? 'Reused' : 'Done' };
    case 'failed':
      return { tone: 'bad', text: 'Failed' };
    case 'blocked':
      return { tone: 'quiet', text: 'Blocked' };
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
      return 'Planned: waiting for its turn.';
    case 'running':
      return `Measuring: ${Math.floor(state.share01 * 100)} % done.`;
    case 'done':
      return state.reused ? 'Measured, from existing runs.' : 'Measured.';
    case 'failed':
      return state.message;
    case 'missing':
      return state.message;
    default:
      return assertNever(state);
  }
}

export const STEP_KINDS: readonly StepKind[] = ['train', 'serve', 'search', 'grade', 'metrics', 'cell'];

/** Singular and plural. */
export const STEP_KIND_NAMES: Readonly<Record<StepKind, readonly [string, string]>> = {
  train: ['training', 'trainings'],
  serve: ['server', 'servers'],
  search: ['search', 'searches'],
  grade: ['grading', 'gradings'],
  metrics: ['set of metrics', 'sets of metrics'],
  cell: ['value', 'values'],
};
