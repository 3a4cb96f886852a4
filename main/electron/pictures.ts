import { writeFile } from 'node:fs/promises';
// As a whole: an older Electron lacks some of what is named here, and would refuse to import it by name.
import * as electron from 'electron';
import type { Answer, CheckedPayload } from '../../preload/contract/index';
import { askWhereToSave } from './ask-path';

type Area = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

/** A part of the page as it is seen now; `area` is in its CSS pixels. */
async function capture(window: electron.BrowserWindow, area: Area): Promise<electron.NativeImage> {
  const zoom = window.webContents.getZoomFactor();
  const [x, y, width, height] = [area.x, area.y, area.width, area.height].map((value) =>
    Math.round(value * zoom),
  ) as [number, number, number, number];
  return window.webContents.capturePage({ x, y, width, height });
}

/** The stand-in for the newest Electron is older: it has a function for pictures, and no `ClipboardItem`. */
type OlderClipboard = { readonly writeImage?: (image: electron.NativeImage) => void };

async function intoClipboard(image: electron.NativeImage): Promise<void> {
  const { clipboard, ClipboardItem } = electron;
  const older = clipboard as OlderClipboard;
  if (older.writeImage !== undefined) older.writeImage(image);
  else {
    const png = new Blob([new Uint8Array(image.toPNG())], { type: 'image/png' });
    await clipboard.write([new ClipboardItem({ 'image/png': png })]);
  }
}

/** Puts a part of the page into the clipboard, as a picture. */
export async function copyPicture(
  window: electron.BrowserWindow,
  { area }: CheckedPayload<'picture.copy'>,
): Promise<Answer<null>> {
  await intoClipboard(await capture(window, area));
  return { ok: true, value: null };
}

/** Saves a part of the page as PNG, where a person wants it. null: the dialog was cancelled. */
export async function savePicture(
  window: electron.BrowserWindow,
  { area, name }: CheckedPayload<'picture.choose'>,
): Promise<Answer<{ path: string; bytes: number }> | null> {
  const png = (await capture(window, area)).toPNG();
  const kinds = [{ name: 'PNG', extensions: ['png'] }];
  const path = await askWhereToSave(window, 'Save the picture', `${name}.png`, kinds);
  if (path === null) return null;
  try {
    await writeFile(path, png);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `The picture could not be written to ${path}: ${reason}.`;
    return {
      ok: false,
      error: { code: 'bad-input', message, hint: 'Choose an existing, writable folder.' },
    };
  }
  return { ok: true, value: { path, bytes: png.length } };
}
