import { appendFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openReproductionBook } from '../../../../main/plans/reproductions/reproduction-book';
import { reproductionFiles } from '../../../../main/plans/reproductions/reproduction-files';
import { sampleReproduction } from '../../../support/sample-reproduction';
import { temporaryFolder } from '../../../support/temporary-folder';

const clock = { now: () => Date.parse('2026-01-01T00:00:00.000Z') };

test('a reproduction is read as it was written, and a record that can not be read hides no other', async () => {
  const folder = await temporaryFolder();
  const files = reproductionFiles(folder);
  const book = await openReproductionBook(files, clock);
  const one = sampleReproduction();
  expect(await book.add(one)).toEqual({ ok: true, value: null });
  await book.add({ ...one, record: { ...one.record, id: 'r2' } });
  await book.note('r1', ['train:a'], { trainingId: 't1', state: { kind: 'begun' } });
  await book.decide('r1', 'train:a', 'Began it.');
  // A power cut in the middle of a line.
  await appendFile(join(folder, 'r1', 'decisions.jsonl'), '{"at":"2026');
  await writeFile(join(folder, 'r2', 'reproduction.json'), '{"version":1');
  const [again, ...others] = await files.readAll();
  expect(others).toEqual([]);
  expect(again).toEqual(book.get('r1'));
  expect(again?.record.notes['train:a']).toMatchObject({ trainingId: 't1', state: { kind: 'begun' } });
  expect(await files.readDecisions('r1')).toEqual([
    { at: '2026-01-01T00:00:00.000Z', stepId: 'train:a', text: 'Began it.' },
  ]);
  expect(await readdir(join(folder, 'r2'))).toContain('reproduction.json.unread');
  expect(await book.remove('r1')).toEqual({ ok: true, value: null });
  expect(await files.readAll()).toEqual([]);
  expect(await book.note('r1', ['train:a'], {})).toMatchObject({ ok: false, error: { code: 'not-found' } });
});

test('what is taken in from elsewhere is listed only once its record is written anew', async () => {
  const theirs = await temporaryFolder();
  const lab = await openReproductionBook(reproductionFiles(theirs), clock);
  await lab.add(sampleReproduction());
  await lab.decide('r1', 'train:a', 'Began it.');
  const ours = await temporaryFolder();
  const files = reproductionFiles(ours);
  expect(await files.takeIn('another', join(theirs, 'r1'))).toBeNull();
  expect(await files.takeIn('r1', join(theirs, 'r1'))).toEqual(lab.get('r1'));
  expect(await readdir(join(ours, 'r1'))).not.toContain('reproduction.json');
  expect(await files.readDecisions('r1')).toHaveLength(1);
  expect(await reproductionFiles(ours).readAll()).toEqual([]);
});
