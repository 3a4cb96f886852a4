// The scripts' output while they work: plain lines, and one progress line for long steps.

/** Without a terminal a moving line would be a flood: then one line per this many milliseconds. */
const plainIntervalMs = 10_000;
/** On a terminal, often enough to look alive. */
const movingIntervalMs = 120;
const clearLine = '\r\u001b[K';

export function createReporter(stream, now = Date.now) {
  const moving = Boolean(stream.isTTY);
  let lineIsOpen = false;

  const say = (text) => {
    stream.write(`${lineIsOpen ? clearLine : ''}${text}\n`);
    lineIsOpen = false;
  };

  /** Returns { update(text), end() }: `text` is the whole line, as in "Electron 45.4.1: 31 of 118 MB". */
  const progress = () => {
    let last = moving ? 0 : now();
    return {
      update(text) {
        if (now() - last < (moving ? movingIntervalMs : plainIntervalMs)) return;
        last = now();
        if (moving) stream.write(`${clearLine}${text.slice(0, (stream.columns || 80) - 1)}`);
        else stream.write(`${text}\n`);
        lineIsOpen = moving;
      },
      end() {
        if (lineIsOpen) stream.write(clearLine);
        lineIsOpen = false;
      },
    };
  };

  return { say, progress, stream };
}

/** Runs `work` while a line tells how long it has been at it. */
export async function withElapsedLine(reporter, label, work, describe = () => '') {
  const startedAt = Date.now();
  const line = reporter.progress();
  const timer = setInterval(() => {
    const detail = describe();
    line.update(`${label}: ${formatSeconds(Date.now() - startedAt)}${detail ? `, ${detail}` : ''}`);
  }, 500);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    line.end();
  }
}

export const formatSeconds = (ms) =>
  ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;

export const formatMegabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;

export function formatTransfer(bytes, totalBytes, elapsedMs) {
  const speed = elapsedMs > 500 ? `, ${(bytes / 1e3 / elapsedMs).toFixed(1)} MB/s` : '';
  if (!totalBytes) return `${formatMegabytes(bytes)}${speed}`;
  const percent = Math.min(100, Math.floor((100 * bytes) / totalBytes));
  return `${formatMegabytes(bytes)} of ${formatMegabytes(totalBytes)} (${percent} %)${speed}`;
}
