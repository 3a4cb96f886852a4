/** So many notices stand in the corner at once. */
export const MOST_NOTICES = 4;

/**
 * Which of the standing notices, the oldest first, leave so that one more has room. Without it a new one would wait
 * unseen behind old failures, and with it the only way to undo.
 */
export function noticesToHide(shown: readonly string[]): readonly string[] {
  return shown.slice(0, Math.max(0, shown.length - (MOST_NOTICES - 1)));
}
