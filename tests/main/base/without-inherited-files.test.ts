import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { withoutInheritedFiles } from '../../../main/base';

test('a program gets the standard files alone, its words as they are, and its environment', () => {
  const [command, args] = withoutInheritedFiles('/bin/sh', [
    '-c',
    'ls /proc/$$/fd; echo "$1" "$BASH_ENV"; echo error >&2',
    'sh',
    'two words $HOME "',
  ]);
  // As Chromium leaves them open: high and low ones.
  const script = 'exec 3</dev/null 9</dev/null 40</dev/null 200</dev/null 2>&1; exec "$@"';
  const output = execFileSync('bash', ['-c', script, 'bash', command, ...args], {
    encoding: 'utf8',
    env: { ...process.env, BASH_ENV: '/dev/null' },
  });
  expect(output.split('\n')).toEqual(['0', '1', '2', 'two words $HOME " /dev/null', 'error', '']);
});
