import { expect, test } from 'vitest';
import { writeReportFiles } from '../../../main/electron/report-files';
import { type ReportFile, reportFileSchema, type WrittenReport } from '../../../preload/contract';

const source = { kind: 'study', studyId: 'study-1' } as const;
const file = (part: string, format: ReportFile['format'], width: ReportFile['width'] = 'one-column') => ({
  source,
  part,
  format,
  width,
});
const written = (path: string): WrittenReport => ({
  files: [
    { path, bytes: 9 },
    { path: `${path}.manifest.json`, bytes: 5 },
  ],
});

test('several tables and figures go into one folder, each named after itself', async () => {
  const files = [file('results', 'csv-long'), file('results-bars', 'pdf', 'two-columns')];
  const answer = await writeReportFiles(files, '/lab/paper', async ({ path }) => ({
    ok: true,
    value: written(path),
  }));
  expect(answer.ok && answer.value.files.map(({ path }) => path)).toEqual([
    '/lab/paper/results.long.csv',
    '/lab/paper/results.long.csv.manifest.json',
    '/lab/paper/results-bars.two-columns.pdf',
    '/lab/paper/results-bars.two-columns.pdf.manifest.json',
  ]);
});

test('the first refusal ends it and is the answer', async () => {
  const asked: string[] = [];
  const error = { code: 'bad-input', message: 'The disk is full.' } as const;
  const answer = await writeReportFiles([file('a', 'csv'), file('b', 'csv')], '/lab', async ({ path }) => {
    asked.push(path);
    return { ok: false, error };
  });
  expect(answer).toEqual({ ok: false, error });
  expect(asked).toEqual(['/lab/a.csv']);
});

test.each(['../results', 'a/b', '', '.hidden', 'C:\\x'])(
  'a page cannot name a place by the part %j',
  (part) => {
    expect(reportFileSchema.safeParse(file(part, 'csv')).success).toBe(false);
  },
);
