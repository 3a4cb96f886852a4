import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FaultContext } from './scenario';
import type { CommandOptions, Workspace } from './workspace';

/** When all is over: the data folder opens, nobody holds it afterwards, and nothing is left of what happened. */
export async function settle(
  { check }: FaultContext,
  workspace: Workspace,
  options?: CommandOptions,
): Promise<void> {
  const opened = await workspace.run(['studies', 'list'], options);
  check('lock', opened.code === 0 ? null : `it opens with code ${opened.code}: ${opened.err.slice(-300)}`);
  const lock = join(workspace.dataDir, 'workbench.lock');
  check('lock', existsSync(lock) ? 'the lock is held by nobody who lives' : null);
  check('clean', await workspace.leftBehind());
  await workspace.dispose();
}
