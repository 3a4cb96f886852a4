import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLocalMachine } from '../../../../main/machines';
import { GrowingFile } from '../../../../main/trainings/watch/growing-file';
import { temporaryFolder } from '../../../support/temporary-folder';
import { unwrap } from '../../../support/unwrap';

const HEAD = 'the first line\n'.repeat(10);
const MIDDLE = 'a line in the middle\n'.repeat(100);
const TAIL = 'the last line\n'.repeat(10);

/** A log, what was read of it, and how its limit leaves out the middle. */
async function growingLog() {
  const folder = await temporaryFolder();
  const path = join(folder, 'output.log');
  let text = '';
  const file = new GrowingFile(createLocalMachine(folder), path, {
    push: (bytes) => {
      text += new TextDecoder().decode(bytes);
    },
    restart: () => {
      text = '';
    },
  });
  return {
    write: (content: string) => writeFile(path, content),
    leaveOutMiddle: async () => {
      await writeFile(path, HEAD);
      await truncate(path, HEAD.length + MIDDLE.length);
      await writeFile(path, TAIL, { flag: 'a' });
      const to = HEAD.length + MIDDLE.length;
      await writeFile(`${path}.left-out`, `${HEAD.length} ${to} 100 1000 freed\n`);
    },
    read: async (maxBytes = 1_000_000) => {
      await unwrap(file.read(maxBytes));
      return text;
    },
  };
}

test('a log whose middle was left out is read around it', async () => {
  const log = await growingLog();
  await log.leaveOutMiddle();
  expect(await log.read()).toBe(`${HEAD}\n${TAIL}`);
  expect(await log.read()).toBe(`${HEAD}\n${TAIL}`);
});

test.each([
  ['in front of the part', 100, `${HEAD}\n${TAIL}`],
  ['where the part begins', HEAD.length, `${HEAD}\n${TAIL}`],
  ['in the part', HEAD.length + 21, `${HEAD}a line in the middle\n\n${TAIL}`],
  ['a little behind it', HEAD.length + MIDDLE.length + 14, `${HEAD}${MIDDLE}${TAIL}`],
])('reading that had come %s goes on without repeating anything', async (_, bytes, expected) => {
  const log = await growingLog();
  await log.write(`${HEAD}${MIDDLE}${TAIL}`);
  await log.read(bytes);
  await log.leaveOutMiddle();
  expect(await log.read()).toBe(expected);
});
