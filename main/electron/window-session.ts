import type { Workbench } from '../app/index';
import type { Disposable } from '../base/index';
import { connectWindow, type IpcReceiver, type OpenedWorkbench } from './ipc';

/** A workbench that a window shows: its own, or that of the data folder's service. */
export type ShownWorkbench = OpenedWorkbench & {
  readonly workbench: Workbench;
  /** Opens a bundle of another lab, and goes to what it holds. */
  readonly showBundle: (path: string) => Promise<void>;
  /** Closes it as the user wants it on closing the window; false: the window stays. `canAsk`: a person is there. */
  readonly end: (canAsk: boolean) => Promise<boolean>;
};

/**
 * The workbenches of one window over its life: it may move into a service and back, and the page is loaded again then.
 */
export type WindowSession = {
  /** Resolves once the present one is open; never, if it cannot be opened. */
  readonly onceOpen: (run: (shown: ShownWorkbench) => void) => void;
  /** From now on the window shows this one; its calls wait until that is open. */
  readonly show: (opening: Promise<ShownWorkbench>) => void;
  readonly current: () => Promise<ShownWorkbench>;
  readonly dispose: () => void;
};

/** `onShown`: called with each workbench, and ended with it. */
export function createWindowSession(
  ipc: IpcReceiver,
  window: Parameters<typeof connectWindow>[1] & { readonly webContents: { readonly reload: () => void } },
  first: Promise<ShownWorkbench>,
  onShown: (shown: ShownWorkbench) => Disposable,
): WindowSession {
  let opening = first;
  let connection = connectWindow(ipc, window, opening);
  let shown: Disposable | null = null;

  const onceOpen: WindowSession['onceOpen'] = (run) => {
    const attempt = opening;
    attempt.then(
      // Whoever asked meant the one that was shown then.
      (now) => attempt === opening && run(now),
      () => undefined,
    );
  };
  const follow = (): void =>
    onceOpen((now) => {
      shown = onShown(now);
    });
  follow();
  return {
    onceOpen,
    current: () => opening,
    show: (next) => {
      shown?.dispose();
      shown = null;
      connection.dispose();
      opening = next;
      // Whoever opens it says why it cannot be.
      opening.catch(() => undefined);
      connection = connectWindow(ipc, window, opening);
      follow();
      if (!window.isDestroyed()) window.webContents.reload();
    },
    dispose: () => {
      shown?.dispose();
      connection.dispose();
    },
  };
}
