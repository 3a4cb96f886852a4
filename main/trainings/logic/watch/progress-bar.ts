/** How far the trainer's own progress bar is. */
export type Progress = {
  readonly done: number;
  readonly total: number;
  /** Seconds since the bar began. */
  readonly seconds: number;
};

/** A bar of tqdm without a description: "  1%|▏   | 10/29790 [01:29<67:59:26,  8.22s/it]"; several may share a line. */
const BAR =
  /(?<=^|\])\s*\d{1,3}%\|[^|]*\| *(\d+)\/(\d+) \[(?:(\d+) days?, )?(?:(\d+):)?(\d+):(\d+)(?=[<,\]])/g;

/** Follows the bar of the training among others: it is the one of the most steps. */
export class ProgressBars {
  #last: Progress | null = null;

  get last(): Progress | null {
    return this.#last;
  }

  push(line: string): void {
    if (!line.includes('%|')) return;
    for (const [, done, total, days = 0, hours = 0, minutes, seconds] of line.matchAll(BAR)) {
      if (Number(total) < (this.#last?.total ?? 0)) continue;
      const passed = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
      this.#last = { done: Number(done), total: Number(total), seconds: passed };
    }
  }
}
