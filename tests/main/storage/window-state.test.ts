import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyRegistry, openRegistry, readWindowState } from '../../../main/storage';
import { temporaryFolder } from '../../support/temporary-folder';

const FIRST = { theme: 'system', bounds: null };
const BOUNDS = { x: -10, y: 20, width: 1000, height: 700, maximised: true };

const look = async (content: string | null) => {
  const path = join(await temporaryFolder(), 'registry.json');
  if (content !== null) await writeFile(path, content);
  return readWindowState(path);
};

test('the state of the window is what the registry has saved', async () => {
  const path = join(await temporaryFolder(), 'registry.json');
  const registry = await openRegistry(path);
  if (!registry.ok) throw new Error(registry.error.message);
  await registry.value.update((data) => ({
    ...data,
    window: BOUNDS,
    settings: { ...data.settings, theme: 'dark' },
  }));
  expect(await readWindowState(path)).toEqual({ theme: 'dark', bounds: BOUNDS });
});

test('it is that of the first start where nothing is saved', async () => {
  expect(await look(null)).toEqual(FIRST);
  expect(await look(JSON.stringify(emptyRegistry))).toEqual(FIRST);
});

test.each([
  ['no JSON', '{"settings"'],
  ['nothing', 'null'],
  ['a list', '[1, 2]'],
  ['an unknown theme', '{"settings": {"theme": "__proto__"}}'],
  [
    'bounds that are no numbers',
    '{"window": {"x": "0", "y": 0, "width": 1, "height": 1, "maximised": false}}',
  ],
  ['bounds without size', '{"window": {"x": 0, "y": 0, "width": 0, "height": -1, "maximised": false}}'],
  ['bounds beyond numbers', '{"window": {"x": 1e300, "y": 0, "width": 1, "height": 1, "maximised": false}}'],
])('a damaged file costs only the look: %s', async (_name, content) => {
  expect(await look(content)).toEqual(FIRST);
});
