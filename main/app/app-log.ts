import { closeSync, fchmodSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { hideSecrets } from '../base/index';
import { reasonOf, systemErrorCode } from '../storage/index';

/** Two files of this size: weeks of errors, small enough to send to somebody. */
const MAX_BYTES = 5_000_000;
/** Longer entries are cut before anything else is done with them: a message may hold a model's whole output. */
const MAX_ENTRY = 20_000;

export type LogLevel = 'error' | 'warning' | 'info';

/** The log of the app itself: what it could not show to anybody at the time, for a report of a problem. */
export type AppLog = {
  readonly path: string;
  /** `about`: which part, e.g. "jobs, 17". Never throws. */
  readonly write: (level: LogLevel, about: string, content: unknown) => void;
};

/**
 * The log of a data folder, `app.log`, which only this user can read. A full file becomes `app.log.1` and replaces the one
 * before it. Entries are written at once, since the process may be about to end; several processes may write. Secrets are
 * hidden, and further lines of an entry are indented, so that no text can look like an entry.
 */
export function appLog(
  dataDir: string,
  { now = () => new Date(), maxBytes = MAX_BYTES }: { now?: () => Date; maxBytes?: number } = {},
): AppLog {
  const path = join(dataDir, 'app.log');
  return {
    path,
    write: (level, about, content) => {
      const entry = `${now().toISOString()} ${level} ${shown(`${about}: ${textOf(content)}`)}\n`;
      try {
        if (sizeOf(path) + Buffer.byteLength(entry) > maxBytes) renameSync(path, `${path}.1`);
        const file = openSync(path, 'a', 0o600);
        try {
          fchmodSync(file, 0o600);
          writeSync(file, entry);
        } finally {
          closeSync(file);
        }
      } catch (error) {
        // A full disk must not end the app on top of what is being logged.
        process.stderr.write(`The log ${path} cannot be written: ${reasonOf(error)}. ${entry}`);
      }
    },
  };
}

function textOf(content: unknown): string {
  if (!(content instanceof Error)) return String(content);
  const stack = content.stack ?? content.message;
  return content.cause === undefined ? stack : `${stack}\ncaused by ${textOf(content.cause)}`;
}

function shown(text: string): string {
  const cut = text.length > MAX_ENTRY ? `${text.slice(0, MAX_ENTRY)} (cut)` : text;
  const plain = hideSecrets(cut).replace(/[^\P{Cc}\n\t]/gu, '?');
  return plain.split('\n').join('\n    ');
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return 0;
    throw error;
  }
}
