import { join, resolve } from 'node:path';

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
