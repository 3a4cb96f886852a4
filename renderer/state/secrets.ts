import type { Value } from '../../preload/contract/commands/index';
import type { Refusal } from '../../preload/contract/refusal';
import type { WorkbenchClient } from '../workbench-client';
import type { Notices } from './notices';
import { createResource, type Resource } from './resource';

/** Keys in the system's key store. The window only knows their names. */
export type Secrets = {
  /** One list, under the key `ONLY`. */
  readonly list: Resource<Value<'secret.list'>>;
  /** Returns a refusal for the form. */
  readonly save: (name: string, value: string) => Promise<Refusal | null>;
  readonly remove: (name: string) => Promise<void>;
};

export function createSecrets(client: WorkbenchClient, notices: Notices): Secrets {
  const list = createResource(() => client.call('secret.list', {}));
  return {
    list,
    save: async (name, value) => {
      const answer = await client.call('secret.save', { name, value });
      list.refreshAll();
      return answer.ok ? null : answer.error;
    },
    remove: async (name) => {
      const answer = await client.call('secret.remove', { name });
      if (!answer.ok) return notices.showRefusal(answer.error);
      list.refreshAll();
    },
  };
}
