const UNITS: Readonly<Record<string, number>> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 };

/** `day`: days since 1970 (UTC), null without a date; `seconds`: time of day. */
export type Moment = { readonly day: number | null; readonly seconds: number };

export type LogTarget =
  | { readonly kind: 'byte'; readonly offset: number }
  /** From 1. */
  | { readonly kind: 'line'; readonly line: number }
  | { readonly kind: 'time'; readonly moment: Moment };

export const DAY_MS = 86_400_000;

export function dayOf(year: number, month: number, day: number): number {
  return Math.floor(Date.UTC(year, month - 1, day) / DAY_MS);
}

/** The year of timestamps without one ("01-05 09:30:00"), which are only compared with each other. A leap year. */
export const ANY_YEAR = 2_000;

/**
 * "1200" and "line 1200", "50 %", "1.2 GB", "4096 B", "09:31", "2026-01-05 09:31", "01-05 09:31:40";  null if it is
 * none of them. `size`: of the file, bytes.
 */
export function parseTarget(text: string, size: number): LogTarget | null {
  const typed = text.trim().replaceAll(',', '');
  const line = /^(?:line\s*|:)?(\d{1,12})$/i.exec(typed);
  if (line !== null) return Number(line[1]) === 0 ? null : { kind: 'line', line: Number(line[1]) };
  const share = /^(\d+(?:\.\d+)?)\s*%$/.exec(typed);
  if (share !== null) {
    return { kind: 'byte', offset: Math.floor((Math.min(100, Number(share[1])) / 100) * size) };
  }
  const match =
    /^(?:byte\s*)?(\d+(?:\.\d+)?)\s*([kmgt]?b|[kmgt])$/i.exec(typed) ?? /^byte\s*(\d+)$/i.exec(typed);
  if (match !== null) {
    const unit = (match[2] ?? 'b').toLowerCase();
    const factor = UNITS[unit] ?? UNITS[`${unit}b`] ?? 1;
    return { kind: 'byte', offset: Math.min(size, Math.floor(Number(match[1]) * factor)) };
  }
  const time = /^(?:(?:(\d{4})-)?(\d\d?)-(\d\d?)[ T]+)?(\d\d?):(\d\d)(?::(\d\d))?$/.exec(typed);
  if (time === null) return null;
  const [, year, month, day, hours, minutes, seconds] = time.map(Number);
  if ((hours ?? 0) > 23 || (minutes ?? 0) > 59 || (time[6] !== undefined && (seconds ?? 0) > 59)) return null;
  const isTimeOnly = time[2] === undefined;
  return {
    kind: 'time',
    moment: {
      day: isTimeOnly
        ? null
        : dayOf(time[1] === undefined ? ANY_YEAR : (year ?? ANY_YEAR), month ?? 1, day ?? 1),
      seconds: (hours ?? 0) * 3_600 + (minutes ?? 0) * 60 + (time[6] === undefined ? 0 : (seconds ?? 0)),
    },
  };
}
