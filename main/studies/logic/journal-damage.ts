import type { Analysis, JournalProblem } from '../../../preload/contract/index';
import { limitedBy } from '../../../preload/contract/plans/index';

type JournalSize = { readonly runId: string; readonly bytes: number };

/** Journals never shrink. One that lost its end at a line break looks whole, so its size is compared. */
export function lostEnds(
  now: readonly JournalSize[],
  before: readonly JournalSize[],
  pathOf: (runId: string) => string,
): Map<string, JournalProblem> {
  const problems = new Map<string, JournalProblem>();
  for (const { runId, bytes } of before) {
    const left = now.find((journal) => journal.runId === runId)?.bytes ?? 0;
    if (left >= bytes) continue;
    problems.set(runId, {
      message: `The journal ${pathOf(runId)} has lost its end: it has ${left} bytes and had ${bytes}. What is left is shown. No file was changed.`,
      hint: 'Restore the file from a backup, or resume the study to search the missing part again.',
      repairable: false,
    });
  }
  return problems;
}

/** The analysis, which says first what its journals lack. */
export function withDamage(analysis: Analysis, damage: readonly string[]): Analysis {
  const { secondMain } = analysis;
  return {
    ...limitedBy(damage, analysis),
    ...(secondMain === undefined ? {} : { secondMain: damage.length + secondMain }),
  };
}
