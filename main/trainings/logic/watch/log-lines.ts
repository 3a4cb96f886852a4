/** A longer line is cut: only prompts and answers that somebody printed are that long. */
const LONGEST_LINE = 1_000_000;

/** Colours, cursor movements, titles of the terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this is what a terminal's control sequences begin with
const CONTROL = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
/** What Ray puts in front of a worker's lines, e.g. "(TaskRunner pid=1064331, ip=10.0.0.2) ". */
const WORKER = /^\((?:[\w.:]+ )?(?:pid|ip)=[^)]{1,80}\)\s?/;

/** Cuts the text of a console log, which comes in pieces, into lines; a bar that redraws itself is a line each time. */
export class LogLines {
  #held = '';

  /** The lines that this piece completes, without control sequences and Ray's prefix. */
  push(piece: string): readonly string[] {
    const parts = (this.#held + piece).split(/\r\n|\n|\r/);
    this.#held = (parts.pop() ?? '').slice(0, LONGEST_LINE);
    return parts.map(plainLine);
  }
}

/** A line as a person reads it. */
function plainLine(line: string): string {
  const text = line.length > LONGEST_LINE ? line.slice(0, LONGEST_LINE) : line;
  return (text.includes('\u001b') ? text.replace(CONTROL, '') : text).replace(WORKER, '');
}
