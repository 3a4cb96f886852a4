import { expect, test } from 'vitest';
import { startsOf } from '../../../../main/app/usage/job-starts';
import { spanOf } from '../../../../main/app/usage/record-starts';
import { type MonthlyUse, splitByMonth, usageOf } from '../../../../main/app/usage/usage-table';
import type { JobView } from '../../../../preload/contract';

test('a span over the ends of months is cut there, also at the end of a year', () => {
  const parts = splitByMonth(Date.parse('2026-11-30T22:00:00Z'), Date.parse('2027-01-01T03:00:00Z'));
  expect(parts).toEqual([
    { month: '2026-11', hours: 2 },
    { month: '2026-12', hours: 744 },
    { month: '2027-01', hours: 3 },
  ]);
  // A job that ended at once is a job of its month.
  expect(splitByMonth(5, 5)).toEqual([{ month: '1970-01', hours: 0 }]);
});

const use = (change: Partial<MonthlyUse>): MonthlyUse => ({
  month: '2026-11',
  job: { id: 'a', name: 'train', machineId: 'gpu1' },
  project: null,
  gpuHours: 1,
  hours: 1,
  promptTokens: 0,
  completionTokens: 0,
  isOpen: false,
  ...change,
});

test('rows are added up by project, and jobs of people stand together', () => {
  const project = { kind: 'study', id: 's1', name: 'Study' } as const;
  const uses = [
    use({}),
    use({ job: { id: 'b', name: 'eval', machineId: 'gpu1' }, gpuHours: 4 }),
    use({ project, gpuHours: 2, promptTokens: 7 }),
    use({ project, month: '2026-10', gpuHours: 30 }),
  ];
  const { rows, total, months } = usageOf(uses, { month: '2026-11', by: 'project' }, () => true, []);
  expect(rows.map(({ label, gpuHours, jobs }) => [label, gpuHours, jobs])).toEqual([
    ['Started by hand', 5, 2],
    ['Study', 2, 1],
  ]);
  expect(total).toMatchObject({ gpuHours: 7, jobs: 2, promptTokens: 7 });
  expect(months).toEqual(['2026-11', '2026-10']);
  expect(usageOf(uses, { month: null, by: 'month' }, () => true, []).rows.map(({ id }) => id)).toEqual(
    months,
  );
});

test('studies and jobs of one name are told apart by their ids', () => {
  const of = (id: string, name = 's on he') =>
    use({ project: { kind: 'study', id, name }, job: { id: `job-${id}`, name: 'serve', machineId: 'gpu1' } });
  const uses = [of('2026-a'), of('2026-b'), of('2026-c', 'other')];
  const about = (by: 'project' | 'job'): unknown =>
    usageOf(uses, { month: null, by }, () => true, []).rows.map(({ label, about }) => [label, about]);
  expect(about('project')).toEqual([
    ['s on he', 'study, 2026-a'],
    ['s on he', 'study, 2026-b'],
    ['other', 'study'],
  ]);
  expect(about('job')).toEqual([
    ['serve', 'on gpu1, study s on he, job-2026-a'],
    ['serve', 'on gpu1, study s on he, job-2026-b'],
    ['serve', 'on gpu1, study other'],
  ]);
});

test('tokens of which no single job is known stand in one row with the jobs that may have answered', () => {
  const project = { kind: 'study', id: 's1', name: 'Study' } as const;
  const server = (id: string, of: typeof project | null = project) =>
    use({ project: of, job: { id, name: 'reader', machineId: 'local' } });
  const answers = use({
    ...{ project, job: null, model: 'reader', gpuHours: 0, hours: 0, promptTokens: 7, completionTokens: 5 },
  });
  const uses = [server('a'), server('b'), answers, server('c', null)];
  const { rows, total } = usageOf(uses, { month: null, by: 'job' }, () => true, []);
  expect(
    rows.map(({ label, about, jobs, hours, promptTokens }) => [label, about, jobs, hours, promptTokens]),
  ).toEqual([
    ['reader', 'answers for study Study', 2, 2, 7],
    ['reader', 'on local', 1, 1, 0],
  ]);
  expect(total).toMatchObject({ jobs: 3, promptTokens: 7 });
});

const at = (hour: number): string => `2026-11-01T${String(hour).padStart(2, '0')}:00:00.000Z`;
const view = (change: Partial<JobView>): JobView =>
  ({
    state: { kind: 'exited', code: 0, endedAt: at(9) },
    createdAt: at(0),
    attempts: 1,
    timeline: [],
    ...change,
  }) as JobView;

test('a timeline tells every start; the queue of a cluster is none', () => {
  const moments = [
    'starting 1',
    'queued 1',
    'starting 2',
    'running 3',
    'lost 4',
    'queued 4',
    'starting 5',
    'running 5',
    'exited 9',
  ];
  const timeline = moments.map((text) => {
    const [what = '', hour = ''] = text.split(' ');
    return { what, at: at(Number(hour)), why: '' };
  });
  const starts = startsOf(view({ timeline, attempts: 2, startedAt: at(5), endedAt: at(9) }));
  expect(starts).toEqual([
    { attempt: 1, startedAt: at(3), endedAt: at(4), endIsKnown: false, wasSeen: true },
    { attempt: 2, startedAt: at(5), endedAt: at(9), endIsKnown: true, wasSeen: true },
  ]);
});

test('of a timeline that may be cut only the last start counts', () => {
  const timeline = Array.from({ length: 200 }, (_, i) => ({
    what: i % 2 ? 'unknown' : 'running',
    at: at(1),
    why: '',
  }));
  expect(startsOf(view({ timeline, attempts: 7, startedAt: at(5), endedAt: at(9) }))).toMatchObject([
    { attempt: 7, startedAt: at(5), endedAt: at(9) },
  ]);
});

test('a job that waits in a queue of its cluster holds nothing, also while the cluster is silent', () => {
  const timeline = [{ what: 'starting', at: at(1), why: '' }];
  const waits = (state: JobView['state']) => {
    const job = view({ state, timeline, resources: { gpus: 2 } as JobView['resources'], gpuIds: [] });
    const [start] = startsOf(job);
    if (start === undefined) throw new Error('The start is missing.');
    const { fromMs, toMs } = spanOf(job, start, Date.parse(at(9)));
    return toMs - fromMs;
  };
  expect(waits({ kind: 'queued', why: '' })).toBe(0);
  expect(waits({ kind: 'unknown', since: at(5), last: 'queued' })).toBe(0);
  // What ran when the machine fell silent counts up to then.
  expect(waits({ kind: 'unknown', since: at(5), last: 'running' })).toBe(4 * 3_600_000);
});
