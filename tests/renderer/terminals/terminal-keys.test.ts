import { expect, test } from 'vitest';
import { actionOfKey } from '../../../renderer/terminals/terminal-keys';

const press = (text: string) => {
  const parts = text.split('+');
  return actionOfKey({
    key: parts.at(-1) ?? '',
    ctrlKey: parts.includes('Ctrl'),
    shiftKey: parts.includes('Shift'),
    altKey: parts.includes('Alt'),
    metaKey: parts.includes('Meta'),
  });
};

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
