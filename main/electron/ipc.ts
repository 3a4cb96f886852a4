import { type BrowserWindow, ipcMain, type WebFrameMain } from 'electron';
import { CALL_CHANNEL, EVENTS_CHANNEL, SUBSCRIBE_CHANNEL } from '../../preload/contract/channel-names';
import type { Answer, Refusal, WorkbenchEvent } from '../../preload/contract/index';
import type { Workbench } from '../app/index';
import { type Disposable, DisposableStore } from '../base/index';
import { APP_ORIGIN } from './app-protocol';
import type { WindowCommands } from './window-commands';

/** Often enough to look live (20 a second), rarely enough that a flood of events costs only a few messages. */
const BATCH_MS = 50;

function isOurPage(frame: WebFrameMain | null, window: BrowserWindow): boolean {
  return (
    frame !== null &&
    !window.isDestroyed() &&
    frame === window.webContents.mainFrame &&
    frame.url.startsWith(`${APP_ORIGIN}/`)
  );
}

/** Connects one window with the workbench: checks the sender, passes calls on, sends events in batches. */
export function connectWindow(
  window: BrowserWindow,
  workbench: Workbench,
  windowCommands: WindowCommands,
): Disposable {
  const store = new DisposableStore();
  const refuse = (error: Refusal): Answer<never> => ({ ok: false, error });

  ipcMain.handle(CALL_CHANNEL, (event, name: unknown, payload: unknown) => {
    if (!isOurPage(event.senderFrame, window)) {
      return refuse({ code: 'not-allowed', message: 'Only the workbench window may run commands.' });
    }
    if (typeof name !== 'string') {
      return refuse({ code: 'unknown-command', message: 'The name of a command must be a string.' });
    }
    return (
      windowCommands(name, payload)?.catch((error: unknown) => workbench.answerOfBug(name, error)) ??
      workbench.call(name, payload, 'window')
    );
  });
  store.add({ dispose: () => ipcMain.removeHandler(CALL_CHANNEL) });

  let pending: WorkbenchEvent[] = [];
  let timer: NodeJS.Timeout | null = null;
  let listening = false;
  const send = (): void => {
    timer = null;
    if (pending.length === 0 || window.isDestroyed()) return;
    const batch = pending;
    pending = [];
    window.webContents.send(EVENTS_CHANNEL, batch);
  };
  const subscribed = (event: Electron.IpcMainEvent): void => {
    if (!isOurPage(event.senderFrame, window) || listening) return;
    listening = true;
    if (workbench.damage !== null) {
      workbench.events.emit({ kind: 'notice', level: 'error', message: workbench.damage });
    }
    if (workbench.privacy !== null) {
      workbench.events.emit({ kind: 'notice', level: 'info', message: workbench.privacy });
    }
  };
  ipcMain.on(SUBSCRIBE_CHANNEL, subscribed);
  store.add({ dispose: () => ipcMain.removeListener(SUBSCRIBE_CHANNEL, subscribed) });
  store.add(
    workbench.events.on((event) => {
      if (!listening) return;
      pending.push(event);
      // Terminal output is batched already, and the echo of a pressed key must not wait.
      if (event.kind === 'terminal-output') {
        if (timer !== null) clearTimeout(timer);
        send();
      } else timer ??= setTimeout(send, BATCH_MS);
    }),
  );
  store.add({
    dispose: () => {
      if (timer !== null) clearTimeout(timer);
    },
  });
  return store;
}
