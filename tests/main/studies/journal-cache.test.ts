import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RANDOM_VERSION } from '../../../main/base';
import { openJournal } from '../../../main/storage';
import { JournalCache } from '../../../main/studies/journal-cache';
import { configWith } from '../../support/search-fixture';
import { temporaryFolder } from '../../support/temporary-folder';

it('a journal that was moved away is not read on from its open file, and is read again when it is back', async () => {
  const path = join(await temporaryFolder(), 'run.jsonl');
  const journal = await openJournal(path);
  if (!journal.ok) throw new Error(journal.error.message);
  await journal.value.append({
    ...{ kind: 'run-started', at: 0, journalVersion: 2, appVersion: '0', randomVersion: RANDOM_VERSION },
    config: configWith({ nodes: 8 }),
  });
  await journal.value.close();
  const cache = new JournalCache();
  const eventsThere = async () => {
    const read = await cache.get(path);
    return read.ok ? read.value?.events().length : read.error;
  };
  expect(await eventsThere()).toBe(1);
  await rename(path, `${path}.away`);
  expect(await eventsThere()).toBeUndefined();
  await rename(`${path}.away`, path);
  expect(await eventsThere()).toBe(1);
  await cache.release();
});
