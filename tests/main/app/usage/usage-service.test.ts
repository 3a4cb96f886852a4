import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openStartLedger } from '../../../../main/app/usage/start-ledger';
import { createUsageService, type UsageDeps } from '../../../../main/app/usage/usage-service';
import { usageOf } from '../../../../main/app/usage/usage-table';
import { usageTable } from '../../../../main/reports/logic/usage-tables';
import { renderTable } from '../../../../main/reports/render-table';
import { studyFiles } from '../../../../main/studies';
import type { TrainingView, UsageRequest } from '../../../../preload/contract';
import { openJobBench } from '../../../support/job-bench';
import { reportProject } from '../../../support/report-project';
import { sampleGpu } from '../../../support/sample-gpus';
import { sampleProvenance } from '../../../support/sample-provenance';
import { sampleStudy } from '../../../support/sample-study';
import { temporaryFolder } from '../../../support/temporary-folder';
import { throwProblem } from '../../../support/throw-problem';
import { unwrap } from '../../../support/unwrap';

/** Without the waits between two looks at the jobs. The time is an emergency exit: other tests may keep the cores busy. */
const until = <T>(jobs: { readonly probeSoon: () => void } | null, check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(
    () => {
      jobs?.probeSoon();
      return check();
    },
    { timeout: 120_000 },
  );

const nothing = {
  list: () => [],
  onChange: () => ({ dispose: () => undefined }),
  onRemoved: () => ({ dispose: () => undefined }),
};

const noTrainings: UsageDeps['trainings'] = {
  list: () => [],
  curves: async () => ({ ok: true, value: [] }),
  beforeRemoval: () => undefined,
};

async function service(change: Partial<UsageDeps> & Pick<UsageDeps, 'dataDir'>) {
  const { registry, dataDir } = await reportProject();
  const usage = createUsageService({
    jobs: { ...nothing, provenance: async () => ({ ok: true, value: null }) },
    trainings: noTrainings,
    experiments: { list: () => [] },
    reproductions: { list: () => [] },
    registry,
    files: studyFiles(dataDir),
    isSlurm: () => false,
    clock: { now: Date.now },
    onError: throwProblem,
    ...change,
  });
  onTestFinished(() => usage.close());
  return { close: usage.close, read: async (request: UsageRequest) => unwrap(usage.read(request)) };
}

const byJob = { month: null, by: 'job' } as const;
const aGpu = { machineId: 'local', purpose: 'command', resources: { gpus: 1 } } as const;

test('a job that was removed still counts, also for the next start of the workbench', async () => {
  const gpus = async () => ({
    ok: true as const,
    value: { gpus: [sampleGpu(0)], reservations: [], user: 'me' },
  });
  const bench = await openJobBench({ gpus });
  onTestFinished(() => bench.dispose());
  const dataDir = await temporaryFolder();
  const first = await service({ dataDir, jobs: bench.jobs });
  const job = await unwrap(
    bench.jobs.launch({ ...aGpu, name: 'train', command: { kind: 'line', line: 'sleep 2' } }),
  );
  const open = await first.read(byJob);
  expect(open.rows).toMatchObject([{ label: 'train', about: 'on local', isOpen: true }]);
  await until(bench.jobs, async () => {
    const [row] = (await first.read(byJob)).rows;
    expect(row?.isOpen).toBe(false);
    expect(row?.gpuHours).toBeGreaterThan(0);
  });
  const before = await first.read(byJob);
  expect(before.rows[0]?.target).toEqual({ kind: 'job', id: job.id });
  await unwrap(bench.jobs.remove(job.id));
  const after = await first.read(byJob);
  expect(after.total).toEqual(before.total);
  expect(after.rows[0]?.target).toBeNull();
  await first.close();
  const second = await service({ dataDir });
  expect((await second.read(byJob)).total).toEqual(before.total);
});

test('each start of a job that is retried counts, and only once', async () => {
  let waitedMs = 0;
  const clock = { now: () => Date.now() + waitedMs };
  const bench = await openJobBench({ clock });
  onTestFinished(() => bench.dispose());
  const dataDir = await temporaryFolder();
  const usage = await service({ dataDir, jobs: bench.jobs, clock });
  await unwrap(
    bench.jobs.launch({
      machineId: 'local',
      purpose: 'command',
      name: 'flaky',
      command: { kind: 'line', line: 'exit 3' },
      retry: { failed: 1 },
    }),
  );
  const path = join(dataDir, 'usage', 'starts.jsonl');
  const lines = async () =>
    (await readFile(path, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  await until(bench.jobs, () => expect(bench.jobs.views()[0]?.state.kind).toBe('queued'));
  waitedMs = 60_000;
  await until(bench.jobs, async () => expect((await lines()).map(({ attempt }) => attempt)).toEqual([1, 2]));
  await usage.close();
  const again = await service({ dataDir, jobs: bench.jobs });
  await again.close();
  expect(await lines()).toHaveLength(2);
});

test('what ended before there was a ledger is taken from the records', async () => {
  const bench = await openJobBench();
  onTestFinished(() => bench.dispose());
  await unwrap(
    bench.jobs.launch({
      machineId: 'local',
      purpose: 'command',
      name: 'old',
      command: { kind: 'line', line: 'true' },
    }),
  );
  await until(bench.jobs, () => expect(bench.jobs.views()[0]?.state.kind).toBe('exited'));
  const dataDir = await temporaryFolder();
  const usage = await service({ dataDir, jobs: bench.jobs });
  await usage.read(byJob);
  expect(await readFile(join(dataDir, 'usage', 'starts.jsonl'), 'utf8')).toMatch(/"old"/);
});

test('the ledger is not read at the opening; a job that is removed before it was read still counts', async () => {
  const bench = await openJobBench();
  onTestFinished(() => bench.dispose());
  const { id } = await unwrap(
    bench.jobs.launch({
      ...{ machineId: 'local', purpose: 'command', name: 'gone' },
      command: { kind: 'line', line: 'true' },
    }),
  );
  await until(bench.jobs, () => expect(bench.jobs.views()[0]?.state.kind).toBe('exited'));
  const dataDir = await temporaryFolder();
  await mkdir(join(dataDir, 'usage', 'starts.jsonl'), { recursive: true });
  const usage = await service({ dataDir, jobs: bench.jobs });
  // A folder in its place could not have been read.
  await rm(join(dataDir, 'usage', 'starts.jsonl'), { recursive: true });
  await unwrap(bench.jobs.remove(id));
  await usage.close();
  expect(await readFile(join(dataDir, 'usage', 'starts.jsonl'), 'utf8')).toMatch(/"gone"/);
});

test('a ledger with a torn and a foreign line keeps what it has, says so, and goes on behind them', async () => {
  const dataDir = await temporaryFolder();
  const bench = await openJobBench();
  onTestFinished(() => bench.dispose());
  const run = async (name: string) => {
    const usage = await service({ dataDir, jobs: bench.jobs });
    await unwrap(
      bench.jobs.launch({
        machineId: 'local',
        purpose: 'command',
        name,
        command: { kind: 'line', line: 'true' },
      }),
    );
    await until(bench.jobs, async () =>
      expect((await usage.read(byJob)).rows.find(({ label }) => label === name)?.isOpen).toBe(false),
    );
    await usage.close();
  };
  await run('first');
  const path = join(dataDir, 'usage', 'starts.jsonl');
  await appendFile(path, `${'x'.repeat(9_000)}\n{"version":1,"jobId":"to`);
  await run('second');
  const usage = await service({ dataDir });
  const read = await usage.read(byJob);
  expect(read.rows.map(({ label }) => label).sort()).toEqual(['first', 'second']);
  expect(read.notes.at(-1)).toBe(
    '2 lines of usage/starts.jsonl in the data folder cannot be read: what they say is not in it.',
  );
});

test('a start whose line was changed does not count, one of before there were checksums does', async () => {
  const dataDir = await temporaryFolder();
  const start = (jobId: string) => ({
    ...{ version: 1 as const, jobId, attempt: 1, name: jobId, machineId: 'local', purpose: 'command' },
    ...{ project: null, gpus: 1, startedAt: '2026-01-05T10:00:00.000Z', endedAt: '2026-01-05T11:00:00.000Z' },
    end: 'known' as const,
  });
  const path = join(dataDir, 'usage', 'starts.jsonl');
  const ledger = await openStartLedger(path);
  for (const id of ['whole', 'changed']) await ledger.add(start(id));
  const text = await readFile(path, 'utf8');
  const changed = text.replace(/("changed".*"gpus":)1/, '$18');
  await writeFile(path, `${changed}${JSON.stringify(start('earlier'))}\n`);
  const again = await openStartLedger(path);
  expect(again.records().map(({ jobId }) => jobId)).toEqual(['whole', 'earlier']);
  expect(again.unread).toBe(1);
});

test('tokens of a study count for it, and still do when its journals are gone', async () => {
  const study = sampleStudy({ problems: 4, nodes: 5 });
  const { registry, dataDir } = await reportProject([study]);
  const files = studyFiles(dataDir);
  const usage = await service({ dataDir, registry, files });
  const { rows, total, months } = await usage.read({ month: null, by: 'project' });
  expect(rows).toMatchObject([
    { label: study.name, about: 'study', target: { kind: 'study', id: study.id } },
  ]);
  expect(total.completionTokens).toBeGreaterThan(0);
  expect(months).toHaveLength(1);
  await rm(files.folder(study.id), { recursive: true });
  const again = await service({ dataDir, registry, files });
  expect((await again.read({ month: null, by: 'project' })).total).toEqual(total);
});

test('changed counts of tokens are moved aside and said, and what is still there is counted again', async () => {
  const study = sampleStudy({ problems: 4, nodes: 5 });
  const { registry, dataDir } = await reportProject([study]);
  const files = studyFiles(dataDir);
  const tokens = async () => {
    const usage = await service({ dataDir, registry, files });
    return usage.read({ month: null, by: 'project' });
  };
  const whole = await tokens();
  const path = join(dataDir, 'usage', 'tokens.json');
  const changed = (await readFile(path, 'utf8')).replace(/"completionTokens":\d/, '"completionTokens":9');
  await writeFile(path, changed);
  const again = await tokens();
  expect(again.total).toEqual(whole.total);
  const aside = join(dataDir, 'usage', 'tokens.damaged-1.json');
  expect(await readFile(aside, 'utf8')).toBe(changed);
  const note = `${aside} is damaged`;
  expect(again.notes.filter((one) => one.startsWith(note))).toHaveLength(1);
  // Said as long as the file is there, also by the next start of the workbench.
  expect((await tokens()).notes.join(' ')).toContain(note);
  await rm(aside);
  expect((await tokens()).notes.join(' ')).not.toContain('damaged');
});

test('counts of tokens of an earlier version, without a checksum, are read; those that cannot be read are refused and stay', async () => {
  const study = sampleStudy({ problems: 4, nodes: 5 });
  const { registry, dataDir } = await reportProject([study]);
  const files = studyFiles(dataDir);
  const request = { month: null, by: 'project' } as const;
  const { total } = await (await service({ dataDir, registry, files })).read(request);
  const path = join(dataDir, 'usage', 'tokens.json');
  const { sha256: _, ...earlier } = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify(earlier));
  await rm(files.folder(study.id), { recursive: true });
  expect((await (await service({ dataDir, registry, files })).read(request)).total).toEqual(total);
  await rm(path);
  await mkdir(path);
  const refused = (await service({ dataDir, registry, files })).read(request);
  await expect(refused).rejects.toThrow(`${path} cannot be read`);
});

test('tokens of a study whose record of servers is damaged are counted, of no job, which is said', async () => {
  const study = sampleStudy({ problems: 4, nodes: 5 });
  const { registry, dataDir } = await reportProject([study]);
  const files = studyFiles(dataDir);
  const usage = await service({ dataDir, registry, files });
  const path = join(files.folder(study.id), 'origins.json');
  await writeFile(path, '{');
  for (const _ of [1, 2]) {
    const { total, notes } = await usage.read({ month: null, by: 'job' });
    expect(total.completionTokens).toBeGreaterThan(0);
    expect(notes.join(' ')).toContain(`${path} is damaged`);
  }
  await rm(path);
  expect((await usage.read({ month: null, by: 'job' })).notes.join(' ')).not.toContain('damaged');
});

test('a renamed study has its present name, and one that is gone the name that was kept', async () => {
  const study = sampleStudy({ problems: 4, nodes: 5, name: 'First name' });
  const { registry, dataDir } = await reportProject([study]);
  const usage = await service({ dataDir, registry, files: studyFiles(dataDir) });
  const labels = async () =>
    (await usage.read({ month: null, by: 'project' })).rows.map(({ label }) => label);
  expect(await labels()).toEqual(['First name']);
  await registry.update((data) => ({
    ...data,
    studies: data.studies.map((record) => ({ ...record, study: { ...record.study, name: 'New name' } })),
  }));
  expect(await labels()).toEqual(['New name']);
  await registry.update((data) => ({ ...data, studies: [] }));
  expect(await labels()).toEqual(['First name']);
});

test('a study in the trash keeps its tokens, although nobody asked before it went there', async () => {
  const study = sampleStudy({ problems: 4, nodes: 5 });
  const { registry, dataDir } = await reportProject([study]);
  const files = studyFiles(dataDir);
  await files.discard(study);
  const usage = await service({ dataDir, registry, files });
  expect((await usage.read({ month: null, by: 'project' })).total.completionTokens).toBeGreaterThan(0);
});

const learned = {
  id: 't1',
  name: 'GRPO, seed 1',
  jobId: 'j1',
  spec: { kind: 'model' },
  state: { kind: 'exited', code: 0, endedAt: '2026-12-01T02:00:00.000Z' },
  startedAt: '2026-11-30T23:00:00.000Z',
  endedAt: '2026-12-01T02:00:00.000Z',
  createdAt: '2026-11-30T23:00:00.000Z',
  agents: [{ id: 'one', name: 'Qwen3-8B' }],
  experimentId: 'e1',
} as unknown as TrainingView;

/** Of 16 samples in two updates, the second in the next month: 1,200 tokens written and 160 read. */
const learnedCurves: UsageDeps['trainings']['curves'] = async () => {
  const curve = { agentId: 'one', part: 'train', steps: [1, 2], samples: [8, 16] } as const;
  const values = { tokens: [100, 50], 'prompt-tokens': [10, 10], entropy: [1, 1] };
  const value = Object.entries(values).map(([key, values]) => ({
    ...{ ...curve, key, values },
    ...{ steps: [...curve.steps], samples: [...curve.samples], seconds: [600, 7_200] },
  }));
  return { ok: true, value };
};

test('tokens of a training that learned count for the experiment that ordered it', async () => {
  const usage = await service({
    dataDir: await temporaryFolder(),
    trainings: { ...noTrainings, list: () => [learned], curves: learnedCurves },
  });
  const read = await usage.read({ month: '2026-12', by: 'project' });
  expect(read.rows).toMatchObject([
    { about: 'experiment', promptTokens: 80, completionTokens: 400, target: null },
  ]);
  expect(read.months).toEqual(['2026-12', '2026-11']);
});

test('trainings that are removed together keep their tokens, although nobody asked before', async () => {
  let removing = async (_training: TrainingView): Promise<void> => undefined;
  const beforeRemoval: UsageDeps['trainings']['beforeRemoval'] = (work) => {
    removing = work;
  };
  const dataDir = await temporaryFolder();
  const trainings = { ...noTrainings, curves: learnedCurves, beforeRemoval };
  await service({ dataDir, trainings });
  await Promise.all(['t1', 't2'].map((id) => removing({ ...learned, id })));
  const next = await service({ dataDir });
  const { total } = await next.read({ month: null, by: 'project' });
  expect(total).toMatchObject({ promptTokens: 320, completionTokens: 2_400 });
});

test('a Slurm job counts from its allocation on, with the GPUs that it was given there', async () => {
  const view = {
    ...(await endedView()),
    machineId: 'cluster',
    resources: { gpus: 0 },
    startedAt: '2026-11-01T00:00:00.000Z',
    endedAt: '2026-11-01T06:00:00.000Z',
    createdAt: '2026-11-01T00:00:00.000Z',
  };
  const provenance = {
    ...sampleProvenance('job'),
    attempt: 1,
    at: '2026-11-01T05:00:00Z',
    gpu: { driver: null, cuda: null, names: ['H100', 'H100'] },
  };
  const jobs = (answer: typeof provenance | null) =>
    ({
      ...nothing,
      list: () => [{ id: view.id, view, spec: { notes: {} } }],
      provenance: async () => ({ ok: true, value: answer }),
    }) as unknown as UsageDeps['jobs'];
  const hours = async (answer: typeof provenance | null) => {
    const usage = await service({
      dataDir: await temporaryFolder(),
      isSlurm: () => true,
      jobs: jobs(answer),
    });
    return until(null, async () => {
      const { total, rows } = await usage.read(byJob);
      expect(rows.every(({ isOpen }) => !isOpen)).toBe(true);
      return total;
    });
  };
  expect(await hours(provenance)).toMatchObject({ gpuHours: 2, hours: 1 });
  // It was cancelled in the queue: it held nothing.
  expect(await hours(null)).toMatchObject({ gpuHours: 0, hours: 0 });
});

/** Of a job that was never seen running. */
async function endedView() {
  const bench = await openJobBench();
  onTestFinished(() => bench.dispose());
  const job = await unwrap(
    bench.jobs.launch({
      machineId: 'local',
      purpose: 'command',
      name: 'quick',
      command: { kind: 'line', line: 'true' },
    }),
  );
  await until(bench.jobs, () => expect(bench.jobs.views()[0]?.state.kind).toBe('exited'));
  const view = await unwrap(bench.jobs.view(job.id));
  return { ...view, timeline: view.timeline.filter(({ what }) => what !== 'running') };
}

test('an exported table has hours and tokens, no scale and no seeds', async () => {
  const study = sampleStudy({ problems: 2, nodes: 3 });
  const { registry, dataDir } = await reportProject([study]);
  const usage = await service({ dataDir, registry, files: studyFiles(dataDir) });
  const request = { month: null, by: 'project' } as const;
  const csv = renderTable(usageTable(await usage.read(request), request), 'csv').toString();
  const [header, row] = csv.split(/\r?\n/);
  expect(header).toBe(
    'group,row,complete,about,gpu_hours,hours,jobs,prompt_tokens,completion_tokens,about_table',
  );
  expect(row).toMatch(new RegExp(`^,${study.name},yes,study,0,0,0,\\d+,\\d+,".+"$`));
});

test('an exported table explains no method of training that a name in it has', () => {
  const request = { month: null, by: 'job' } as const;
  const job = { id: 'a', name: 'MARS\u00b2, seed 1', machineId: 'local' };
  const [gpuHours, hours, promptTokens, completionTokens] = [0, 1, 0, 5];
  const use = {
    month: '2026-11',
    job,
    project: null,
    gpuHours,
    hours,
    promptTokens,
    completionTokens,
    isOpen: false,
  };
  const csv = renderTable(
    usageTable(
      usageOf([use], request, () => true, []),
      request,
    ),
    'csv',
  ).toString();
  expect(csv).toContain('MARS\u00b2, seed 1');
  expect(csv).not.toContain('shared search trees');
});

test('a ledger that cannot be read is told, and costs nothing else', async () => {
  const dataDir = await temporaryFolder();
  await mkdir(join(dataDir, 'usage', 'starts.jsonl'), { recursive: true });
  const usage = await service({ dataDir });
  await expect(usage.read(byJob)).rejects.toThrow(/The ledger .* cannot be read/);
});
