import { assertNever } from '../assert-never';
import { LOCAL_MACHINE } from '../folds/local-machine';
import type { Refusal } from '../refusal';
import type { Study } from '../study';
import type { ServerSpec } from '../team';

/** What one study at a time may use, since a second one would halve its speed and distort its measured times. */
type Resource = {
  readonly key: string;
  /** Where a study that uses it runs, e.g. "on this computer". */
  readonly description: string;
};

/**
 * A server that we run on processors takes a machine; a launch and an external API are limited by themselves, since a
 * server's slots are counted by study.
 */
function resourceOf(server: ServerSpec): Resource {
  switch (server.kind) {
    case 'pocket':
    case 'recorded': {
      const machineId = server.machineId ?? LOCAL_MACHINE;
      const description = machineId === LOCAL_MACHINE ? 'on this computer' : `on the machine "${machineId}"`;
      return { key: `machine ${machineId}`, description };
    }
    case 'launch':
      return { key: `launch ${server.launchId}`, description: `with the server "${server.model}"` };
    case 'url':
      return { key: `url ${server.baseUrl}`, description: `with the server at ${server.baseUrl}` };
    default:
      return assertNever(server);
  }
}

/** The study that runs now and uses one of these servers, or a machine of theirs, and where; null: none. */
export function resourceUser(
  servers: readonly ServerSpec[],
  running: readonly Pick<Study, 'name' | 'runs'>[],
): { readonly name: string; readonly where: string } | null {
  const needed = new Map(servers.map(resourceOf).map(({ key, description }) => [key, description]));
  for (const { name, runs } of running) {
    const shared = runs
      .flatMap(({ team }) => team.servers)
      .find((server) => needed.has(resourceOf(server).key));
    if (shared !== undefined) return { name, where: resourceOf(shared).description };
  }
  return null;
}

/** Why a study with these servers cannot run beside those that run now; null: it can. */
export function resourceConflict(
  servers: readonly ServerSpec[],
  running: readonly Pick<Study, 'name' | 'runs'>[],
): Refusal | null {
  const user = resourceUser(servers, running);
  if (user === null) return null;
  return {
    code: 'conflict',
    message: `The study "${user.name}" is running ${user.where}. Two studies there would slow each other down and distort the measured times.`,
    hint: 'Pause that study, wait until it is done, or run this one on another machine.',
  };
}
