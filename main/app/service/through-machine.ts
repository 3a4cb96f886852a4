import type { Answer, Refusal, ServiceInfo } from '../../../preload/contract/index';
import { failed, ok, type Result } from '../../base/index';
import { type ControlClient, connectControl, openSocket } from '../control/client';
import type { Call } from '../dispatch';
import type { Workbench } from '../workbench';
import { withLocalPaths } from './local-paths';

/**
 * A lasting connection to the service of a machine. `here`: the commands of this computer's workbench, whose connection to
 * the machine is used; after a cut it is asked for the way anew.
 */
export async function connectMachineService(
  here: Call,
  machineId: string,
): Promise<Result<{ readonly name: string; readonly connection: ControlClient }, Refusal>> {
  const way = async (): Promise<Answer<unknown>> => here('service.openOn', { machineId }, 'terminal');
  const first = await way();
  if (!first.ok) return failed(first.error);
  const { name } = first.value as { readonly name: string };
  const connection = await connectControl(
    async () => {
      const opened = await way();
      return opened.ok ? openSocket((opened.value as { readonly socket: string }).socket) : null;
    },
    { isKept: true },
  );
  if (connection === null) return failed(silent(name));
  return connection.ok ? ok({ name, connection: connection.value }) : connection;
}

/** The workbench of a machine's service as somebody here uses it: paths are those of this computer. */
export function workbenchThrough(
  there: Workbench,
  here: Workbench,
  { machineId, name }: { readonly machineId: string; readonly name: string },
): Workbench {
  return {
    ...there,
    call: callThrough(there.call, here.call, { machineId, name }),
    // The computer of the window slept, and with it the connection.
    wake: () => {
      here.wake();
      there.wake();
    },
    saveWindowBounds: here.saveWindowBounds,
  };
}

export function callThrough(
  there: Call,
  here: Call,
  { machineId, name }: { readonly machineId: string; readonly name: string },
): Call {
  const call = withLocalPaths(there, here, machineId);
  return async (command, payload, host) => {
    const answer = await call(command, payload, host);
    if (command !== 'service.info' || !answer.ok) return answer;
    return ok({ ...(answer.value as ServiceInfo), through: name });
  };
}

const silent = (name: string): Refusal => ({
  code: 'unavailable',
  message: `The background service on ${name} does not answer.`,
  hint: 'It may be starting: try again in a moment.',
});
