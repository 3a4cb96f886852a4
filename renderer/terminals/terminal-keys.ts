/** What a key means to the window instead of to the program in the terminal. */
export type TerminalAction = 'copy' | 'paste' | 'find' | 'leave' | 'new' | 'close' | 'next' | 'previous';

export type PressedKey = {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
};

/** With Ctrl and Shift, which programs in terminals cannot tell from Ctrl alone and so do not use. */
const WITH_CTRL_SHIFT: Readonly<Record<string, TerminalAction>> = {
  c: 'copy',
  v: 'paste',
  f: 'find',
  t: 'new',
  w: 'close',
};

/** null: the key is the program's. */
export function actionOfKey({ key, ctrlKey, shiftKey, altKey, metaKey }: PressedKey): TerminalAction | null {
  if (altKey || metaKey) return null;
  // Escape alone is the program's (vi); with Shift it would mean the same to it.
  if (key === 'Escape') return shiftKey && !ctrlKey ? 'leave' : null;
  if (!ctrlKey) return null;
  if (key === 'Tab') return shiftKey ? 'previous' : 'next';
  return shiftKey ? (WITH_CTRL_SHIFT[key.toLowerCase()] ?? null) : null;
}
