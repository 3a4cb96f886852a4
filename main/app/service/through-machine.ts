import type { Answer, Refusal, ServiceInfo, Value } from '../../../preload/contract/index';
import { failed, ok, type Result, shellWords } from '../../base/index';
import { checkedClient, FOREIGN_LINES } from '../control/checked-client';
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
  const askWay = () => here('service.openOn', { machineId }, 'terminal') as Promise<Answer<Way>>;
  const first = await askWay();
  if (!first.ok) return failed(first.error);
  const { name } = first.value;
  let known: Way | null = first.value;
  const connection = await connectControl(
    async () => {
      const way = known ?? (await askWay().then((answer) => (answer.ok ? answer.value : null)));
      known = null;
      return way === null ? null : openSocket(way.socket);
    },
    { isKept: true, limits: FOREIGN_LINES },
  );
  if (connection === null) return failed(silent(name));
  const upgrade = upgradeOn(machineId);
  if (connection.ok) return ok({ name, connection: checkedClient(connection.value, { name, upgrade }) });
  if (connection.error.by === undefined) return connection;
  const { version } = connection.error.by;
  return failed({
    code: 'unavailable',
    message: `The background service on ${name} is version ${version}, with which this one cannot talk.`,
    hint: `Bring it to this version: ${upgrade}`,
  });
}

/** What brings the service of a machine to this version, its work going on. */
export const upgradeOn = (machineId: string): string =>
  `mars2 service start --service ${shellWords([machineId])}`;

type Way = Value<'service.openOn'>;

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
