import { join } from 'node:path';
import type { Answer, Refusal } from '../preload/contract/index';
import {
  type AppLog,
  type ControlClient,
  checkedClient,
  connectMachineService,
  connectService,
  createEncryptedSecrets,
  handOver,
  keysForService,
  openWorkbench,
  otherVersionText,
  ownNodeRuntime,
  programVersion,
  restartService,
  type SecretStore,
  serviceProgram,
  startNotices,
  stopService,
  upgradeOn,
  versionGap,
  type Workbench,
  workbenchOfService,
  workbenchThrough,
} from './app/index';
import { askBeforeClosing } from './electron/closing-question';
import { openBundle } from './electron/open-bundle';
import { systemCipher } from './electron/system-cipher';
import { createWindowCommands } from './electron/window-commands';
import type { ShownWorkbench } from './electron/window-session';

type Window = Parameters<typeof createWindowCommands>[0];

/** A service that its supervisor or a command restarts has opened its folder within this time. */
const SERVICE_GONE_MS = 10_000;

export type WindowOptions = {
  readonly window: Window;
  /** Of this app. */
  readonly version: string;
  readonly dataDir: string;
  readonly project: string;
  readonly environmentSecrets: SecretStore;
  readonly log: AppLog;
  readonly onLockLost: (refusal: Refusal) => void;
  /** The window shows another workbench from now on. */
  readonly show: (opening: Promise<Answer<ShownWorkbench>>) => void;
};

/** Opens the data folder for a window: by its service where one runs, else in this process. */
export async function openForWindow(options: WindowOptions): Promise<Answer<ShownWorkbench>> {
  const { dataDir } = options;
  const client = await connectService(dataDir);
  if (client === null) return openHere(options);
  if (!client.ok) return client;
  const { version } = client.value.about();
  const gap = versionGap(version, ownVersion(options).version);
  const opened = await workbenchOfService(
    gap === null
      ? client.value
      : checkedClient(client.value, { name: 'this computer', upgrade: 'mars2 service restart' }),
    behaviour(options),
  );
  if (!opened.ok) return opened;
  const workbench = opened.value;
  const ending = takeOverAtItsEnd(options, client.value);
  const leave = async (): Promise<void> => {
    ending.dispose();
    following.dispose();
    await workbench.close();
  };
  // It was upgraded elsewhere.
  const following = client.value.onConnection.on(({ isConnected }) => {
    if (!isConnected || client.value.about().version === version) return;
    options.show(leave().then(() => openForWindow(options)));
  });
  const takeBack = async (): Promise<Answer<ShownWorkbench>> => {
    ending.dispose();
    const stopped = await stopService(dataDir, { forGood: true });
    await leave();
    return stopped.ok ? openForWindow(options) : stopped;
  };
  const upgrade = async (): Promise<Answer<ShownWorkbench>> => {
    await leave();
    const restarted = await restartService(dataDir, serviceProgram(options.project, dataDir));
    const next = await openForWindow(options);
    if (restarted.ok || !next.ok) return next;
    const message = `The background service was not upgraded. ${restarted.error.message}`;
    return shown({ ...next.value, notices: [{ level: 'error', message }] });
  };
  const own: ShownWorkbench = {
    workbench,
    notices: otherVersion(options, client.value, null),
    showBundle: (path) => openBundle(path, workbench),
    windowCommands: createWindowCommands(options.window, workbench, {
      start: null,
      takeBack: () => options.show(takeBack()),
      upgrade: () => options.show(upgrade()),
      showMachine: (machineId) => machineService(options, own, machineId),
      ...{ showHere: null, callThere: null },
    }),
    // The service continues.
    end: async () => {
      await leave();
      return true;
    },
  };
  return shown(own);
}

/** A service that was stopped elsewhere leaves nobody who does the work: the window that showed it does it from then on. */
function takeOverAtItsEnd(options: WindowOptions, client: ControlClient): { readonly dispose: () => void } {
  let timer: NodeJS.Timeout | null = null;
  let isOver = false;
  const stopTimer = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const tryLater = (): void => {
    if (isOver || client.isConnected()) return;
    timer = setTimeout(
      () => void tryToOpen().catch((error: unknown) => options.log.write('error', 'taking over', error)),
      SERVICE_GONE_MS,
    );
  };
  const tryToOpen = async (): Promise<void> => {
    // Refused while another process has the data folder: this window waits for its connection then.
    const opened = await openHere(options);
    if (!opened.ok) return tryLater();
    if (isOver) {
      await opened.value.workbench.close();
      return;
    }
    isOver = true;
    await client.close();
    const message =
      'The background service has ended. This window does its work now, for as long as it is open.';
    options.show(Promise.resolve(shown({ ...opened.value, notices: [{ level: 'warning', message }] })));
  };
  const listening = client.onConnection.on(({ isConnected }) => {
    stopTimer();
    if (!isConnected) tryLater();
  });
  return {
    dispose: () => {
      isOver = true;
      stopTimer();
      listening.dispose();
    },
  };
}

/** Shows the service of a machine, through the connection of `own`, this computer's workbench, which keeps running. */
async function machineService(
  options: WindowOptions,
  own: ShownWorkbench,
  machineId: string,
): Promise<Answer<() => void>> {
  const client = await connectMachineService(own.workbench.call, machineId);
  if (!client.ok) return client;
  const { name, connection } = client.value;
  const opened = await workbenchOfService(connection, behaviour(options));
  if (!opened.ok) return opened;
  const workbench = workbenchThrough(opened.value, own.workbench, { machineId, name });
  const back = async (): Promise<Answer<ShownWorkbench>> => {
    await workbench.close();
    return shown(own);
  };
  const there: ShownWorkbench = {
    workbench,
    notices: otherVersion(options, connection, upgradeOn(machineId)),
    showBundle: (path) => openBundle(path, workbench),
    windowCommands: createWindowCommands(options.window, workbench, {
      ...{ start: null, takeBack: null, upgrade: null, showMachine: null },
      showHere: () => options.show(back()),
      callThere: opened.value.call,
    }),
    end: async (canAsk) => {
      const isOver = await own.end(canAsk);
      if (isOver) await workbench.close();
      return isOver;
    },
  };
  return { ok: true, value: () => options.show(Promise.resolve(shown(there))) };
}

function behaviour(options: WindowOptions): Parameters<typeof workbenchOfService>[1] {
  const { log, window } = options;
  return {
    version: ownVersion(options).version,
    onBug: (error, name) => {
      log.write('error', name, error);
      return `The details are in the log: ${log.path}.`;
    },
    onBehind: () => {
      if (!window.isDestroyed()) window.webContents.reload();
    },
  };
}

const ownVersion = ({ project, version }: WindowOptions) => ({
  version: programVersion(project, version),
  name: 'this window',
});

/** `upgrade`: how a service that is older is upgraded; null: by a press in this window. */
function otherVersion(
  options: WindowOptions,
  { about }: ControlClient,
  upgrade: string | null,
): NonNullable<ShownWorkbench['notices']> {
  const own = ownVersion(options);
  const message = otherVersionText(about(), own, upgrade);
  const canUpgrade = upgrade === null && versionGap(about().version, own.version) !== 'newer';
  return message === null ? [] : [{ level: 'warning', message, upgradesService: canUpgrade }];
}

function shown(value: ShownWorkbench): Answer<ShownWorkbench> {
  return { ok: true, value };
}

async function openHere(options: WindowOptions): Promise<Answer<ShownWorkbench>> {
  const { window, dataDir, project, environmentSecrets, log, onLockLost } = options;
  const secrets = createEncryptedSecrets(join(dataDir, 'keys.json'), systemCipher, environmentSecrets);
  const opened = await openWorkbench({
    dataDir,
    project,
    appVersion: options.version,
    kind: 'window',
    nodeRuntime: ownNodeRuntime(process),
    reconnects: true,
    onLockLost,
    secrets,
  });
  if (!opened.ok) return opened;
  const workbench = opened.value;
  const program = serviceProgram(project, dataDir);
  const toService = (registers: boolean) =>
    handOver({
      workbench,
      dataDir,
      secrets,
      program,
      registers,
      onError: (error) => log.write('error', 'closing', error),
    });
  const start = async (registers: boolean): Promise<Answer<ShownWorkbench>> => {
    const handed = await toService(registers);
    const next = await openForWindow(options);
    if (!next.ok) return next;
    const notices = [...(next.value.notices ?? []), ...startNotices(handed, registers)];
    return shown({ ...next.value, notices });
  };
  const own: ShownWorkbench = {
    workbench,
    showBundle: (path) => openBundle(path, workbench),
    windowCommands: createWindowCommands(window, workbench, {
      start: (registers) => options.show(start(registers)),
      ...{ takeBack: null, upgrade: null },
      showMachine: (machineId) => machineService(options, own, machineId),
      ...{ showHere: null, callThere: null },
    }),
    end: async (canAsk) => {
      const choice = canAsk ? await choiceAtClosing(window, workbench, dataDir, secrets) : 'stop';
      if (choice === 'stay') return false;
      if (!window.isDestroyed()) window.hide();
      if (choice === 'stop') {
        await workbench.close();
        return true;
      }
      const handed = await toService(false);
      if (!handed.ok) throw new Error(handed.error.message);
      return true;
    },
  };
  return shown(own);
}

async function choiceAtClosing(
  window: Window,
  workbench: Workbench,
  dataDir: string,
  secrets: SecretStore,
): Promise<'service' | 'stop' | 'stay'> {
  const { onClose } = workbench.settings();
  if (onClose === 'stop') return 'stop';
  const info = await workbench.call('service.info', {}, 'window');
  const unfinished = info.ok ? (info.value as { readonly unfinished: readonly string[] }).unfinished : [];
  if (unfinished.length === 0) return 'stop';
  if (onClose === 'service') return 'service';
  const { choice, always } = await askBeforeClosing(
    window,
    unfinished,
    await keysForService(dataDir, secrets),
  );
  if (always && choice !== 'stay') await workbench.call('settings.change', { onClose: choice }, 'window');
  return choice;
}
