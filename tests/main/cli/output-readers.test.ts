import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { waitForClosedOutput } from '../../../main/cli/output-readers';

test('a reader that leaves ends the command with exit code 0', async () => {
  // A real pipe that its reader has closed: writing to it fails with EPIPE.
  const reader = spawn('sh', ['-c', 'exec 0<&-; echo closed; exec sleep 60']);
  try {
    const left = waitForClosedOutput([new PassThrough(), reader.stdin]);
    await once(reader.stdout, 'data');
    reader.stdin.write('nobody reads this\n');
    expect(await left).toBe(0);
  } finally {
    reader.kill();
  }
});

test('another error of the output is no reader that left', () => {
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  const stream = new Writable();
  void waitForClosedOutput([stream]);
  expect(() => stream.emit('error', full)).toThrow('no space left');
});
