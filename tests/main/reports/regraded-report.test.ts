import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openRegradeJournal } from '../../../main/storage';
import { studyFiles } from '../../../main/studies';
import { exhibitSchema, type RegradeFacts, type Study } from '../../../preload/contract';
import { fillAtHand } from '../../../preload/contract/plans';
import { GOLDEN_SOURCE, goldenProject } from '../../support/golden-exhibit';
import { reportProject } from '../../support/report-project';
import { sampleEvents, sampleStudy } from '../../support/sample-study';
import { temporaryFolder } from '../../support/temporary-folder';
import { tinyExhibit } from '../../support/tiny-exhibit';
import { unwrap } from '../../support/unwrap';

const FACTS: RegradeFacts = {
  id: 'regrade-1',
  at: '2026-11-28T12:00:00.000Z',
  tests: [
    {
      ...{ benchmarkId: 'pocket-test-1', benchmarkDigest: '0'.repeat(64) },
      ...{ testsId: 'fixed', testsDigest: '0123456789ab' },
    },
  ],
  python: '3.11.2',
  grading: null,
  programs: 0,
  changed: 0,
  faults: 0,
};

const regraded = (study: Study): Study => ({ ...study, regrades: [FACTS], countedRegrade: 'regrade-1' });
const SIZE = { problems: 6, nodes: 5 };

/** A study on which a re-grade counts in which every program passes, and other studies. */
async function regradedProject(...others: readonly Study[]) {
  const study = regraded(sampleStudy(SIZE));
  const project = await reportProject([study, ...others]);
  const paths: string[] = [];
  for (const one of [study, ...others]) {
    if (one.countedRegrade !== undefined) paths.push(await writeRegrade(project.dataDir, one));
  }
  return { project, study, path: paths[0] ?? '' };
}

async function writeRegrade(dataDir: string, study: Study): Promise<string> {
  const path = studyFiles(dataDir).regrade(study.id, 'regrade-1');
  const journal = await openRegradeJournal(path, {
    ...{
      kind: 'regrade-started',
      at: 0,
      regradeVersion: 1,
      appVersion: '1',
      studyId: study.id,
      grading: null,
    },
    tests: FACTS.tests.map((one) => ({
      ...one,
      limits: { cpuSeconds: 1, wallSeconds: 3, memoryBytes: 1, processes: 1, outputBytes: 1 },
      rules: 'plain',
    })),
    grader: { python: '3.11.2', isolation: 'sandbox', cpuFactor: 1, packages: [] },
  });
  if (!journal.ok) throw new Error(journal.error.message);
  const runs = new Map(study.runs.map((run) => [run.id, run]));
  for (const { runId, event } of sampleEvents(study)) {
    const run = runs.get(runId);
    if (event.kind !== 'node-added' || event.programDigest === null || run === undefined) continue;
    const { problemId, programDigest } = event;
    await journal.value.append({
      ...{ kind: 'program-graded', at: 0, benchmarkId: run.benchmarkId, problemId, programDigest },
      ...{ grading: run.search.grading, privateVerdict: 'passed', privateVerdicts: ['passed'] },
    });
  }
  await journal.value.close();
  return path;
}

const width = 'one-column' as const;
const SAID = 're-graded on 2026-11-28 with tests fixed (01234567), Python 3.11.2';

it('every export names the re-grade that counts, and its journal is in the manifest', async () => {
  const { project, study, path } = await regradedProject();
  const out = join(await temporaryFolder(), 'out');
  await mkdir(out);
  const source = { kind: 'study' as const, studyId: study.id };
  for (const format of ['csv', 'csv-long', 'latex', 'markdown', 'json'] as const) {
    const file = join(out, `table.${format}`);
    const request = { source, format, part: 'pairs', width };
    const written = await project.reports.write({ request, path: file });
    expect(written).toMatchObject({ ok: true });
    expect(await readFile(file, 'utf8')).toContain(SAID);
    const manifest = JSON.parse(await readFile(`${file}.manifest.json`, 'utf8'));
    expect(manifest.runs[0].study).toMatchObject({ grading: SAID, regrade: { id: 'regrade-1' } });
  }
  const results = join(out, 'results.json');
  await project.reports.write({ request: { source, format: 'json', part: 'results', width }, path: results });
  const table = JSON.parse(await readFile(results, 'utf8'));
  const passAtN = table.columns.findIndex(({ id }: { id: string }) => id === 'pass@n');
  expect(table.rows[0].cells[passAtN].ours.value).toBe(1);
  expect(await project.reports.check(results)).toMatchObject({ ok: true });
  await appendFile(path, '{}\n');
  const checked = await project.reports.check(results);
  expect(checked.ok && checked.value.runs.every(({ state }) => state === 'altered')).toBe(true);
});

it('a bundle brings the re-grade that counts, and gives the same tables in another data folder', async () => {
  const { project, study } = await regradedProject();
  const path = join(await temporaryFolder(), 'study.mars2.zip');
  expect(
    await project.reports.writeBundle({ source: { kind: 'study', studyId: study.id }, path }),
  ).toMatchObject({
    ok: true,
  });
  const other = await reportProject();
  expect(await other.reports.openBundle(path)).toMatchObject({ ok: true, value: { differing: [] } });
  expect(other.registry.read().studies[0]?.study.countedRegrade).toBe('regrade-1');
});

/** The run of the first configuration of each, under the names a, b ... */
const firstRuns = (...studies: readonly Study[]) =>
  studies.map(({ runs }, at) => ({ runId: runs[0]?.id ?? '', label: 'abc'.charAt(at) }));

const DIFFER = 'The runs were graded by different tests: fixed 01234567 (a) and pocket-test-1 00000000 (b).';

it('verdicts by the tests of a re-grade and by others are not compared, which every export says first', async () => {
  const twin = sampleStudy({ ...SIZE, id: 'twin', name: 'Twin' });
  const { project, study } = await regradedProject(twin);
  const runs = firstRuns(study, twin);
  const { analysis, cautions, differences, matched, solves } = await unwrap(project.comparison.read(runs));
  expect(cautions).toEqual([expect.stringContaining(DIFFER)]);
  expect([analysis.pairs, analysis.partPairs, analysis.groupings, matched]).toEqual([[], [], [], []]);
  expect([solves.byAll, solves.byNone, solves.byOneAlone]).toEqual([0, 0, [0, 0]]);
  expect(differences).toContainEqual({
    path: 'privateTests',
    values: ['fixed 01234567', 'pocket-test-1 00000000'],
  });
  expect(analysis.chips?.map(({ text }) => text)).toContain('Re-graded: Quickstart');
  const larger = sampleStudy({ ...SIZE, id: 'larger', name: 'Larger', nodes: 6 });
  const other = await regradedProject(larger);
  const { analysis: unlike } = await unwrap(other.project.comparison.read(firstRuns(study, larger)));
  expect(unlike.sentences).toContain(
    'The configurations differ in the search as well as in the tests: nodes per tree.',
  );
  expect(analysis.sentences.at(-1)).toMatch(/^Private verdicts of "Quickstart" count as re-graded/);
  const out = await temporaryFolder();
  for (const [format, bold] of [
    ['markdown', '| **'],
    ['latex', '\\textbf{100'],
    ['csv', ',best'],
  ] as const) {
    const path = join(out, `results.${format}`);
    const request = { source: { kind: 'runs' as const, runs }, format, part: 'results', width };
    expect(await project.reports.write({ request, path })).toMatchObject({ ok: true });
    const [text, manifest] = [await readFile(path, 'utf8'), await readFile(`${path}.manifest.json`, 'utf8')];
    expect(text).not.toContain(bold);
    expect(format === 'csv' ? manifest : text.replaceAll('\n', ' ')).toContain(
      'graded by different tests: fixed 01234567 (a)',
    );
  }
});

it('runs whose re-grades have the same tests compare, with each other and with runs of these tests', async () => {
  const twin = regraded(sampleStudy({ ...SIZE, id: 'twin', name: 'Twin' }));
  const fixed = sampleStudy({ ...SIZE, id: 'own', name: 'Own' });
  const own = {
    ...fixed,
    runs: fixed.runs.map((run) => ({ ...run, benchmarkId: 'fixed', benchmarkDigest: '0123456789ab' })),
  };
  const { project, study } = await regradedProject(twin, own);
  const { analysis, cautions } = await unwrap(project.comparison.read(firstRuns(study, twin)));
  expect(cautions).toEqual([]);
  expect(analysis.pairs.map(({ problems }) => problems)).toEqual([6, 6, 6]);
  const all = await unwrap(project.comparison.read(firstRuns(study, twin, own)));
  expect(all.cautions).toEqual([expect.stringMatching(/^The runs use different benchmarks/)]);
  expect(all.analysis.pairs).toHaveLength(9);
});

it('rows of a reproduction that were graded by different tests are so in every export, none bold or marked', async () => {
  const benchmarkDigest = '0123456789ab';
  const { reports } = await goldenProject(undefined, (run) =>
    run.id.includes('grpo.') ? { ...run, benchmarkDigest } : run,
  );
  const out = await temporaryFolder();
  const said = /rows were graded by different tests(: pocket-test-1 \w{8} \(.*; pocket-test-1 01234567 \()?/;
  for (const format of ['markdown', 'latex', 'csv', 'json', 'svg'] as const) {
    const part = format === 'svg' ? 'bars-pass-n' : 'exhibit';
    const path = join(out, `exhibit.${format}`);
    const written = await reports.write({ request: { source: GOLDEN_SOURCE, format, part, width }, path });
    expect(written).toMatchObject({ ok: true });
    const [text, manifest] = [await readFile(path, 'utf8'), await readFile(`${path}.manifest.json`, 'utf8')];
    const words = text.replace(/<[^>]*>|\s+/g, ' ').replace(/ +/g, ' ');
    expect(format === 'csv' ? manifest : words, format).toMatch(said);
    expect(text, format).not.toMatch(/\| \*\*|\\textbf\{\d/);
  }
});

it('rows of runs at hand that were graded by different tests are named, with no test and no highest of them', async () => {
  const twin = sampleStudy({ ...SIZE, id: 'twin', name: 'Twin' });
  const { project, study } = await regradedProject(twin);
  const { paper, models } = tinyExhibit();
  const ids = [study.id, twin.id];
  const table = exhibitSchema.parse({
    ...{ version: 1, id: 'our-table', paper, place: 'Table 1', title: 'What we have', models, scales: {} },
    configurations: ids.map((id) => ({
      ...{ id, label: id, models: ['first'], method: 'base', study: { id, configuration: 'single' } },
    })),
    rows: ids.map((id) => ({ id, label: id })),
    columns: [{ id: 'tree', label: 'Tree' }],
    cells: ids.map((id) => ({
      ...{ row: id, column: 'tree', configuration: id, measure: { kind: 'metric', metric: 'pass@n' } },
    })),
  });
  await mkdir(join(project.dataDir, 'exhibits'), { recursive: true });
  await writeFile(join(project.dataDir, 'exhibits', 'our-table.json'), JSON.stringify(table));
  const fill = fillAtHand(table);
  if (fill === null) throw new Error('It names studies');
  const { result } = await unwrap(project.deps.fillExhibit(fill));
  expect(result.cautions).toEqual([
    {
      kind: 'tests',
      text: expect.stringContaining(
        'different tests: fixed 01234567 (study-1); pocket-test-1 00000000 (twin).',
      ),
      short: expect.any(String),
    },
  ]);
  const said = result.cautions?.[0]?.text;
  expect(result.sentences.filter((sentence) => sentence === said)).toHaveLength(1);
  expect(result.cells.map(({ ours, test, highestOf }) => [ours !== null, test, highestOf])).toEqual([
    [true, undefined, undefined],
    [true, undefined, undefined],
  ]);
});
