const STAMP = /(?:^|\s|\[)(?:(\d{4})-)?(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)/;

/**
 * The time that a line of a log begins with, in milliseconds; null: it has none. Only differences mean something: no
 * zone is told, and often no year ("INFO 11-21 21:22:31 trainer.py:157] ...").
 */
export function stampMs(line: string): number | null {
  const found = STAMP.exec(line.slice(0, 60));
  if (found === null) return null;
  const [, year = '2000', month, day, hours, minutes, seconds] = found;
  const days = dayNumber(Number(year), Number(month), Number(day));
  return (((days * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
}

/** Days since 1 March of the year 0 (proleptic Gregorian), whose leap day is the last of its year. */
function dayNumber(year: number, month: number, day: number): number {
  const [years, months] = month > 2 ? [year, month - 3] : [year - 1, month + 9];
  const leaps = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  return years * 365 + leaps + Math.floor((153 * months + 2) / 5) + day - 1;
}
