import { writeSync } from 'node:fs';
import { z } from 'zod';
import { openRecordStore } from '../../../../main/storage';

/** Counts one record up as fast as it can, and says each number once it is on the disk, until it is killed. */
const schema = z.object({
  version: z.literal(1),
  id: z.string(),
  createdAt: z.string(),
  count: z.number(),
  padding: z.string(),
});
const store = await openRecordStore({
  folder: process.argv[2] ?? '',
  fileName: 'record.json',
  schema,
  version: 1,
  noun: 'record',
});
await store.put({
  version: 1,
  id: 'a',
  createdAt: '2026-01-01T00:00:00.000Z',
  count: 0,
  padding: 'x'.repeat(200_000),
});
for (let count = 1; ; count++) {
  const changed = await store.change('a', (record) => ({ ...record, count }));
  if (!changed.ok) throw new Error(changed.error.message);
  writeSync(1, `${count}\n`);
}
