import { expect, test } from 'vitest';
import {
  elapsedSeconds,
  hideSecrets,
  parseProcessTable,
} from '../../../../main/machines/logic/gpus/process-table';

test.each([
  ['vllm serve m --api-key sk-abcdefghijk --port 8000', 'vllm serve m --api-key ••• --port 8000'],
  ['vllm serve m --api-key=secret', 'vllm serve m --api-key=•••'],
  ['HF_TOKEN=hf_abcdefghij python x.py', 'HF_TOKEN=••• python x.py'],
  ['python x.py hf_abcdefghijkl', 'python x.py •••'],
  ['curl https://me:pass@host/x', 'curl https://me:•••@host/x'],
  ['python x.py --password "two words" --n 3', 'python x.py --password ••• --n 3'],
])('"%s" is shown as "%s"', (command, shown) => {
  expect(hideSecrets(command)).toBe(shown);
});

test.each([
  'vllm serve m --max-tokens 100',
  'python token_classifier.py run',
  'train --tokens 4096 --lr 1e-6',
])('"%s" has no secret in it', (command) => expect(hideSecrets(command)).toBe(command));

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
