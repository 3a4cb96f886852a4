import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Value } from '../../preload/contract/commands/index';
import type { WorkbenchClient } from '../workbench-client';
import type { Notices } from './notices';
import { createResource, type Resource } from './resource';

/** What does the window's work: the window itself, or a service that goes on without it. */
export type ServiceState = {
  /** One, under the key `ONLY`. */
  readonly info: Resource<Value<'service.info'>>;
  /** False while the connection to the service is cut. */
  readonly isConnected: StoreApi<boolean>;
  readonly connectionChanged: (isConnected: boolean) => void;
  /** Moves the work into a service. `registers`: it starts with the computer. The page is loaded again. */
  readonly start: (registers: boolean) => Promise<void>;
  /** Ends the service, and moves the work back into the window. The page is loaded again. */
  readonly takeBack: () => Promise<void>;
};

export function createServiceState(client: WorkbenchClient, notices: Notices): ServiceState {
  const info = createResource(() => client.call('service.info', {}));
  const isConnected = createStore<boolean>(() => true);
  return {
    info,
    isConnected,
    connectionChanged: (now) => {
      isConnected.setState(now, true);
      if (now) info.refreshAll();
    },
    start: async (registers) => {
      const answer = await client.call('service.start', { registers });
      if (!answer.ok) notices.showRefusal(answer.error);
    },
    takeBack: async () => {
      const answer = await client.call('service.takeBack', {});
      if (!answer.ok) notices.showRefusal(answer.error);
    },
  };
}
