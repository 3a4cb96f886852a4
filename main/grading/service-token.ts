import { randomBytes } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { reasonOf, systemErrorCode } from '../storage';

/** 256 bits: nobody guesses it, however long the service runs. */
const TOKEN_BYTES = 32;
/** Characters that a header may hold, and long enough not to be guessed. */
const TOKEN = /^[\w.~+/=-]{32,400}$/;
const MAX_BYTES = 4_096;
const OTHERS = 0o077;

/**
 * The bearer token in a file that only this user can read. A file that is there is used as it is, so that clients keep
 * their token; else one is made.
 */
export async function serviceToken(path: string): Promise<Result<string, Refusal>> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(`${token}\n`);
    } finally {
      await file.close();
    }
    return ok(token);
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return readServiceToken(path);
    return unusable(path, `it cannot be written, ${reasonOf(error)}`);
  }
}

/** The token in a file that others cannot read. */
export async function readServiceToken(path: string): Promise<Result<string, Refusal>> {
  try {
    const { mode, size } = await stat(path);
    if ((mode & OTHERS) !== 0)
      return unusable(path, 'other users can read it. Close it to them: chmod 600 FILE, or make a new token');
    if (size > MAX_BYTES) return unusable(path, 'it is too long for a token');
    const file = await open(path, 'r');
    try {
      const token = (await file.readFile('utf8')).trim();
      return TOKEN.test(token)
        ? ok(token)
        : unusable(path, 'it holds no token of 32 to 400 letters and digits');
    } finally {
      await file.close();
    }
  } catch (error) {
    return unusable(path, `it cannot be read, ${reasonOf(error)}`);
  }
}

function unusable(path: string, why: string): Result<never, Refusal> {
  return failed({ code: 'bad-input', message: `The token's file ${path} cannot be used: ${why}.` });
}
