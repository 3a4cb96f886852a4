import type { ServerLaunch } from '../../preload/contract/launch';
import type { Refusal } from '../../preload/contract/refusal';
import type { WorkbenchClient } from '../workbench-client';
import type { Location } from './location';
import type { Notices } from './notices';
import { createResource, type Resource } from './resource';

export type Launches = {
  /** One list, under the key `ONLY`. */
  readonly list: Resource<ServerLaunch[]>;
  /** Returns a refusal for the form. */
  readonly save: (launch: ServerLaunch) => Promise<Refusal | null>;
  readonly remove: (launch: ServerLaunch) => Promise<void>;
  /** Brings llama.cpp to a machine, perhaps with a small model and its launch, and goes to the job that does it. */
  readonly install: (machineId: string, withModel: boolean) => Promise<void>;
  /** Starts its servers and goes to the first of them; true when they were started. */
  readonly launch: (launchId: string) => Promise<boolean>;
};

export function createLaunches(client: WorkbenchClient, notices: Notices, location: Location): Launches {
  const list = createResource(() => client.call('launch.list', {}));
  const save = async (launch: ServerLaunch): Promise<Refusal | null> => {
    const answer = await client.call('launch.save', launch);
    if (!answer.ok) return answer.error;
    list.refreshAll();
    return null;
  };
  return {
    list,
    save,
    remove: async (launch) => {
      const answer = await client.call('launch.remove', { launchId: launch.id });
      if (!answer.ok) return notices.showRefusal(answer.error, 'Could not remove the launch');
      list.refreshAll();
      const restore = async (): Promise<void> => {
        const refusal = await save(launch);
        if (refusal !== null) notices.showRefusal(refusal, 'Could not bring the launch back');
      };
      notices.show({
        level: 'info',
        message: `Removed the launch ${launch.name}. Its servers keep running.`,
        action: { label: 'Undo', run: () => void restore() },
      });
    },
    install: async (machineId, withModel) => {
      const answer = await client.call('server.install', { machineId, withModel });
      if (!answer.ok) return notices.showRefusal(answer.error, 'Could not install llama.cpp');
      list.refreshAll();
      const { job } = answer.value;
      if (job !== null) location.go({ kind: 'jobs', jobId: job.id });
      else notices.show({ level: 'info', message: 'llama.cpp is there already.' });
    },
    launch: async (launchId) => {
      const answer = await client.call('server.launch', { launchId });
      if (!answer.ok) {
        notices.showRefusal(answer.error, 'Could not launch the server');
        return false;
      }
      const [first] = answer.value.serverIds;
      if (first !== undefined) location.go({ kind: 'servers', serverId: first });
      return true;
    },
  };
}
