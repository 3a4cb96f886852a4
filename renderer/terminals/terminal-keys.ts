/** The action of a key in the window, instead of in the program in the terminal. */
export type TerminalAction = 'copy' | 'paste' | 'find' | 'leave' | 'new' | 'close' | 'next' | 'previous';

export type PressedKey = {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
};

/** Ctrl+Shift combinations: terminal programs cannot distinguish them from Ctrl alone and do not use them. */
const WITH_CTRL_SHIFT: Readonly<Record<string, TerminalAction>> = {
  c: 'copy',
  v: 'paste',
  f: 'find',
  t: 'new',
  w: 'close',
};

/** Where no program reads, the window keeps its own shortcuts. */
export function isForWindow({ ctrlKey, altKey, metaKey }: PressedKey, isReadOnly: boolean): boolean {
  return isReadOnly && (ctrlKey || altKey || metaKey);
}

/** null: the key goes to the program. */
export function actionOfKey({ key, ctrlKey, shiftKey, altKey, metaKey }: PressedKey): TerminalAction | null {
  if (altKey || metaKey) return null;
  // Escape alone goes to the program (vi).
  if (key === 'Escape') return shiftKey && !ctrlKey ? 'leave' : null;
  if (!ctrlKey) return null;
  if (key === 'Tab') return shiftKey ? 'previous' : 'next';
  return shiftKey ? (WITH_CTRL_SHIFT[key.toLowerCase()] ?? null) : null;
}
