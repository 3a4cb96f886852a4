import { rename } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ok } from '../../../main/base';
import { studyFiles } from '../../../main/studies';
import { eventually } from '../../support/eventually';
import { qualityGrader } from '../../support/search-fixture';
import { openStudyBench, recordedServer as recorded } from '../../support/study-bench';
import { makeTemporaryFolder } from '../../support/temporary-folder';

let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
beforeEach(async () => {
  folder = await makeTemporaryFolder();
});
afterEach(() => folder.dispose());

/** Studies whose models answer by problem, node and seed; `gate` holds every answer back. */
function openStudies(gate: () => Promise<void> = async () => undefined) {
  return openStudyBench({
    folder: folder.path,
    gate,
    openGrader: async () => ok(qualityGrader),
    answer: ({ problemId, ordinal, seed }) => `# ${problemId} ${ordinal}\nprint(${seed % 4})\n`,
    problems: 4,
    nodes: 8,
  });
}

test('two studies on two machines run side by side, to the same bytes as alone', async () => {
  const alone = await openStudies();
  await alone.add('one', 1, recorded());
  await alone.add('two', 2, recorded('gpu-1'));
  const expected = new Map<string, string>();
  for (const id of ['one', 'two']) {
    expect(await alone.studies.start(id)).toEqual({ ok: true, value: null });
    await alone.ended(id);
    expected.set(id, await alone.nodesCsv(id));
  }
  await alone.studies.close();

  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const lab = await openStudies(() => opened);
  await lab.add('one', 1, recorded());
  await lab.add('two', 2, recorded('gpu-1'));
  expect(await lab.studies.start('one')).toEqual({ ok: true, value: null });
  expect(await lab.studies.start('two')).toEqual({ ok: true, value: null });
  await eventually('both at work', () => ['one', 'two'].every((id) => lab.stateOf(id)?.kind === 'running'));
  open();
  for (const id of ['one', 'two']) {
    await lab.ended(id);
    expect(await lab.nodesCsv(id)).toBe(expected.get(id));
  }
  expect(lab.stopped.sort()).toEqual(['one', 'two']);
  await lab.studies.close();
});

test('a study that needs the machine of a running one is refused, with its name and what to do', async () => {
  const lab = await openStudies(() => new Promise((done) => setTimeout(done, 5)));
  await lab.add('first', 1, recorded());
  await lab.add('second', 2, recorded());
  const [begun, refused] = await Promise.all([lab.studies.start('first'), lab.studies.start('second')]);
  expect(begun.ok).toBe(true);
  expect(refused).toMatchObject({
    ok: false,
    error: {
      code: 'conflict',
      message: expect.stringContaining('The study "first" is running on this computer.'),
      hint: expect.stringContaining('on another machine'),
    },
  });
  await lab.ended('first');
  expect(lab.studies.conflict([recorded()])).toBeNull();
  expect((await lab.studies.start('second')).ok).toBe(true);
  await lab.ended('second');
  await lab.studies.close();
});

test('queued studies begin one after another once their machine is free, to the same bytes as alone', async () => {
  const alone = await openStudies();
  await alone.add('third', 3, recorded());
  await alone.studies.start('third');
  await alone.ended('third');
  const expected = await alone.nodesCsv('third');
  await alone.studies.close();

  const lab = await openStudies(() => new Promise((done) => setTimeout(done, 5)));
  for (const [at, id] of ['first', 'second', 'third', 'left'].entries())
    await lab.add(id, at + 1, recorded());
  for (const id of ['first', 'second', 'third', 'left'])
    expect(await lab.studies.queue(id)).toEqual({ ok: true, value: null });
  const behindFirst = { kind: 'queued', behind: 'first', where: 'on this computer' };
  expect(['second', 'third', 'left'].map((id) => lab.stateOf(id))).toEqual([
    ...[behindFirst, behindFirst, behindFirst],
  ]);
  // Taken out, it is as if it had never been started.
  expect(await lab.studies.stop('left', 'paused')).toEqual({ ok: true, value: null });
  expect(lab.stateOf('left')).toEqual({ kind: 'planned' });
  await lab.ended('first');
  await eventually('the second begins', () => lab.studies.isRunning('second'));
  expect(lab.stateOf('third')).toEqual({ ...behindFirst, behind: 'second' });
  await lab.ended('second');
  await lab.ended('third');
  expect(await lab.nodesCsv('third')).toBe(expected);
  expect(lab.stateOf('left')).toEqual({ kind: 'planned' });
  await lab.studies.close();
});

test('a queued study whose folder goes away says so when its turn comes, and a removed one leaves the queue', async () => {
  const lab = await openStudies(() => new Promise((done) => setTimeout(done, 5)));
  for (const [at, id] of ['first', 'second', 'third'].entries()) await lab.add(id, at + 1, recorded());
  await lab.studies.start('second');
  const written = () =>
    lab.studies.list().find(({ study }) => study.id === 'second')?.progress.nodesDone ?? 0;
  await eventually('programs of the second', () => written() > 0);
  await lab.studies.stop('second', 'paused');
  for (const id of ['first', 'second', 'third']) await lab.studies.queue(id);
  expect(lab.stateOf('second')?.kind).toBe('queued');
  const second = studyFiles(lab.dataDir).folder('second');
  await rename(second, `${second}-away`);
  expect((await lab.studies.remove('third')).ok).toBe(true);
  await lab.ended('first');
  await eventually('its refusal', () => lab.stateOf('second')?.kind === 'missing');
  expect([lab.studies.isRunning('second'), lab.studies.isRunning('third')]).toEqual([false, false]);
  await lab.studies.close();
});

test('pausing one of two studies leaves the other one running', async () => {
  const lab = await openStudies(() => new Promise((done) => setTimeout(done, 20)));
  await lab.add('one', 1, recorded());
  await lab.add('two', 2, recorded('gpu-1'));
  await lab.studies.start('one');
  await lab.studies.start('two');
  await lab.studies.stop('one', 'paused');
  expect([lab.stateOf('one')?.kind, lab.stopped]).toEqual(['paused', ['one']]);
  await lab.ended('two');
  await lab.studies.close();
});

test('an end that cannot be saved is reported with the study, and saved once that is possible', async () => {
  const lab = await openStudies();
  await lab.add('one', 1, recorded());
  expect((await lab.studies.start('one')).ok).toBe(true);
  lab.setFull(true);
  await eventually('a report', () => lab.errors.length > 0);
  expect(lab.errors[0]).toMatchObject({ name: 'studies', key: 'one', failures: 1 });
  expect(String(lab.errors[0]?.error)).toContain('The disk is full.');
  expect([lab.studies.isRunning('one'), lab.stateOf('one')?.kind]).toEqual([true, 'running']);
  expect(await lab.studies.start('one')).toMatchObject({ ok: false });
  lab.setFull(false);
  expect(await lab.studies.stop('one', 'paused')).toEqual({ ok: true, value: null });
  expect([lab.studies.isRunning('one'), lab.stateOf('one')?.kind]).toEqual([false, 'finished']);
  await lab.studies.close();
});

test('a study that cannot be noted as started does not run', async () => {
  const lab = await openStudies();
  await lab.add('one', 1, recorded());
  lab.setFull(true);
  expect(await lab.studies.start('one')).toMatchObject({
    ok: false,
    error: { message: 'The disk is full.' },
  });
  expect([lab.studies.isRunning('one'), lab.stateOf('one')?.kind, lab.errors]).toEqual([
    false,
    'planned',
    [],
  ]);
  await lab.studies.close();
});

test('requests at once are limited while a study runs, and the same bytes come out', async () => {
  const calm = await openStudies();
  await calm.add('one', 1, recorded());
  await calm.studies.start('one');
  await calm.ended('one');
  const expected = await calm.nodesCsv('one');
  await calm.studies.close();

  const waiting: (() => void)[] = [];
  const lab = await openStudies(() => new Promise((resolve) => waiting.push(resolve)));
  await lab.add('one', 1, recorded());
  expect(await lab.studies.setParallel('one', 1)).toMatchObject({ ok: true, value: { parallel: 1 } });
  await lab.studies.start('one');
  await eventually('a request', () => waiting.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(waiting).toHaveLength(1);
  await lab.studies.setParallel('one', null);
  await eventually('as many as the server takes', () => waiting.length === 2);
  const opening = setInterval(() => waiting.splice(0).forEach((answer) => void answer()), 1);
  await lab.ended('one');
  clearInterval(opening);
  expect(await lab.nodesCsv('one')).toBe(expected);
  await lab.studies.close();
});
