import type { LogLine } from './log-lines';

/** The time of a line: its own timestamp, or its arrival. */
export type LineTime = { readonly text: string; readonly isArrival: boolean };

/** ISO dates, also as Python's logging writes them: "2026-01-05 09:30:00,123". */
const DATED = /^\W{0,2}(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)([.,]\d{1,6})?\s?(Z|[+-]\d\d:?\d\d)?/;
/** "INFO 01-05 09:30:00 [core.py:12]" as vLLM has it, "[09:30:00]", "09:30:00.100 ...". */
const TIMED = /^(?:\[?[A-Z]{4,8}\]?\s+)?\W{0,2}(?:\d\d[-/]\d\d[ T])?(\d\d:\d\d:\d\d)([.,]\d{1,6})?(?=\W|$)/;

/** A line's own timestamp is shown as written, or in local time if it has a zone. */
export function timeOf(line: LogLine): LineTime | null {
  const dated = DATED.exec(line.text);
  if (dated !== null) {
    const [, day = '', time = '', part = '', zone] = dated;
    if (zone === undefined) return { text: time + milliseconds(part), isArrival: false };
    const at = new Date(`${day}T${time}${part.replace(',', '.')}${zone}`);
    if (!Number.isNaN(at.getTime())) return { text: clock(at) + milliseconds(part), isArrival: false };
  }
  const timed = TIMED.exec(line.text);
  if (timed !== null) return { text: (timed[1] ?? '') + milliseconds(timed[2] ?? ''), isArrival: false };
  return line.arrivedAt === null ? null : { text: clock(new Date(line.arrivedAt)), isArrival: true };
}

/** ".123456" -> ".123"; "" -> "". */
function milliseconds(part: string): string {
  return part === '' ? '' : `.${part.slice(1, 4)}`;
}

function clock(at: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}
