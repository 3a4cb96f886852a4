// biome-ignore-all lint/style/noRestrictedGlobals: a time is read in the time zone of this computer, never from its clock

const two = (value: number): string => String(value).padStart(2, '0');

/**
 * A time in a sentence, where this computer is: "18:00" on the day of `nowMs`, "22 Nov 18:00" in its year, else, and without it,
 * "22 Nov 2026 18:00".
 */
export function timeText(iso: string, nowMs?: number): string {
  const at = new Date(iso);
  const now = nowMs === undefined ? null : new Date(nowMs);
  const time = `${two(at.getHours())}:${two(at.getMinutes())}`;
  if (at.toDateString() === now?.toDateString()) return time;
  const day = `${at.getDate()} ${at.toLocaleString('en', { month: 'short' })}`;
  return at.getFullYear() === now?.getFullYear() ? `${day} ${time}` : `${day} ${at.getFullYear()} ${time}`;
}

/** A time in a list, to the second: "2026-11-28 20:22:31" where this computer is. */
export function localTime(iso: string): string {
  const at = new Date(iso);
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}
