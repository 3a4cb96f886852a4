import { readFile } from 'node:fs/promises';
import type { Settings } from '../../preload/contract';
import type { WindowBounds } from './registry-data';

/** What a window needs before anything else is opened: its theme, and where it was. */
export type WindowState = { readonly theme: Settings['theme']; readonly bounds: WindowBounds | null };

const THEMES: readonly unknown[] = ['system', 'light', 'dark'] satisfies readonly Settings['theme'][];

/**
 * Reads the state of the window from a registry file, for the moment before `openRegistry` has read all of it: by hand, since
 * loading the schemas takes longer than drawing the window. Whatever is missing or wrong is as at the first start;
 * `openRegistry` says what is wrong.
 */
export async function readWindowState(path: string): Promise<WindowState> {
  const file = fieldsOf(
    await readFile(path, 'utf8')
      .then(JSON.parse)
      .catch(() => null),
  );
  const { theme } = fieldsOf(file.settings);
  return { theme: isTheme(theme) ? theme : 'system', bounds: boundsOf(fieldsOf(file.window)) };
}

function isTheme(value: unknown): value is Settings['theme'] {
  return THEMES.includes(value);
}

function boundsOf({ x, y, width, height, maximised }: Fields): WindowBounds | null {
  if (!isWhole(x) || !isWhole(y) || !isWhole(width) || !isWhole(height)) return null;
  if (width <= 0 || height <= 0 || typeof maximised !== 'boolean') return null;
  return { x, y, width, height, maximised };
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
