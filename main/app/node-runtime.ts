import type { NodeRuntime } from '../servers/index';

/**
 * The runtime of our own programs, the same as of this process. In a window and in an installed `mars2`, Electron runs
 * as Node.
 */
export function ownNodeRuntime({
  execPath,
  versions,
}: Pick<NodeJS.Process, 'execPath' | 'versions'>): NodeRuntime {
  return { command: execPath, env: versions.electron === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' } };
}
