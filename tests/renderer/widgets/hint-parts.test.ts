import { expect, test } from 'vitest';
import { hintParts } from '../../../renderer/widgets/states';

test.each([
  ['Import the complete file.', 'Import the complete file.', ''],
  ['mars2 jobs list', '', 'mars2 jobs list'],
  [
    'Import the complete file: mars2 benchmarks import FILE',
    'Import the complete file:',
    'mars2 benchmarks import FILE',
  ],
  ['ls -ld /srv\nchmod 700 /srv', '', 'ls -ld /srv\nchmod 700 /srv'],
])('of "%s", prose is set as prose and a command as code', (text, prose, command) => {
  expect(hintParts(text)).toEqual({ prose, command });
});
