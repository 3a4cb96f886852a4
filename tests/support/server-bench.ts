import { failed, ok } from '../../main/base';
import type { Machine } from '../../main/machines';
import { createServerService, type ServerService } from '../../main/servers';

type Options = Parameters<typeof createServerService>[0];

/** A server service over jobs of some machines; what is left out is as without GPUs, launches and keys. */
export function openServers({
  machines,
  ...options
}: Pick<Options, 'jobs' | 'modelServerScript'> &
  Partial<Omit<Options, 'machines'>> & {
    readonly machines: readonly Machine[] | Options['machines'];
  }): ServerService {
  return createServerService({
    machines: 'get' in machines ? machines : among(machines),
    launches: () => [],
    gpus: async () => ok({ gpus: [], reservations: [], user: 'me' }),
    secretOf: async () => null,
    nodeRuntime: { command: process.execPath, env: {} },
    resourcesDir: 'resources',
    clock: { now: () => Date.now() },
    ...options,
  });
}

function among(machines: readonly Machine[]): Options['machines'] {
  return {
    get: (id) => {
      const machine = machines.find((one) => one.id === id);
      return machine === undefined
        ? failed({ code: 'not-found', message: `There is no machine "${id}".` })
        : ok(machine);
    },
  };
}
