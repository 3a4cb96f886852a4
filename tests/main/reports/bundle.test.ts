import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync, type Zippable, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { newRecord } from '../../../main/plans/logic/reproductions/record';
import { viewOfReproduction } from '../../../main/plans/logic/reproductions/view';
import { openReproductionStore } from '../../../main/plans/reproductions/reproduction-store';
import { recoverStudies, studyFiles } from '../../../main/studies';
import type { ReportSource } from '../../../preload/contract';
import { exhibitOfReproduction, withEntered } from '../../../preload/contract/plans';
import { byPython } from '../../support/by-python';
import { GOLDEN_SOURCE, goldenExhibit, goldenProject } from '../../support/golden-exhibit';
import { type ReportProject, reportProject } from '../../support/report-project';
import { sampleStudy } from '../../support/sample-study';
import { temporaryFolder } from '../../support/temporary-folder';

const study = sampleStudy({ problems: 6, nodes: 5 });
type ReportedProgress = { activity: string; done: number; total: number; unit: string };
const source: ReportSource = { kind: 'study', studyId: study.id };

function valued<T>(answer: { ok: true; value: T } | { ok: false; error: { message: string } }): T {
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value;
}

async function written(project?: ReportProject, from: ReportSource = source): Promise<string> {
  const { reports } = project ?? (await reportProject([study]));
  const path = join(await temporaryFolder(), 'x.mars2.zip');
  const answer = valued(await reports.writeBundle({ source: from, path }));
  expect(answer).toEqual({ path, bytes: (await stat(path)).size });
  return path;
}

let bytesOfPlain: Promise<Buffer> | undefined;

/** The bundle of the study, in a file that may be changed. It is the same bytes every time, so it is made once. */
async function plainBundle(): Promise<string> {
  bytesOfPlain ??= written().then((path) => readFile(path));
  const path = join(await temporaryFolder(), 'x.mars2.zip');
  await writeFile(path, await bytesOfPlain);
  return path;
}

it('opens in a fresh data folder with the same journals, and works out the same tables to the byte', async () => {
  const first = await reportProject([study]);
  const path = await written(first);
  const lab = await reportProject();
  const opened = valued(await lab.reports.openBundle(path));
  expect(opened).toMatchObject({
    name: study.name,
    studyIds: [study.id],
    reproductionIds: [],
    differing: [],
  });
  expect(opened.tables).toBe(
    valued(await first.reports.parts(source)).filter(({ kind }) => kind === 'table').length,
  );
  const [record] = lab.registry.read().studies;
  expect(record).toMatchObject({ study, fromBundle: study.name, removed: false });
  for (const run of study.runs) {
    const theirs = await readFile(first.deps.journal(study.id, run.id));
    expect((await readFile(lab.deps.journal(study.id, run.id))).equals(theirs)).toBe(true);
  }
  // A lost registry does not make it our own.
  await lab.registry.update((data) => ({ ...data, studies: [] }));
  await recoverStudies({ registry: lab.registry, files: studyFiles(lab.dataDir) });
  expect(lab.registry.read().studies[0]).toMatchObject({ study: { id: study.id }, fromBundle: study.name });
  // Nothing of the unpacking is left.
  expect((await readdir(lab.dataDir)).filter((name) => name.startsWith('bundle-'))).toEqual([]);
});

it('is the same bytes every time, and an archive that other tools read', async () => {
  const path = await written();
  const other = await readFile(await written());
  expect(other.equals(await readFile(path))).toBe(true);
  const names = byPython<string[]>(
    [
      'import json, sys, zipfile',
      'archive = zipfile.ZipFile(json.load(sys.stdin))',
      'assert archive.testzip() is None',
      'print(json.dumps(archive.namelist()))',
    ],
    path,
  );
  expect(names).toEqual(
    expect.arrayContaining(['bundle.json', 'manifest.json', 'README.txt', 'tables/results.tex']),
  );
});

it('holds only the runs that were chosen', async () => {
  const [run] = study.runs;
  const path = await written(undefined, { kind: 'runs', runs: [{ runId: run?.id ?? '', label: 'mine' }] });
  const lab = await reportProject();
  const opened = valued(await lab.reports.openBundle(path));
  expect(opened.differing).toEqual([]);
  expect(lab.registry.read().studies[0]?.study.runs.map(({ id }) => id)).toEqual([run?.id]);
});

it('carries the values of the paper that the lab has entered, which say so elsewhere too', async () => {
  const at = { kind: 'cell' as const, row: '8b-grpo', column: 'pass-n' };
  const entered = { at, value: 74.3, page: 7, where: 'Table 3', note: '' };
  const exhibit = withEntered(goldenExhibit(), [entered]);
  const project = await goldenProject(exhibit);
  const [view] = project.deps.reproductions.list();
  if (view === undefined) throw new Error('It has a reproduction');
  const storeIn = (dataDir: string) =>
    openReproductionStore(join(dataDir, 'reproductions'), { now: () => 0 }, ({ error }) => {
      throw error;
    });
  const plan = {
    ...{ order: view.order, exhibitDigest: view.exhibitDigest, steps: [], diskBytes: null, modelLoads: 0 },
    ...{ estimate: { seconds: 0, gpuSeconds: 0, tokens: 0 }, missing: [], notes: [] },
  };
  const { id, order: request, createdAt } = view;
  const record = newRecord({ id, exhibit, request, createdAt }, plan, new Map());
  const own = await storeIn(project.dataDir);
  valued(await own.add({ record, plan, work: new Map(), unmeasured: new Map() }));
  await own.close();
  const path = await written(project, GOLDEN_SOURCE);

  const theirs = await storeIn(await temporaryFolder());
  const lab = await reportProject([], {
    ...project.deps.reproductions,
    list: () => (theirs.get(id) === null ? [] : [view]),
    exhibitOf: (one) => theirs.get(one)?.record.exhibit ?? null,
    adopt: (one, from) => theirs.adopt(one, from, { paused: true, readOnly: true }),
  });
  expect(valued(await lab.reports.openBundle(path)).differing).toEqual([]);
  const csv = join(await temporaryFolder(), 'exhibit.csv');
  const asCsv = { source: GOLDEN_SOURCE, format: 'csv', part: 'exhibit', width: 'one-column' } as const;
  valued(await lab.reports.write({ request: asCsv, path: csv }));
  const source = 'Entered by the lab from p. 7, Table 3';
  expect(await readFile(csv, 'utf8')).toContain(`${source}: 0.743`);
  // Window and terminal show their own file of the exhibit, with what the other lab has entered.
  const opened = theirs.get(id);
  if (opened === null) throw new Error('It is not listed');
  const [trainings, runs, studiesAtWork] = [new Map(), new Map(), new Set<string>()];
  const shown = viewOfReproduction(opened, { trainings, runs, studiesAtWork, waitsFor: null, slots: 1 });
  const cell = exhibitOfReproduction(goldenExhibit(), shown).cells.find(
    ({ row, column }) => row === at.row && column === at.column,
  );
  expect(cell?.reference.at(-1)).toEqual({ value: 74.3, unit: '%', source });
  await theirs.close();
});

it('says how many bytes of journals are packed and unpacked, to the last', async () => {
  const project = await reportProject([study]);
  const path = join(await temporaryFolder(), 'x.mars2.zip');
  const progress: ReportedProgress[] = [];
  valued(await project.reports.writeBundle({ source, path }, { progress: (one) => progress.push(one) }));
  const journals = await Promise.all(study.runs.map(({ id }) => stat(project.deps.journal(study.id, id))));
  const bytes = journals.reduce((sum, { size }) => sum + size, 0);
  expect(progress.at(-1)).toEqual({ activity: 'packing journals', done: bytes, total: bytes, unit: 'bytes' });

  const lab = await reportProject();
  const openProgress: ReportedProgress[] = [];
  valued(await lab.reports.openBundle(path, { progress: (one) => openProgress.push(one) }));
  const unpacked = openProgress.filter(({ activity }) => activity === 'checking files').at(-1);
  expect(unpacked?.done).toBe(unpacked?.total);
  expect(unpacked?.done).toBeGreaterThan(bytes);
});

it('that is called off while it is written leaves what was there, and nothing else', async () => {
  const project = await reportProject([study]);
  const folder = await temporaryFolder();
  const path = join(folder, 'x.mars2.zip');
  await writeFile(path, 'an earlier one');
  const stopping = new AbortController();
  const answer = await project.reports.writeBundle(
    { source, path },
    { signal: stopping.signal, progress: ({ unit }) => void (unit === 'bytes' && stopping.abort()) },
  );
  expect(answer).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  expect(await readdir(folder)).toEqual(['x.mars2.zip']);
  expect(await readFile(path, 'utf8')).toBe('an earlier one');
});

it('that is called off while it is opened leaves the data folder as it was', async () => {
  const path = await plainBundle();
  const lab = await reportProject();
  const before = await readdir(lab.dataDir);
  const stopping = new AbortController();
  const answer = await lab.reports.openBundle(path, {
    signal: stopping.signal,
    progress: () => stopping.abort(),
  });
  expect(answer).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  expect(lab.registry.read().studies).toEqual([]);
  expect(await readdir(lab.dataDir)).toEqual(before);
});

it('is refused where its study is already, and changes nothing then', async () => {
  const project = await reportProject([study]);
  const path = await written(project);
  const before = project.registry.read();
  const answer = await project.reports.openBundle(path);
  expect(answer).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(project.registry.read()).toEqual(before);
});

it('that does not exist is not said to be damaged', async () => {
  const lab = await reportProject();
  const answer = await lab.reports.openBundle('/nowhere/x.zip');
  expect(answer).toEqual({
    ok: false,
    error: { code: 'not-found', message: 'There is no file /nowhere/x.zip.' },
  });
});

it('is not written while its study runs', async () => {
  const project = await reportProject([study]);
  project.running.add(study.id);
  const path = join(await temporaryFolder(), 'x.zip');
  expect(await project.reports.writeBundle({ source, path })).toMatchObject({
    ok: false,
    error: { code: 'conflict' },
  });
});

it('is not written with a damaged result of the last regrade', async () => {
  const { reports, deps } = await reportProject([study]);
  await deps.studies.saveRegrade(study, { graded: 5, changed: [], faults: 0 });
  const regrade = join(deps.studies.folder(study.id), 'regrade.json');
  await writeFile(regrade, (await readFile(regrade, 'utf8')).replace('"graded":5', '"graded":6'));
  const path = join(await temporaryFolder(), 'x.zip');
  expect(await reports.writeBundle({ source, path })).toMatchObject({
    ok: false,
    error: {
      message: `Nothing is exported: The result of the last regrade, ${regrade}, cannot be used: its content does not match its checksum.`,
      hint: expect.stringContaining('grade the study again'),
    },
  });
});

/** The bundle with some of its files changed. */
async function changed(change: (files: Record<string, Uint8Array>) => void): Promise<string> {
  const path = await plainBundle();
  const files = unzipSync(await readFile(path));
  change(files);
  await writeFile(path, zipSync(files as Zippable));
  return path;
}

const text = (words: string): Uint8Array => new TextEncoder().encode(words);
const head = (files: Record<string, Uint8Array>) =>
  JSON.parse(new TextDecoder().decode(files['bundle.json']));

it.each<[string, (files: Record<string, Uint8Array>) => void, string]>([
  [
    'a journal that was changed',
    (files) => {
      const name = Object.keys(files).find((one) => one.endsWith('.jsonl')) ?? '';
      const bytes = Uint8Array.from(files[name] ?? []);
      bytes[100] = (bytes[100] ?? 0) ^ 1;
      files[name] = bytes;
    },
    'was changed or damaged',
  ],
  [
    'a file that nobody names',
    (files) => void Object.assign(files, { 'studies/extra.jsonl': text('x') }),
    'does not list',
  ],
  [
    'a file that leads out of its folder',
    (files) => {
      const bundle = head(files);
      bundle.files.push({ name: 'studies/../../evil', bytes: 1, sha256: '' });
      files['bundle.json'] = text(JSON.stringify(bundle));
    },
    '"files',
  ],
  [
    'a study whose id is a path',
    (files) => {
      const bundle = head(files);
      bundle.studies[0].study.id = '../../evil';
      files['bundle.json'] = text(JSON.stringify(bundle));
    },
    '"studies.0.study"',
  ],
  [
    'a file that is larger than its index says',
    (files) => {
      const bundle = head(files);
      bundle.files[0].bytes = 3;
      files['bundle.json'] = text(JSON.stringify(bundle));
    },
    'another size',
  ],
  [
    'a file that grows a thousandfold',
    (files) => {
      const bundle = head(files);
      files['tables/zeros.json'] = new Uint8Array(80_000_000);
      bundle.files.push({ name: 'tables/zeros.json', bytes: 80_000_000, sha256: '' });
      files['bundle.json'] = text(JSON.stringify(bundle));
    },
    'would become',
  ],
  [
    'a head that is nested',
    (files) => void Object.assign(files, { 'bundle.json': text('['.repeat(24_000)) }),
    'nested more than 64 deep',
  ],
  [
    'results beside the journals',
    (files) => {
      const bundle = head(files);
      const name = `studies/${study.id}/outcomes.json`;
      files[name] = text('{}');
      bundle.files.push({ name, bytes: 2, sha256: '' });
      files['bundle.json'] = text(JSON.stringify(bundle));
    },
    'belongs to nothing in it',
  ],
  ['no head', (files) => void delete files['bundle.json'], 'it has no bundle.json'],
])('refuses %s and leaves the data folder as it was', async (_title, change, message) => {
  const lab = await reportProject();
  const before = await readdir(lab.dataDir);
  const answer = await lab.reports.openBundle(await changed(change));
  expect(answer.ok ? '' : answer.error.message).toContain(message);
  expect(lab.registry.read().studies).toEqual([]);
  expect(await readdir(lab.dataDir)).toEqual(before);
});

it('refuses files that share their bytes', async () => {
  const path = await plainBundle();
  const bytes = await readFile(path);
  const central = Buffer.from([0x50, 0x4b, 0x01, 0x02]);
  const first = bytes.indexOf(central);
  const second = bytes.indexOf(central, first + 4);
  // Both headers lead to the first file.
  bytes.copy(bytes, second + 42, first + 42, first + 46);
  await writeFile(path, bytes);
  const answer = await (await reportProject()).reports.openBundle(path);
  expect(answer.ok ? '' : answer.error.message).toContain('overlaps another of its files');
});

it('of a study without its journals believes no result', async () => {
  const path = await changed((files) => {
    const bundle = head(files);
    const isJournal = (name: string): boolean => name.endsWith('.jsonl');
    for (const name of Object.keys(files)) if (isJournal(name)) delete files[name];
    bundle.files = bundle.files.filter(({ name }: { name: string }) => !isJournal(name));
    bundle.studies[0].progress = {
      nodesDone: 90,
      nodesTotal: 90,
      gradedDone: 90,
      problemsDone: 18,
      problemsTotal: 18,
      elapsedMs: 9,
      remainingMs: null,
    };
    bundle.studies[0].regrade = { graded: 5, changed: [], faults: 0 };
    files['bundle.json'] = text(JSON.stringify(bundle));
  });
  const lab = await reportProject();
  const answer = await lab.reports.openBundle(path);
  expect(answer.ok ? '' : answer.error.message).toBe('');
  expect(lab.registry.read().studies[0]).toMatchObject({
    progress: null,
    finishedAt: null,
    elapsedMs: 0,
    stopped: 'paused',
  });
  expect(await lab.deps.studies.regrade(study)).toEqual({ ok: true, value: null });
});

it('refuses a file that is not an archive', async () => {
  const path = join(await temporaryFolder(), 'x.zip');
  await writeFile(path, 'not a zip');
  const lab = await reportProject();
  expect(await lab.reports.openBundle(path)).toMatchObject({ ok: false, error: { code: 'bad-input' } });
});

it('says which tables differ when another version works them out otherwise', async () => {
  const path = await changed((files) => {
    const bundle = head(files);
    const name = 'tables/results.json';
    const changedTable = text('{}');
    files[name] = changedTable;
    const mark = bundle.files.find((file: { name: string }) => file.name === name);
    mark.bytes = changedTable.length;
    mark.sha256 = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';
    files['bundle.json'] = text(JSON.stringify(bundle));
  });
  const lab = await reportProject();
  expect(valued(await lab.reports.openBundle(path)).differing).toEqual(['Results by configuration']);
});

it('carries what a person wrote to its studies', async () => {
  const project = await reportProject([study]);
  const annotations = { note: 'The first one.', tags: ['paper', 'figure-3'] };
  await project.registry.update((data) => ({
    ...data,
    studies: data.studies.map((record) => ({ ...record, ...annotations })),
  }));
  const lab = await reportProject();
  valued(await lab.reports.openBundle(await written(project)));
  expect(lab.registry.read().studies[0]).toMatchObject(annotations);
});
