import { expect, test } from 'vitest';
import { elapsedSeconds, parseProcessTable } from '../../../../main/machines/logic/gpus/process-table';

test.each([
  ['00:07', 7],
  ['12:34', 754],
  ['01:00:00', 3_600],
  ['3-04:05:06', 273_906],
])('an elapsed time of %s is %d s', (text, seconds) => expect(elapsedSeconds(text)).toBe(seconds));

test('a line that is not a process is left out', () => {
  const table = parseProcessTable('  12 ada 00:07 python a b\nerror: unsupported\n 13 user4 ?? x\n');
  expect([...table]).toEqual([[12, { user: 'ada', ageSeconds: 7, command: 'python a b' }]]);
});
