import type { NodeRuntime } from '../servers/index';

/** What runs our own programs: what runs this process. Electron is told to be Node, in a window and in an installed `mars2`. */
export function ownNodeRuntime({
  execPath,
  versions,
}: Pick<NodeJS.Process, 'execPath' | 'versions'>): NodeRuntime {
  return { command: execPath, env: versions.electron === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' } };
}
