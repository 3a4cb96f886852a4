import { expect, test } from 'vitest';
import { exportedText } from '../../../renderer/text/reports';

const written = (...paths: string[]) => exportedText(paths.map((path) => ({ path, bytes: 1 })));

test('an export counts the files that were ticked, and their manifests apart', () => {
  expect(written('/o/t.tex', '/o/t.tex.manifest.json', '/o/f.pdf', '/o/f.pdf.manifest.json')).toBe(
    'Exported 2 files and their manifests, the first of them /o/t.tex',
  );
  expect(written('/o/t.csv', '/o/t.csv.manifest.json')).toContain('1 file and its manifest,');
  expect(written('/o/a.csv', '/o/b.csv', '/o/manifest.json')).toContain('2 files and their manifest,');
});
