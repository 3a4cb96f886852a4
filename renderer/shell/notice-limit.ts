import type { Notice } from '../state/index';

/** So many notices stand in the corner at once. */
export const MAX_NOTICES = 4;

/**
 * Which of the standing notices, the oldest first, leave so that one more has room. Without it a new one would wait
 * unseen behind old failures, and with it the only way to undo.
 */
export function noticesToHide(shown: readonly string[]): readonly string[] {
  return shown.slice(0, Math.max(0, shown.length - (MAX_NOTICES - 1)));
}

export const CLOSES_MS = 6_000;

/**
 * Whether a notice that stays leaves once another screen is opened: it answers a press on the one before. One with something
 * to do, e.g. an error of the workbench that can be reported, stays.
 */
export function leavesWithScreen({
  level,
  action,
  path,
}: Pick<Notice, 'level' | 'action' | 'path'>): boolean {
  return level === 'error' && path === undefined && action === undefined;
}

/**
 * When a notice leaves by itself; false: it stays until it is closed, because nothing else says it. One that stands elsewhere
 * must not lie over the tools of the screen below it.
 */
export function closesAfterMs({
  level,
  action,
  path,
}: Pick<Notice, 'level' | 'action' | 'path'>): number | false {
  if (level === 'error' && path === undefined) return false;
  return action === undefined ? CLOSES_MS : 12_000;
}
