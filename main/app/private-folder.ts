import { lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Refusal } from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';

/**
 * A folder for sockets that no other user can enter. Short, because the path of a socket may have about 100 bytes.
 * It is made when it is not there; one that belongs to somebody else is refused.
 */
export async function privateFolder(env: NodeJS.ProcessEnv): Promise<Result<string, Refusal>> {
  const me = process.getuid?.() ?? 0;
  const folder = join(env.XDG_RUNTIME_DIR || tmpdir(), `mars2-${me}`);
  try {
    await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    });
    const found = await lstat(folder);
    if (found.isDirectory() && found.uid === me && (found.mode & 0o077) === 0) return ok(folder);
    return failed({
      code: 'unavailable',
      message: `${folder} should be a folder that only you can enter, and is not. Somebody else may have made it.`,
      hint: `Look at it with: ls -ld ${folder}. Or set XDG_RUNTIME_DIR to a folder of your own.`,
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return failed({ code: 'unavailable', message: `${folder} can not be made: ${why}.` });
  }
}
