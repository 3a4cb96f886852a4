import type { ReproductionView } from '../reproduction';
import type { StudyView } from '../study';

/** A study with what is known of damage in its journals. */
export type JournalDamage = Pick<StudyView, 'study' | 'damage'>;

/** Whether a journal behind its values is damaged, as far as that was looked at (`StudyView.damage`). */
export function hasDamage(
  { steps }: Pick<ReproductionView, 'steps'>,
  studies: readonly JournalDamage[],
): boolean {
  const used = new Set(steps.map(({ studyId }) => studyId));
  return studies.some(({ study, damage }) => damage !== undefined && used.has(study.id));
}
