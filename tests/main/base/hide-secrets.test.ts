import { expect, test } from 'vitest';
import { hideSecrets, hideTokens } from '../../../main/base/hide-secrets';

test.each([
  ['vllm serve m --api-key sk-abcdefghijk --port 8000', 'vllm serve m --api-key ••• --port 8000'],
  ['vllm serve m --api-key=secret', 'vllm serve m --api-key=•••'],
  ['HF_TOKEN=hf_abcdefghij python x.py', 'HF_TOKEN=••• python x.py'],
  ['python x.py hf_abcdefghijkl', 'python x.py •••'],
  ['curl https://me:pass@host/x', 'curl https://me:•••@host/x'],
  ['python x.py --password "two words" --n 3', 'python x.py --password ••• --n 3'],
  ['AWS_SECRET_ACCESS_KEY=wJalrXUtn/K7 aws s3 ls', 'AWS_SECRET_ACCESS_KEY=••• aws s3 ls'],
  ['curl -H "Authorization: Bearer abc.def-ghi" x', 'curl -H "Authorization: Bearer •••" x'],
  ['wandb login --relogin 0123456789abcdef0123', 'wandb login --relogin •••'],
  ['git clone https://ghp_abcdefghij0123@github.com/a/b', 'git clone https://•••@github.com/a/b'],
  ['{"env":{"WANDB_API_KEY":"0123abcd","N":"4"}}', '{"env":{"WANDB_API_KEY":"•••","N":"4"}}'],
  ['MARS2_SECRET_LAB=plain python x.py', 'MARS2_SECRET_LAB=••• python x.py'],
  ['x-api-key: 12345678', 'x-api-key: •••'],
  ['post https://hooks.slack.com/services/T0/B0/abc', 'post https://hooks.slack.com/•••'],
  ['PGPASSWORD=123456 psql', 'PGPASSWORD=••• psql'],
])('"%s" is shown as "%s"', (text, shown) => {
  expect(hideSecrets(text)).toBe(shown);
});

test.each([
  'vllm serve m --max-tokens 100',
  'python token_classifier.py run',
  'train --tokens 4096 --lr 1e-6 --stop-token 2',
  "SyntaxError: unexpected token: '{'",
  'a password is asked for',
])('"%s" has no secret in it', (text) => expect(hideSecrets(text)).toBe(text));

test('a program keeps its names, but not a key', () => {
  expect(hideTokens('token = next_word()\nkey = "sk-abcdefghijk"')).toBe('token = next_word()\nkey = "•••"');
});

/** Each repetition made an earlier pattern, or a likely next one, look at the rest of the text from every place. */
const REPEATED = [
  'a',
  '-',
  'token',
  'token ',
  'token=',
  '--token "',
  "token='",
  'bearer ',
  'wandb login ',
  'a:/',
  '://',
  '://a:',
  'sk-',
  ' ',
  '-----BEGIN PRIVATE KEY-----',
  'hf_a',
];

test.each(REPEATED)('a text of many "%s" is read in steps that grow with its length', (piece) => {
  const text = piece.repeat(Math.ceil(2_000_000 / piece.length));
  // Quadratic work on two million characters would take far longer than the test runner waits.
  expect(hideSecrets(text).length).toBeLessThanOrEqual(text.length * 2);
});
