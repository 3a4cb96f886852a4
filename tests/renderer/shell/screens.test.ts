import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SCREENS } from '../../../renderer/shell/screens';

test('the number keys go down the sidebar', () => {
  expect(SCREENS.slice(0, 9).map(({ keys }) => keys)).toEqual(
    Array.from({ length: 9 }, (_, at) => `Ctrl ${at + 1}`),
  );
});

test('the menu sets the keys that the sidebar shows', () => {
  const menu = readFileSync('main/electron/menu.ts', 'utf8');
  const keys = new Map(
    [...menu.matchAll(/screen\('(\w+)', '[^']*', 'CmdOrCtrl\+(.)'\)/g)].map(([, label, key]) => [
      label,
      `Ctrl ${key}`,
    ]),
  );
  for (const screen of SCREENS) expect(keys.get(screen.label), screen.label).toBe(screen.keys);
});
