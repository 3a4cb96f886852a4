import { appendFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openReproductionStore } from '../../../../main/plans/reproductions/reproduction-store';
import type { ReconcileProblem } from '../../../../main/reconcile';
import { sampleReproduction } from '../../../support/sample-reproduction';
import { temporaryFolder } from '../../../support/temporary-folder';

const clock = { now: () => Date.parse('2026-01-01T00:00:00.000Z') };

async function open(folder: string) {
  const problems: ReconcileProblem[] = [];
  const store = await openReproductionStore(folder, clock, (problem) => problems.push(problem));
  return { store, problems };
}

test('a reproduction is read as it was written, and a record that cannot be read hides no other', async () => {
  const folder = await temporaryFolder();
  const { store } = await open(folder);
  const sample = sampleReproduction();
  expect(await store.add(sample)).toEqual({ ok: true, value: null });
  for (const id of ['r2', 'r3']) await store.add({ ...sample, record: { ...sample.record, id } });
  await store.note('r1', ['train:a'], { trainingId: 't1', state: { kind: 'begun' } });
  await store.decide('r1', 'train:a', 'Began it.');
  // A power cut in the middle of a line.
  await appendFile(join(folder, 'r1', 'decisions.jsonl'), '{"at":"2026');
  await writeFile(join(folder, 'r2', 'reproduction.json'), '{"version":1');
  await writeFile(join(folder, 'r3', 'plan.json'), '{"version":1');
  const { store: again, problems } = await open(folder);
  expect(again.list()).toEqual([store.get('r1')]);
  expect(again.get('r1')?.record.notes['train:a']).toMatchObject({
    trainingId: 't1',
    state: { kind: 'begun' },
  });
  expect(await again.decisions('r1')).toEqual([
    { at: '2026-01-01T00:00:00.000Z', stepId: 'train:a', text: 'Began it.' },
  ]);
  expect(problems.map(({ key }) => key).sort()).toEqual(['r2', 'r3']);
  for (const id of ['r2', 'r3']) {
    expect(await readdir(join(folder, id))).toContain('reproduction.json.unread');
  }
  expect(await again.remove('r1')).toEqual({ ok: true, value: null });
  expect(again.list()).toEqual([]);
  expect((await open(folder)).store.list()).toEqual([]);
  await expect(again.note('r1', ['train:a'], {})).rejects.toThrow('There is no reproduction "r1".');
});

test('what is adopted from elsewhere is listed as it was changed, and nothing unreadable is', async () => {
  const theirs = await temporaryFolder();
  const { store: lab } = await open(theirs);
  await lab.add(sampleReproduction());
  await lab.decide('r1', 'train:a', 'Began it.');
  const ours = await temporaryFolder();
  const { store } = await open(ours);
  const refused = await store.adopt('another', join(theirs, 'r1'), {});
  expect(refused).toMatchObject({ ok: false, error: { code: 'bad-input' } });
  expect(await store.adopt('r1', join(theirs, 'r1'), { readOnly: true })).toEqual({ ok: true, value: null });
  const sample = sampleReproduction();
  expect(store.list()).toEqual([{ ...sample, record: { ...sample.record, readOnly: true } }]);
  expect(await store.decisions('r1')).toHaveLength(1);
  expect((await open(ours)).store.list()).toEqual(store.list());
  // There is one of this id now.
  await lab.add(sampleReproduction());
  expect(await store.adopt('r1', join(theirs, 'r1'), {})).toMatchObject({ ok: false });
});

test('the same object is listed as long as nothing of it has changed', async () => {
  const { store } = await open(await temporaryFolder());
  await store.add(sampleReproduction());
  const before = store.get('r1');
  expect(store.list()[0]).toBe(before);
  await store.note('r1', ['train:a'], { trainingId: 't1' });
  expect(store.get('r1')).not.toBe(before);
});
