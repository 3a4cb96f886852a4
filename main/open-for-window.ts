import { join } from 'node:path';
import type { Answer, Refusal } from '../preload/contract/index';
import {
  type AppLog,
  connectService,
  createEncryptedSecrets,
  handOver,
  keysForService,
  openWorkbench,
  ownNodeRuntime,
  type SecretStore,
  serviceProgram,
  stopService,
  type Workbench,
  workbenchOfService,
} from './app/index';
import { askBeforeClosing } from './electron/closing-question';
import { openBundle } from './electron/open-bundle';
import { systemCipher } from './electron/system-cipher';
import { createWindowCommands } from './electron/window-commands';
import type { ShownWorkbench } from './electron/window-session';

type Window = Parameters<typeof createWindowCommands>[0];

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
  const { log, window } = options;
  const opened = await workbenchOfService(client.value, {
    onBug: (error, name) => {
      log.write('error', name, error);
      return `The details are in the log: ${log.path}.`;
    },
    onBehind: () => {
      if (!window.isDestroyed()) window.webContents.reload();
    },
  });
  if (!opened.ok) return opened;
  const workbench = opened.value;
  const { version } = client.value.about();
  const message = `The background service is version ${version}, this window is ${options.version}. To upgrade the service, type in a terminal: mars2 service restart`;
  const takeBack = async (): Promise<Answer<ShownWorkbench>> => {
    const stopped = await stopService(dataDir, { forGood: true });
    await workbench.close();
    return stopped.ok ? openForWindow(options) : stopped;
  };
  return shown({
    workbench,
    notices: version === options.version ? [] : [{ level: 'warning', message }],
    showBundle: (path) => openBundle(path, workbench),
    windowCommands: createWindowCommands(window, workbench, {
      start: null,
      takeBack: () => options.show(takeBack()),
    }),
    // The service goes on.
    end: async () => {
      await workbench.close();
      return true;
    },
  });
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
    if (handed.ok || !next.ok) return next;
    const message = `The background service did not start, so this window does the work itself. ${handed.error.message}`;
    return shown({ ...next.value, notices: [...(next.value.notices ?? []), { level: 'error', message }] });
  };
  return shown({
    workbench,
    showBundle: (path) => openBundle(path, workbench),
    windowCommands: createWindowCommands(window, workbench, {
      start: (registers) => options.show(start(registers)),
      takeBack: null,
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
  });
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
