import { expect, test } from 'vitest';
import { WrittenFiles } from '../../../main/electron/written-files';

test('a page may name the files that its window wrote, and no others', () => {
  const written = new WrittenFiles();
  written.note({ ok: true, value: { path: '/results/table.csv', rows: 3, bytes: 99 } });
  written.note({ ok: true, value: { files: [{ path: '/results/a.svg' }, { path: '/results/b.svg' }] } });
  written.note({ ok: true, value: { path: '/results/curves', files: ['train', 'loss'] } });
  written.note({ ok: true, value: null });
  written.note({ ok: false, error: { code: 'cancelled', message: 'No file was chosen.' } });
  const named = [
    '/results/table.csv',
    '/results/a.svg',
    '/results/b.svg',
    '/results/curves',
    '/etc/passwd',
    'train',
  ];
  expect(named.map((path) => written.has(path))).toEqual([true, true, true, true, false, false]);
});
