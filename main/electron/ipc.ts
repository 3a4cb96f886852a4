import { CALL_CHANNEL, EVENTS_CHANNEL, SUBSCRIBE_CHANNEL } from '../../preload/contract/channel-names';
import type { Answer, Refusal, WorkbenchEvent } from '../../preload/contract/index';
import type { Workbench } from '../app/index';
import { type Disposable, DisposableStore } from '../base/index';
import { APP_ORIGIN } from './app-origin';
import type { WindowCommands } from './window-commands';

/** Often enough to look live (20 a second), rarely enough that a flood of events costs only a few messages. */
const BATCH_MS = 50;

/** What answers the window. */
export type OpenedWorkbench = {
  readonly workbench: Pick<Workbench, 'call' | 'answerOfBug' | 'events' | 'damage' | 'privacy'>;
  readonly windowCommands: WindowCommands;
  /** What else the user has to read once the page is there. */
  readonly notices?: readonly FirstNotice[];
};

export type FirstNotice = Omit<Extract<WorkbenchEvent, { kind: 'notice' }>, 'kind'>;

type Frame = { readonly url: string };
type Sender = { readonly senderFrame: Frame | null };

/** The parts of Electron's window that are needed here ... */
type ConnectedWindow = {
  readonly isDestroyed: () => boolean;
  readonly webContents: {
    readonly mainFrame: Frame;
    readonly send: (channel: string, batch: readonly WorkbenchEvent[]) => void;
  };
};

/** ... and of its `ipcMain`. */
export type IpcReceiver = {
  readonly handle: (channel: string, answer: (event: Sender, ...args: unknown[]) => Promise<unknown>) => void;
  readonly removeHandler: (channel: string) => void;
  readonly on: (channel: string, listener: (event: Sender) => void) => unknown;
  readonly removeListener: (channel: string, listener: (event: Sender) => void) => unknown;
};

function isOurPage(frame: Frame | null, window: ConnectedWindow): boolean {
  return (
    frame !== null &&
    !window.isDestroyed() &&
    frame === window.webContents.mainFrame &&
    frame.url.startsWith(`${APP_ORIGIN}/`)
  );
}

/**
 * Connects one window with the workbench: checks the sender, passes calls on, sends events in batches. The window is there
 * first: its calls wait until the workbench is open, and reject where it cannot be opened.
 */
export function connectWindow(
  ipc: IpcReceiver,
  window: ConnectedWindow,
  opening: Promise<OpenedWorkbench>,
): Disposable {
  const store = new DisposableStore();
  const refuse = (error: Refusal): Answer<never> => ({ ok: false, error });

  ipc.handle(CALL_CHANNEL, async (event, name: unknown, payload: unknown) => {
    if (!isOurPage(event.senderFrame, window)) {
      return refuse({ code: 'not-allowed', message: 'Only the workbench window may run commands.' });
    }
    if (typeof name !== 'string') {
      return refuse({ code: 'unknown-command', message: 'The name of a command must be a string.' });
    }
    const { workbench, windowCommands } = await opening;
    return (
      windowCommands(name, payload)?.catch((error: unknown) => workbench.answerOfBug(name, error)) ??
      workbench.call(name, payload, 'window')
    );
  });
  store.add({ dispose: () => ipc.removeHandler(CALL_CHANNEL) });

  let pending: WorkbenchEvent[] = [];
  let timer: NodeJS.Timeout | null = null;
  let listening = false;
  let isDisposed = false;
  const send = (): void => {
    timer = null;
    if (pending.length === 0 || window.isDestroyed()) return;
    const batch = pending;
    pending = [];
    window.webContents.send(EVENTS_CHANNEL, batch);
  };
  const pass = (event: WorkbenchEvent): void => {
    if (!listening) return;
    pending.push(event);
    // Terminal output is batched already, and the echo of a pressed key must not wait.
    if (event.kind === 'terminal-output') {
      if (timer !== null) clearTimeout(timer);
      send();
    } else timer ??= setTimeout(send, BATCH_MS);
  };
  const notify = ({ workbench, notices = [] }: OpenedWorkbench): void => {
    const { damage, privacy } = workbench;
    const first: readonly FirstNotice[] = [
      ...(damage === null ? [] : [{ level: 'error', message: damage } as const]),
      ...(privacy === null ? [] : [{ level: 'info', message: privacy } as const]),
      ...notices,
    ];
    for (const notice of first) workbench.events.emit({ kind: 'notice', ...notice });
  };
  // Whoever opens the workbench reports that it cannot be opened.
  const onceOpen = (run: (opened: OpenedWorkbench) => void): void => void opening.then(run, () => undefined);
  const subscribed = (event: Sender): void => {
    if (!isOurPage(event.senderFrame, window) || listening) return;
    listening = true;
    onceOpen(notify);
  };
  ipc.on(SUBSCRIBE_CHANNEL, subscribed);
  store.add({ dispose: () => ipc.removeListener(SUBSCRIBE_CHANNEL, subscribed) });
  // Before any call that waits continues, so that no event of what it does is missed.
  onceOpen(({ workbench }) => {
    if (!isDisposed) store.add(workbench.events.on(pass));
  });
  store.add({
    dispose: () => {
      isDisposed = true;
      if (timer !== null) clearTimeout(timer);
    },
  });
  return store;
}
