/** Longer lines, which are only printed prompts and answers, are cut. */
const LONGEST_LINE = 1_000_000;

/** Terminal control sequences: colours, cursor movements, titles. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this is what a terminal's control sequences begin with
const CONTROL = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
/** The prefix of Ray for a worker's lines, e.g. "(TaskRunner pid=1064331, ip=10.0.0.2) ". */
const WORKER = /^\((?:[\w.:]+ )?(?:pid|ip)=[^)]{1,80}\)\s?/;

/** Splits a console log, which arrives in pieces, into lines; each redraw of a progress bar is a line. */
export class LogLines {
  #held = '';

  /** The lines completed by this piece, without control sequences and Ray's prefix. */
  push(piece: string): readonly string[] {
    const parts = (this.#held + piece).split(/\r\n|\n|\r/);
    this.#held = (parts.pop() ?? '').slice(0, LONGEST_LINE);
    return parts.map(plainLine);
  }
}

/** Removes control sequences and Ray's prefix. */
function plainLine(line: string): string {
  const text = line.length > LONGEST_LINE ? line.slice(0, LONGEST_LINE) : line;
  return (text.includes('\u001b') ? text.replace(CONTROL, '') : text).replace(WORKER, '');
}

const STAMP = /(?:^|\s|\[)(?:(\d{4})-)?(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)/;

/**
 * The timestamp at the start of a log line, in milliseconds; null: none. Only differences are meaningful: the zone and
 * often the year are missing ("INFO 11-21 21:22:31 trainer.py:157] ...").
 */
export function stampMs(line: string): number | null {
  const stamp = STAMP.exec(line.slice(0, 60));
  if (stamp === null) return null;
  const [, year = '2000', month, day, hours, minutes, seconds] = stamp;
  const days = dayNumber(Number(year), Number(month), Number(day));
  return (((days * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
}

/** Days since 1 March of year 0 (proleptic Gregorian): years that start in March end with their leap day. */
function dayNumber(year: number, month: number, day: number): number {
  const [years, months] = month > 2 ? [year, month - 3] : [year - 1, month + 9];
  const leaps = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  return years * 365 + leaps + Math.floor((153 * months + 2) / 5) + day - 1;
}

/** The state of the trainer's own progress bar. */
export type Progress = {
  readonly done: number;
  readonly total: number;
  /** Seconds since the bar began. */
  readonly seconds: number;
};

/** A tqdm bar without a description: "  1%|▏   | 10/29790 [01:29<67:59:26,  8.22s/it]"; several may share a line. */
const BAR =
  /(?<![^\]])\s*\d{1,3}%\|[^|]*\| *(\d+)\/(\d+) \[(?:(\d+) days?, )?(?:(\d+):)?(\d+):(\d+)(?=[<,\]])/g;

/** Follows the training's progress bar among others: the one with the most steps. */
export class ProgressBars {
  #last: Progress | null = null;

  get last(): Progress | null {
    return this.#last;
  }

  /** Whether the line shows it. */
  push(line: string): boolean {
    if (!line.includes('%|')) return false;
    const before = this.#last;
    for (const [, done, total, days = 0, hours = 0, minutes, seconds] of line.matchAll(BAR)) {
      if (Number(total) < (this.#last?.total ?? 0)) continue;
      const passed = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
      this.#last = { done: Number(done), total: Number(total), seconds: passed };
    }
    return this.#last !== before;
  }
}
