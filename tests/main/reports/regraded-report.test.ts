import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openRegradeJournal } from '../../../main/storage';
import { studyFiles } from '../../../main/studies';
import type { RegradeFacts, Study } from '../../../preload/contract';
import { reportProject } from '../../support/report-project';
import { sampleEvents, sampleStudy } from '../../support/sample-study';
import { temporaryFolder } from '../../support/temporary-folder';

const FACTS: RegradeFacts = {
  id: 'regrade-1',
  at: '2026-11-28T12:00:00.000Z',
  tests: [
    { benchmarkId: 'pocket-test-1-6', benchmarkDigest: 'd1', testsId: 'fixed', testsDigest: '0123456789ab' },
  ],
  python: '3.11.2',
  grading: null,
  programs: 0,
  changed: 0,
  faults: 0,
};

/** A study on which a re-grade counts in which every program passes. */
async function regradedProject() {
  const first = sampleStudy({ problems: 6, nodes: 5 });
  const study: Study = { ...first, regrades: [FACTS], countedRegrade: 'regrade-1' };
  const project = await reportProject([study]);
  const path = studyFiles(project.dataDir).regrade(study.id, 'regrade-1');
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
  return { project, study, path };
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
