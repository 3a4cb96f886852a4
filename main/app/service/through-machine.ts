import {
  type Answer,
  jobHasEnded,
  type PortForward,
  type Refusal,
  type ServiceInfo,
  type Value,
  type WorkbenchEvent,
} from '../../../preload/contract/index';
import {
  type Disposable,
  DisposableStore,
  Emitter,
  failed,
  ok,
  type Result,
  shellWords,
} from '../../base/index';
import { checkedClient, UNTRUSTED_LINE_LIMITS } from '../control/checked-client';
import { type ControlClient, connectControl, openSocket } from '../control/client';
import type { Call } from '../dispatch';
import type { Workbench } from '../workbench';
import { isDownloadProgress, withLocalDownloads } from './local-downloads';
import { withLocalForwards } from './local-forwards';
import { withLocalPaths } from './local-paths';

/**
 * A lasting connection to the service of a machine. `here`: the commands of this computer's workbench, whose connection
 * to the machine is used; after a cut, the path is requested from it again.
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
    { isKept: true, limits: UNTRUSTED_LINE_LIMITS },
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

/** The workbench of a machine's service as somebody here uses it: paths and forwarded ports are those of this computer. */
export function workbenchThrough(
  there: Workbench,
  here: Workbench,
  { machineId, name }: { readonly machineId: string; readonly name: string },
): Workbench {
  const call = callThrough(there.call, here.call, { machineId, name });
  const { events, dispose } = eventsThrough(there.events, here.events, call);
  return {
    ...there,
    call,
    events,
    close: async () => {
      dispose();
      await there.close();
    },
    // The computer of the window slept, and with it the connection.
    wake: () => {
      here.wake();
      there.wake();
    },
    saveWindowBounds: here.saveWindowBounds,
  };
}

/**
 * The events of the service `there` for somebody here: forwarded ports have the addresses of this computer, as `call` answers
 * them, and what this computer copies shows its progress.
 */
export function eventsThrough(
  there: Emitter<WorkbenchEvent>,
  here: Emitter<WorkbenchEvent>,
  call: Call,
): { readonly events: Emitter<WorkbenchEvent> } & Disposable {
  const events = new Emitter<WorkbenchEvent>();
  const owned = new DisposableStore();
  let latest = 0;
  const refresh = async (): Promise<void> => {
    latest += 1;
    const mine = latest;
    const answer = await call('machine.forwards', {}, 'terminal');
    if (mine !== latest || !answer.ok) return;
    events.emit({ kind: 'forwards-changed', forwards: answer.value as PortForward[] });
  };
  owned.add(
    there.on((event) => {
      if (event.kind !== 'forwards-changed') events.emit(event);
      const ended = event.kind === 'job-changed' && jobHasEnded(event.job.state);
      if (event.kind === 'forwards-changed' || ended) void refresh();
    }),
  );
  owned.add(
    here.on((event) => {
      if (event.kind === 'forwards-changed') void refresh();
      if (isDownloadProgress(event)) events.emit(event);
    }),
  );
  return { events, dispose: () => owned.dispose() };
}

export function callThrough(
  there: Call,
  here: Call,
  { machineId, name }: { readonly machineId: string; readonly name: string },
): Call {
  const withPaths = withLocalDownloads(withLocalPaths(there, here, machineId), here, machineId);
  const call = withLocalForwards(withPaths, here, machineId);
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
