import { lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Refusal } from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';

/**
 * The data folder: the user's choice (`--data`, may be relative to the working folder), otherwise the platform's usual
 * folder for such data.
 */
export function dataFolder(
  choice: string | undefined,
  host: { platform: NodeJS.Platform; env: NodeJS.ProcessEnv; home: string },
): string {
  if (choice !== undefined) return resolve(choice);
  const { platform, env, home } = host;
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'mars2-workbench');
  if (platform === 'win32') return join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), 'mars2-workbench');
  return join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'mars2-workbench');
}

/**
 * A folder for sockets that no other user can enter. Its path is short, because that of a socket may have about 100 bytes.
 * Creates it if needed; refuses one that belongs to somebody else.
 */
export async function privateFolder(env: NodeJS.ProcessEnv): Promise<Result<string, Refusal>> {
  const me = process.getuid?.() ?? 0;
  const folder = join(env.XDG_RUNTIME_DIR || tmpdir(), `mars2-${me}`);
  try {
    await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    });
    const stats = await lstat(folder);
    if (stats.isDirectory() && stats.uid === me && (stats.mode & 0o077) === 0) return ok(folder);
    return failed({
      code: 'unavailable',
      message: `${folder} must be a folder that only you can enter, but is not. Another user may have created it.`,
      hint: `Check it with: ls -ld ${folder}. Or set XDG_RUNTIME_DIR to your own folder.`,
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return failed({ code: 'unavailable', message: `Cannot create ${folder}: ${why}.` });
  }
}
