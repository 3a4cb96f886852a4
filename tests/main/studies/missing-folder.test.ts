import { readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ok } from '../../../main/base';
import { eventually } from '../../support/eventually';
import { qualityGrader } from '../../support/search-fixture';
import { openStudyBench, recordedServer } from '../../support/study-bench';
import { makeTemporaryFolder } from '../../support/temporary-folder';

let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
beforeEach(async () => {
  folder = await makeTemporaryFolder();
});
afterEach(() => folder.dispose());

/** A workbench with a finished study `one`, or again that of a data folder. */
async function openFinished(dataDir?: string) {
  const lab = await openStudyBench({
    folder: folder.path,
    ...(dataDir === undefined ? {} : { dataDir }),
    openGrader: async () => ok(qualityGrader),
    answer: ({ problemId, ordinal, seed }) => `# ${problemId} ${ordinal}\nprint(${seed % 4})\n`,
    problems: 2,
    nodes: 4,
  });
  if (dataDir === undefined) {
    await lab.add('one', 1, recordedServer());
    await lab.studies.start('one');
    await lab.ended('one');
  }
  await eventually('its headline', () => lab.studies.list()[0]?.headline ?? null);
  const place = join(lab.dataDir, 'studies', 'one');
  const away = join(lab.dataDir, 'away');
  return {
    ...lab,
    view: () => lab.studies.list()[0],
    moveAway: () => rename(place, away),
    moveBack: () => rename(away, place),
    saved: () => readFile(join(lab.dataDir, 'registry.json'), 'utf8'),
  };
}

test('a study whose folder is away is missing, and with the folder back everything is as before', async () => {
  const lab = await openFinished();
  const [before, saved] = [lab.view(), await lab.saved()];
  await lab.moveAway();
  await lab.studies.checkJournals();
  expect(lab.view()).toMatchObject({
    state: { kind: 'missing', message: expect.stringContaining(join(lab.dataDir, 'studies', 'one')) },
    progress: before?.progress,
  });
  expect(await lab.studies.start('one')).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  expect((await lab.studies.results.analysis('one')).ok).toBe(false);
  expect(await lab.saved()).toBe(saved);

  await lab.moveBack();
  await lab.studies.checkJournals();
  expect(lab.view()).toEqual(before);
  expect((await lab.studies.results.analysis('one')).ok).toBe(true);
  expect(await lab.saved()).toBe(saved);
  await lab.studies.close();
});

test('a study that an earlier version took for lost is finished again by its journals', async () => {
  const lab = await openFinished();
  const before = lab.view();
  await lab.registry.update((data) => ({
    ...data,
    studies: data.studies.map((record) => ({
      ...record,
      finishedAt: null,
      progress: record.progress && { ...record.progress, nodesDone: 0, gradedDone: 0, problemsDone: 0 },
    })),
  }));
  expect(lab.view()?.state.kind).toBe('interrupted');
  await lab.studies.checkJournals();
  await expect.poll(() => lab.view()?.state.kind).toBe('finished');
  expect(lab.view()?.progress).toEqual(before?.progress);
  await lab.studies.close();
});

test('a finished study whose journal lost its end is listed as such, before anybody opens it', async () => {
  const lab = await openFinished();
  const { study } = lab.view() ?? expect.fail();
  const journal = join(lab.dataDir, 'studies', 'one', `${study.runs[0]?.id}.jsonl`);
  const text = await readFile(journal, 'utf8');
  await writeFile(journal, text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1));
  await lab.studies.checkJournals();
  await expect.poll(() => lab.view()?.state.kind).toBe('interrupted');
  await lab.studies.close();
});

test('a study whose journal was damaged is listed so without its number, by its summary or by the journal', async () => {
  const first = await openFinished();
  const { study, headline } = first.view() ?? expect.fail();
  const journal = join(first.dataDir, 'studies', 'one', `${study.runs[0]?.id}.jsonl`);
  await first.studies.checkDamage();
  expect(first.view()).toMatchObject({ headline });
  await first.studies.close();

  const whole = await readFile(journal);
  const { atime, mtime } = await stat(journal);
  const flipped = Buffer.from(whole);
  const at = whole.indexOf('\n', whole.indexOf('\n') + 1) + 100;
  flipped[at] = (whole[at] ?? 0) ^ 1;
  await writeFile(journal, flipped);
  // Older than the summary, as after a copy.
  const then = new Date(mtime.getTime() - 60_000);
  await utimes(journal, atime, then);
  const damage = [
    { runId: 'one.run', message: expect.stringContaining('damaged at line 3'), repairable: true },
  ];
  const open = () => openFinished(first.dataDir);
  const second = await open();
  expect(second.view()).toMatchObject({ headline });
  await second.studies.checkDamage();
  expect(second.view()).toMatchObject({ damage });
  expect(second.view()?.headline).toBeUndefined();
  await second.studies.close();

  // What is whole by now looks the same from outside: that the damage is known shows that no journal was read.
  await writeFile(journal, whole);
  await utimes(journal, atime, then);
  const third = await open();
  await third.studies.checkDamage();
  expect(third.view()).toMatchObject({ damage });
  await third.studies.close();

  await writeFile(journal, flipped);
  const last = await open();
  await last.studies.checkDamage();
  expect(await last.studies.results.repair('one.run')).toMatchObject({ ok: true });
  expect(last.view()?.damage).toBeUndefined();
  expect(last.view()?.state.kind).toBe('interrupted');
  await last.studies.close();
});

test('a study is renamed; its id and journals stay', async () => {
  const lab = await openFinished();
  expect(await lab.studies.rename('one', 'Teams of May')).toMatchObject({
    ok: true,
    value: { study: { id: 'one', name: 'Teams of May' }, state: { kind: 'finished' } },
  });
  expect((await lab.studies.results.analysis('one')).ok).toBe(true);
  expect(JSON.parse(await lab.saved()).studies[0].study.name).toBe('Teams of May');
  await lab.studies.close();
});

test('a study of an earlier version has its headline once its analysis is read', async () => {
  const lab = await openFinished();
  const headline = lab.view()?.headline;
  expect(headline).toMatchObject({ n: 4, problems: 2 });
  await lab.registry.update((data) => ({
    ...data,
    studies: data.studies.map(({ headline: _headline, ...record }) => record),
  }));
  expect(lab.view()?.headline).toBeUndefined();
  await lab.studies.results.analysis('one');
  expect(lab.view()?.headline).toEqual(headline);
  expect(JSON.parse(await lab.saved()).studies[0].headline).toEqual(headline);
  await lab.studies.close();
});

test('a study in the trash cannot be started, which would search it anew, and comes back as it was', async () => {
  const lab = await openFinished();
  const before = lab.view();
  await lab.studies.remove('one');
  expect(await lab.studies.start('one')).toMatchObject({
    ok: false,
    error: {
      message: 'The study one was removed: its journals are in the trash of the data folder.',
      hint: 'Bring it back under Studies > Trash, or with: mars2 studies restore one',
    },
  });
  expect(lab.studies.list()).toEqual([]);
  expect((await lab.studies.inTrash()).map(({ studyId }) => studyId)).toEqual(['one']);
  expect(await lab.studies.remove('one')).toMatchObject({ ok: false });
  expect(await lab.studies.restore('one')).toMatchObject({ ok: true });
  expect(await lab.studies.restore('one')).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('is not in the trash') },
  });
  expect(lab.view()).toEqual(before);
});

test('the outcomes of a study that was killed are answered once its record counts them', async () => {
  const lab = await openFinished();
  const before = lab.view();
  await lab.registry.update((data) => ({
    ...data,
    studies: data.studies.map((record) => ({
      ...record,
      finishedAt: null,
      progress: record.progress && { ...record.progress, gradedDone: 1, problemsDone: 1 },
    })),
  }));
  await lab.studies.results.outcomes('one');
  expect(lab.view()?.progress).toEqual(before?.progress);
  await lab.studies.close();
});

test('only a study in the trash is deleted for good: its journals are gone, their size was known, and it does not come back', async () => {
  const lab = await openFinished();
  expect(await lab.studies.deleteForGood('one')).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('is not in the trash') },
  });
  expect(await lab.studies.deleteForGood('../studies/one')).toMatchObject({ ok: false });
  const { study } = lab.view() ?? expect.fail();
  const { size } = await stat(join(lab.dataDir, 'studies', 'one', `${study.runs[0]?.id}.jsonl`));
  await lab.studies.remove('one');
  const [removed] = await lab.studies.inTrash();
  expect(removed?.bytes).toBeGreaterThan(size);
  expect(await lab.studies.deleteForGood('one')).toEqual({ ok: true, value: null });
  expect(await readdir(join(lab.dataDir, 'trash'))).toEqual([]);
  expect(await lab.studies.inTrash()).toEqual([]);
  expect(await lab.studies.restore('one')).toMatchObject({ ok: false, error: { code: 'not-found' } });
  await lab.studies.close();
});
