import { assertNever } from '../../preload/contract/assert-never';
import type { StudyOutcomes } from '../../preload/contract/outcomes';
import {
  configurationsOf,
  lastAddition,
  sharedNames,
  withSharedWarnings,
} from '../../preload/contract/plans/index';
import type { StudyState, StudyView, StudyWarning } from '../../preload/contract/study';
import type { StatusLabel } from './status';

export { studyIsRunning as isActive } from '../../preload/contract/folds/study-is-running';

/** Most characters of a study's note, as the contract takes it. */
export const MAX_NOTE_LENGTH = 4_000;

export function studyStatus({ state, damage }: Pick<StudyView, 'state' | 'damage'>): StatusLabel {
  if (damage !== undefined) {
    const isNewer = damage.every((problem) => problem.isNewer);
    return { text: isNewer ? 'Newer journal' : 'Damaged', tone: 'bad' };
  }
  switch (state.kind) {
    case 'planned':
      return { text: 'Planned', tone: 'quiet' };
    case 'queued':
      return { text: `Waits for ${state.behind}`, tone: 'quiet' };
    case 'preparing':
      return { text: `Preparing: ${state.step}`, tone: 'active' };
    case 'running':
      return { text: 'Running', tone: 'active' };
    case 'pausing':
      return { text: 'Pausing', tone: 'active' };
    case 'paused':
      return { text: 'Paused', tone: 'quiet' };
    case 'interrupted':
      return { text: 'Interrupted', tone: 'bad' };
    case 'cancelled':
      return { text: 'Stopped', tone: 'quiet' };
    case 'failed':
      return { text: 'Failed', tone: 'bad' };
    case 'finished':
      return { text: 'Finished', tone: 'good' };
    case 'missing':
      return { text: 'Folder missing', tone: 'bad' };
    default:
      return assertNever(state);
  }
}

/** Behind a name that several have stands the id, as in "s on humaneval (2026-11-30-eed769fd)". */
export function withDistinctNames(views: readonly StudyView[]): readonly StudyView[] {
  const shared = sharedNames(views.map(({ study }) => study.name));
  return views.map((view) => {
    const { id, name } = view.study;
    return shared.has(name) ? { ...view, study: { ...view.study, name: `${name} (${id})` } } : view;
  });
}

export type StudyAction = 'start' | 'resume' | 'dequeue' | 'pause' | 'cancel' | 'remove';

/** What can be done to a study in this state, the most likely first. */
export function actionsOf(state: StudyState): readonly StudyAction[] {
  switch (state.kind) {
    case 'planned':
      return ['start', 'remove'];
    case 'queued':
      return ['dequeue', 'remove'];
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
    case 'missing':
      return ['remove'];
    default:
      return assertNever(state);
  }
}

/** The share of the work that is done, in [0, 1]: generating and grading on the private tests count alike. */
export function shareDone({ progress, state }: StudyView): number {
  if (state.kind === 'finished') return 1;
  if (progress.nodesTotal === 0) return 0;
  const share = (progress.nodesDone + progress.gradedDone) / (2 * progress.nodesTotal);
  // A rounded 100 % would say that it is done; of one that is missing, nothing is under way.
  return state.kind === 'missing' && share >= 1 ? 1 : Math.min(0.99, Math.max(0, share));
}

/** Why nothing goes on with it, and what to do; null: it is under way, over, or waits for a person. */
export function stoppedText({ state, study }: Pick<StudyView, 'state' | 'study'>): {
  readonly message: string;
  readonly hint?: string | undefined;
} | null {
  if (state.kind === 'failed' && lastAddition(study) !== undefined) {
    const takeBack = 'To go on without what its last extension added: More > Extend > Take it back.';
    return { message: state.message, hint: [state.hint, takeBack].filter(Boolean).join(' ') };
  }
  if (state.kind === 'failed' || state.kind === 'missing') return state;
  if (state.kind !== 'interrupted') return null;
  return {
    message:
      'The workbench closed while it ran, or a part of its journals was lost or repaired. What it has is saved; resume it to continue.',
  };
}

export function needsAttention({ state: { kind }, damage }: StudyView): boolean {
  return damage !== undefined || kind === 'failed' || kind === 'interrupted' || kind === 'missing';
}

/** The warnings of a study, each once, also where all configurations have it. One at rest without warnings of its own has those of its journals' summaries. */
export function studyWarnings(view: StudyView, outcomes: StudyOutcomes | null): readonly StudyWarning[] {
  const fromJournals = outcomes?.runs.flatMap(({ warnings }) => warnings) ?? [];
  const warnings = view.warnings.length > 0 ? view.warnings : fromJournals;
  const shared = withSharedWarnings(warnings, configurationsOf(view.study));
  return [...new Map(shared.map((warning) => [`${warning.id} ${warning.text}`, warning])).values()];
}

/** The dialog that asks before a journal is repaired. */
export function repairDialogText(label: string) {
  return {
    label: 'Repair',
    title: `Repair the journal of ${label}?`,
    about:
      'Everything readable is written to a new journal in its place. The damaged file is kept next to it, so nothing is lost. Resume the study afterwards to search again what is missing.',
    cancel: 'Cancel',
  } as const;
}
