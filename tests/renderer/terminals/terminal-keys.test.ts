import { expect, test } from 'vitest';
import { actionOfKey, isForWindow } from '../../../renderer/terminals/terminal-keys';

const pressed = (text: string) => {
  const parts = text.split('+');
  return {
    key: parts.at(-1) ?? '',
    ctrlKey: parts.includes('Ctrl'),
    shiftKey: parts.includes('Shift'),
    altKey: parts.includes('Alt'),
    metaKey: parts.includes('Meta'),
  };
};
const press = (text: string) => actionOfKey(pressed(text));

test('once the shell has ended, shortcuts such as Ctrl+K are for the window; the scrollback keeps its keys', () => {
  const ofWindow = (isReadOnly: boolean) =>
    ['Ctrl+k', 'Meta+k', 'Alt+ArrowLeft', 'Shift+PageUp', 'a'].filter((keys) =>
      isForWindow(pressed(keys), isReadOnly),
    );
  expect(ofWindow(false)).toEqual([]);
  expect(ofWindow(true)).toEqual(['Ctrl+k', 'Meta+k', 'Alt+ArrowLeft']);
});

test.each([
  'a',
  'Escape',
  'Tab',
  'Shift+Tab',
  'Ctrl+c',
  'Ctrl+k',
  'Ctrl+w',
  'Ctrl+n',
  'Ctrl+f',
  'Alt+f',
  'Ctrl+Alt+c',
  'Ctrl+Shift+x',
])('%s is for the program', (keys) => {
  expect(press(keys)).toBeNull();
});

test.each([
  ['Ctrl+Shift+C', 'copy'],
  ['Ctrl+Shift+V', 'paste'],
  ['Ctrl+Shift+F', 'find'],
  ['Ctrl+Shift+T', 'new'],
  ['Ctrl+Shift+W', 'close'],
  ['Shift+Escape', 'leave'],
  ['Ctrl+Tab', 'next'],
  ['Ctrl+Shift+Tab', 'previous'],
])('%s is for the window: %s', (keys, action) => {
  expect(press(keys)).toBe(action);
});
