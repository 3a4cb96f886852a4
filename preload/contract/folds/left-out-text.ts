import type { LeftOutPart } from '../job';

/** The line in place of a part that was left out of a log, without a line end. */
export function leftOutText({ from, to, lines, limitBytes, isCopy }: LeftOutPart): string {
  const size = logSizeText(to - from);
  if (isCopy) return `[${size} before this are not in the copy on this computer]`;
  const count = lines === 1 ? '1 line' : `${lines.toLocaleString('en')} lines`;
  return `[${size} (${count}) deleted here: this log reached its limit of ${logSizeText(limitBytes)}]`;
}

/** Above a log of which a part was left out. */
export function leftOutNotice({ from, to, limitBytes, isCut, isCopy }: LeftOutPart): string {
  if (isCopy)
    return `The first ${logSizeText(to - from)} of this log are not in the copy, which has at most ${logSizeText(limitBytes)}.`;
  const notice = `${logSizeText(to - from)} in the middle of this log were deleted, because it reached its limit of ${logSizeText(limitBytes)}. Its beginning and its newest lines are kept. To keep more of the next one: Settings → Jobs.`;
  if (!isCut) return notice;
  return `${notice} The disk there cannot free a part of a file, so some later lines may be missing too.`;
}

/** e.g. "1 GB", "2.5 MB" */
export function logSizeText(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`;
  const [unit, size] = bytes >= 1e9 ? ['GB', 1e9] : bytes >= 1e6 ? ['MB', 1e6] : ['kB', 1e3];
  return `${Math.round((bytes / size) * 10) / 10} ${unit}`;
}
