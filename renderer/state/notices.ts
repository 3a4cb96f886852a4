import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Refusal } from '../../preload/contract/refusal';

export type Notice = {
  readonly id: number;
  readonly level: 'info' | 'warning' | 'error';
  /** Left out: the default of its level. */
  readonly title?: string;
  readonly message: string;
  readonly hint?: string;
  /** e.g. undo. */
  readonly action?: { readonly label: string; readonly run: () => void };
  /** The screen that shows the same message, so that the notice may close; a failure stays in Activity. */
  readonly path?: string;
  /** Takes the place of an earlier notice with this key. */
  readonly key?: string | undefined;
};

export type Notices = {
  /** The newest last; the shell shows each once, the status bar counts the failures. */
  readonly store: StoreApi<readonly Notice[]>;
  readonly show: (notice: Omit<Notice, 'id'>) => void;
  /** That a file was written, with a button that shows it in its folder. */
  readonly showWritten: (message: string, path: string) => void;
  /**
   * A cancelled dialog is not an error and shows nothing; an error of the workbench can be reported. `title`: what could
   * not be done.
   */
  /** `action`: what is offered beside it. */
  readonly showRefusal: (error: Refusal, title?: string, action?: Notice['action']) => void;
  /** Beside what may be an error of the workbench itself. */
  readonly reportAction: NonNullable<Notice['action']>;
};

const MAX_KEPT = 100;

/** `reportProblem` opens the report of a problem; `showInFolder` shows a written file. */
export function createNotices({
  reportProblem,
  showInFolder,
}: {
  readonly reportProblem: () => void;
  readonly showInFolder: (path: string) => void;
}): Notices {
  const store = createStore<readonly Notice[]>(() => []);
  let next = 1;
  const showNotice: Notices['show'] = (notice) => {
    const added: Notice = { ...notice, id: next };
    next += 1;
    const others = store.getState().filter(({ key }) => key === undefined || key !== added.key);
    store.setState([...others, added].slice(-MAX_KEPT), true);
  };
  const reportAction = { label: 'Report a problem…', run: reportProblem };
  return {
    store,
    reportAction,
    show: showNotice,
    showWritten: (message, path) =>
      showNotice({
        level: 'info',
        message,
        action: { label: 'Show in folder', run: () => showInFolder(path) },
      }),
    showRefusal: (error, title, action) => {
      if (error.code === 'cancelled') return;
      const { code, message, hint } = error;
      const offered = action ?? (code === 'internal' ? reportAction : undefined);
      showNotice({
        level: 'error',
        message,
        ...(title === undefined ? {} : { title }),
        ...(hint === undefined ? {} : { hint }),
        ...(offered === undefined ? {} : { action: offered }),
      });
    },
  };
}
