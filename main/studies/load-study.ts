import { stat } from 'node:fs/promises';
import {
  foldRun,
  type JournalProblem,
  type RunEvent,
  type RunView,
  type Study,
} from '../../preload/contract/index';
import { damageText, type JournalDamage, streamJournal } from '../storage/index';
import type { StudyFiles } from './study-files';

/** All runs of a study that does not run, from their journals. */
export type LoadedStudy = {
  /** No entry for a run without a journal, or whose journal cannot be read. */
  readonly views: ReadonlyMap<string, RunView>;
  readonly troubles: ReadonlyMap<string, JournalProblem>;
  /** Could every journal be opened? If not, the next load may find more. */
  readonly opened: boolean;
};

/** Events folded at once: every fold copies the list of trees; folding so many takes a few milliseconds. */
const FOLD_EVENTS = 2_000;

/** Reads a study's journals one after the other; damaged ones are reported, and as far as possible read. */
export async function loadStudy(study: Study, files: StudyFiles): Promise<LoadedStudy> {
  const views = new Map<string, RunView>();
  const troubles = new Map<string, JournalProblem>();
  let opened = true;
  for (const { id } of study.runs) {
    const path = files.journal(study.id, id);
    const exists = await stat(path).then(
      () => true,
      () => false,
    );
    if (!exists) continue;
    let view: RunView | null = null;
    let unfolded: RunEvent[] = [];
    const read = await streamJournal(path, (event) => {
      unfolded.push(event);
      if (unfolded.length < FOLD_EVENTS) return;
      view = foldRun(view, unfolded);
      unfolded = [];
    });
    view = foldRun(view, unfolded);
    if (view !== null) views.set(id, view);
    if (!read.ok) {
      opened = false;
      troubles.set(id, { message: read.error.message, hint: read.error.hint, repairable: false });
    } else if (read.value !== null) {
      troubles.set(id, journalProblemOf(read.value));
    }
  }
  return { views, troubles, opened };
}

export function journalProblemOf(damage: JournalDamage): JournalProblem {
  return { ...damageText(damage), repairable: damage.kept > 0 };
}
