import type { LogPiece } from '../server';

/** Above a log that a copy on this computer answers for; its age is shown beside it. */
export function logCopyText({ hasEnd, why }: Omit<NonNullable<LogPiece['copy']>, 'at'>): string {
  const reason = /[.!?]$/.test(why) ? why : `${why}.`;
  return `${reason} This is the copy of the log's newest part on this computer. ${hasEnd ? 'It has the end of the log.' : 'It may lack the end of the log.'}`;
}
