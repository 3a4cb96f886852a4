import { type BrowserWindow, dialog, type FileFilter } from 'electron';
import type { Answer, CheckedPayload, CommandName } from '../../preload/contract/index';

/** Commands that the window answers itself, with checked values. */
export type WindowHandlers = {
  readonly [N in CommandName]?: (payload: CheckedPayload<N>) => Promise<Answer<unknown>>;
};

export const CANCELLED: Answer<never> = {
  ok: false,
  error: { code: 'cancelled', message: 'No file was chosen; nothing was changed.' },
};

/** A file or folder that exists; null: the dialog was cancelled. */
export async function askForExisting(
  window: BrowserWindow,
  title: string,
  kind: 'file' | 'folder',
  filters: FileFilter[] = [],
): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title,
    properties: [kind === 'file' ? 'openFile' : 'openDirectory'],
    ...(filters.length === 0 ? {} : { filters }),
  });
  return canceled ? null : (filePaths[0] ?? null);
}

/** Where to write a file; the dialog asks before one is replaced. null: it was cancelled. */
export async function askWhereToSave(
  window: BrowserWindow,
  title: string,
  defaultPath: string,
  filters: FileFilter[] = [],
): Promise<string | null> {
  const { canceled, filePath } = await dialog.showSaveDialog(window, {
    title,
    defaultPath,
    ...(filters.length === 0 ? {} : { filters }),
  });
  return canceled || filePath === '' ? null : filePath;
}
