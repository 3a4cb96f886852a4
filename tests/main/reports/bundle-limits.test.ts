import { expect, it, test } from 'vitest';
import {
  type ArchiveEntry,
  archiveProblem,
  jsonProblem,
  spaceProblem,
} from '../../../main/reports/logic/bundle-limits';

const [MB, GB] = [1e6, 1e9];
const entry = (change: Partial<ArchiveEntry>): ArchiveEntry => ({
  name: 'x',
  packed: 10,
  bytes: 100,
  at: 0,
  ...change,
});

it.each<[string, readonly ArchiveEntry[], number, string | null]>([
  ['files beside each other', [entry({}), entry({ at: 40 })], 1_000, null],
  ['a small archive of repetitions', [entry({ bytes: 30 * MB, packed: 30_000 })], 40_000, null],
  [
    '255 kB that become 4.5 GB',
    [entry({ bytes: 4.5 * GB, packed: 200_000 })],
    255_000,
    'would become 4500.0 MB',
  ],
  [
    'a large archive of a hundred GB',
    [
      entry({ bytes: 15 * GB, name: 'a' }),
      entry({ bytes: 15 * GB, at: 20 }),
      entry({ bytes: 15 * GB, at: 40 }),
      entry({ bytes: 15 * GB, at: 60 }),
      entry({ bytes: 15 * GB, at: 80 }),
    ],
    30 * GB,
    'would become',
  ],
  ['one file of twenty GB', [entry({ bytes: 20 * GB })], 10 * GB, 'x would be 20000.0 MB'],
  ['files that share their bytes', [entry({}), entry({ name: 'y', at: 5 })], 1_000, 'y overlaps'],
  ['files beyond the end', [entry({ packed: 2_000 })], 1_000, 'beyond its end'],
])('%s', (_title, entries, archiveBytes, problem) => {
  const found = archiveProblem(entries, archiveBytes);
  if (problem === null) expect(found).toBeNull();
  else expect(found).toContain(problem);
});

test('a bundle needs its size and some room beside it', () => {
  expect(spaceProblem(MB, GB)).toBeNull();
  expect(spaceProblem(GB, GB)).toContain('1000.0 MB are free');
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each<[string, string, string | null]>([
  ['an ordinary head', '{"a":[1,{"b":"[[[[ \\" [[["}],"c":"x"}', null],
  ['nested arrays', '['.repeat(65), 'nested more than 64 deep'],
  ['nested objects', '{"a":'.repeat(65), 'nested more than 64 deep'],
  ['brackets within a text', `"${'['.repeat(100)}"`, null],
  ['a flat list of millions', `[${'0,'.repeat(4_000_001)}0]`, 'more than 4000000 values'],
])('%s', (_title, text, problem) => {
  const found = jsonProblem(bytes(text));
  if (problem === null) expect(found).toBeNull();
  else expect(found).toContain(problem);
});
