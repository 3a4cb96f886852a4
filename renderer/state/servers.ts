import type { StoreApi } from 'zustand/vanilla';
import type { Payload } from '../../preload/contract/commands/index';
import type { SpeedRow } from '../../preload/contract/launch';
import type { Answer } from '../../preload/contract/refusal';
import type { WorkbenchClient } from '../workbench-client';
import type { Notices } from './notices';
import { createPendingActions } from './pending-actions';
import type { Tasks } from './tasks';

export type ServerAction = 'stop' | 'restart' | 'remove';

export type ServerCommands = {
  /** By server id. */
  readonly pendingActions: StoreApi<ReadonlyMap<string, ServerAction>>;
  readonly stop: (serverId: string) => Promise<void>;
  readonly restart: (serverId: string) => Promise<void>;
  readonly remove: (serverId: string) => Promise<void>;
  /** Returns a refusal for the dialog. */
  readonly speedTest: (request: Payload<'server.speedTest'>) => Promise<Answer<SpeedRow[]>>;
};

export function createServerCommands(
  client: WorkbenchClient,
  notices: Notices,
  tasks: Tasks,
): ServerCommands {
  const { store: pendingActions, run } = createPendingActions<ServerAction>(notices);
  const ask = async (serverId: string, action: ServerAction): Promise<void> => {
    await run(serverId, action, client.call(`server.${action}`, { serverId }));
  };
  return {
    pendingActions,
    stop: (serverId) => ask(serverId, 'stop'),
    restart: (serverId) => ask(serverId, 'restart'),
    remove: (serverId) => ask(serverId, 'remove'),
    speedTest: (request) => tasks.run('speed-test', () => client.call('server.speedTest', request)),
  };
}
