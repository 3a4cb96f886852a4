import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findLineOfFile } from '../../../main/jobs/search-log';
import { createLocalMachine } from '../../../main/machines';
import { makeTemporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

const never = new AbortController().signal;
let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
beforeEach(async () => {
  folder = await makeTemporaryFolder();
});
afterEach(() => folder.dispose());

describe('the byte that a line begins with', () => {
  const find = async (text: string, line: number) => {
    const path = join(folder.path, "a 'quoted' log");
    await writeFile(path, text);
    return unwrap(findLineOfFile(createLocalMachine(folder.path), path, line, never));
  };

  test('is the one after the previous line, with any characters', async () => {
    expect(await find('one\nzwölf\n漢字\nlast', 1)).toEqual({ offset: 0, isThere: true });
    expect(await find('one\nzwölf\n漢字\nlast', 3)).toEqual({ offset: 11, isThere: true });
    expect(await find('one\nzwölf\n漢字\nlast', 4)).toEqual({ offset: 18, isThere: true });
  });

  test('is the end of the file where it has fewer lines', async () => {
    expect(await find('one\ntwo\n', 3)).toEqual({ offset: 8, isThere: false });
    expect(await find('', 1)).toEqual({ offset: 0, isThere: false });
  });

  test('of an absent file is null', async () => {
    const machine = createLocalMachine(folder.path);
    const found = await unwrap(findLineOfFile(machine, join(folder.path, 'absent'), 5, never));
    expect(found).toEqual({ offset: 0, isThere: false });
  });
});
