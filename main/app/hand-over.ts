import type { Refusal } from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import { type ControlClient, connectControl, openSocket } from './control/client';
import { controlSocketOf } from './control/server';
import type { SecretStore } from './secrets';
import { startService } from './service/manage-service';
import type { Registration } from './service/registration';
import { createServiceKeys } from './service/service-keys';
import type { ServiceProgram } from './service/start-files';
import type { Workbench } from './workbench';

/** A lasting connection to the service that has the data folder open; null: no service has. */
export async function connectService(dataDir: string): Promise<Result<ControlClient, Refusal> | null> {
  const path = await controlSocketOf(dataDir);
  if (!path.ok) return null;
  const client = await connectControl(() => openSocket(path.value), { isKept: true });
  if (client === null || !client.ok || client.value.about().kind === 'service') return client;
  await client.value.close();
  return null;
}

/** How many keys a service would be given, and where it would keep them. */
export async function keysForService(
  dataDir: string,
  secrets: SecretStore,
): Promise<{ readonly count: number; readonly keptIn: string | null }> {
  const count = (await secrets.names()).length;
  return count === 0
    ? { count, keptIn: null }
    : { count, keptIn: (await createServiceKeys(dataDir, secrets)).keptIn };
}

/**
 * Closes a workbench so that the data folder's service continues with its work, gives it the keys, and starts it.
 * Refused: the workbench is closed, and no service runs.
 */
export async function handOver(options: {
  readonly workbench: Pick<Workbench, 'close'>;
  readonly dataDir: string;
  readonly secrets: SecretStore;
  readonly program: ServiceProgram;
  readonly registers: boolean;
  /** Gets the error of a part of the workbench that could not be closed; the other parts are closed. */
  readonly onError: (error: unknown) => void;
}): Promise<Result<{ readonly registration: Registration }, Refusal>> {
  const { workbench, dataDir, secrets, program, registers, onError } = options;
  await workbench.close({ handOver: true }).catch(onError);
  const keys = await createServiceKeys(dataDir, secrets);
  for (const name of await secrets.names()) {
    const value = await secrets.value(name);
    if (value === null) continue;
    const saved = await keys.save(name, value);
    if (!saved.ok) return failed(saved.error);
  }
  const started = await startService(dataDir, program, { registers });
  return started.ok ? ok({ registration: started.value.registration }) : started;
}

/**
 * The message for a user who asked for a service: that it did not start, or that it will not start with this computer
 * although `registers` was set.
 */
export function startNotices(
  handed: Result<{ readonly registration: Registration }, Refusal>,
  registers: boolean,
): ReadonlyArray<{ readonly level: 'warning' | 'error'; readonly message: string }> {
  if (!handed.ok)
    return [
      {
        level: 'error',
        message: `The background service did not start, so this window does the work itself. ${handed.error.message}`,
      },
    ];
  if (!registers || handed.value.registration !== null) return [];
  return [
    {
      level: 'warning',
      message:
        'The background service runs, but does not start with this computer: neither systemd for users nor crontab was found. After a restart, start it again.',
    },
  ];
}
