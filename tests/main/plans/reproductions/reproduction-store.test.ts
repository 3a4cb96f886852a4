import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failed, ok } from '../../../../main/base';
import type { Reproduction } from '../../../../main/plans/logic/reproductions/record';
import { viewOfReproduction } from '../../../../main/plans/logic/reproductions/view';
import type { StepWork } from '../../../../main/plans/logic/reproductions/work';
import { outcomeFilesOf } from '../../../../main/plans/reproductions/metric-steps';
import { createReproductionResults } from '../../../../main/plans/reproductions/reproduction-result';
import { openReproductionStore } from '../../../../main/plans/reproductions/reproduction-store';
import type { ReconcileProblem } from '../../../../main/reconcile';
import { emptyRegistry } from '../../../../main/storage';
import { sampleReproduction } from '../../../support/sample-reproduction';
import { temporaryFolder } from '../../../support/temporary-folder';
import { TrainingsStandIn } from '../../../support/trainings-stand-in';

const NOTHING = { code: 'not-found' as const, message: 'There is nothing.' };

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

test('a damaged file of what a step measured is named, in the result too; one without a checksum is read', async () => {
  const folder = await temporaryFolder();
  const { store } = await open(folder);
  const done = { state: { kind: 'done' as const, reused: false } };
  const sample = sampleReproduction({ 'metrics:a': done, 'metrics:ab': done });
  const measured: StepWork = {
    ...{ kind: 'metrics', configurationId: 'base', searchStepIds: ['search:a'] },
    diversity: true,
  };
  const work = new Map([...sample.work, ['metrics:a', measured] as const, ['metrics:ab', measured] as const]);
  await store.add({ ...sample, work });
  const empty = { curves: [], diversity: [] };
  await store.writeOutcome('r1', 'outcomes/step-9.json', empty);
  await store.writeFile('r1', 'outcomes/step-10.json', empty);
  const damages = async () => (await outcomeFilesOf(store, store.get('r1'))).map(({ damage }) => damage);
  expect(await damages()).toEqual([null, null]);
  const path = join(folder, 'r1', 'outcomes', 'step-9.json');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('"curves":[]', '"curves":[1]'));
  expect(await damages()).toEqual(['its content does not match its checksum', null]);
  await writeFile(path, text.slice(0, 60));
  expect(await damages()).toEqual(['it is not JSON', null]);

  const reproduction = store.get('r1') as Reproduction;
  const results = createReproductionResults({
    store,
    trainings: new TrainingsStandIn(),
    comparison: {
      viewsOf: async () => ok({ views: [], damage: [] }),
      diversity: async () => failed(NOTHING),
    },
    registry: { read: () => emptyRegistry, update: async () => ok(emptyRegistry) },
  });
  const live = {
    trainings: new Map(),
    runs: new Map(),
    studiesAtWork: new Set<string>(),
    slots: 1,
    waitsFor: null,
  };
  const paused = { ...viewOfReproduction(reproduction, live), state: { kind: 'paused' as const } };
  const firstSentence = async () => (await results.read(reproduction, paused)).sentences[0];
  expect(await firstSentence()).toContain(`metrics:a (${path}: it is not JSON)`);
  // Without another start of the workbench: put back, and damaged again.
  await writeFile(path, text);
  expect(await firstSentence()).not.toContain('Damaged results');
  await writeFile(path, text.replace('"curves":[]', '"curves":[1]'));
  expect(await firstSentence()).toContain(`metrics:a (${path}: its content does not match its checksum)`);
});
