import type { ITheme } from '@xterm/xterm';
import { cssColor } from '../widgets/css-color';

/** The sixteen terminal colours as theme tokens, with contrast in light and dark. */
const TOKENS = {
  background: '--surface',
  foreground: '--text',
  cursor: '--accent',
  cursorAccent: '--surface',
  selectionBackground: '--term-selection',
  black: '--term-black',
  red: '--bad',
  green: '--good',
  yellow: '--fair',
  blue: '--accent',
  magenta: '--fault',
  cyan: '--term-cyan',
  white: '--term-white',
  brightBlack: '--text-faint',
  brightRed: '--bad-mark',
  brightGreen: '--good-mark',
  brightYellow: '--fair-mark',
  brightBlue: '--series-6',
  brightMagenta: '--series-4',
  brightCyan: '--term-cyan',
  brightWhite: '--text',
} as const satisfies Partial<Record<keyof ITheme, string>>;

/** The colours resolved for `element` now. */
export function terminalTheme(element: Element): ITheme {
  return Object.fromEntries(Object.entries(TOKENS).map(([name, token]) => [name, cssColor(element, token)]));
}
