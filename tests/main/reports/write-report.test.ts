import { createHash } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import type { Agent, ReportRequest } from '../../../preload/contract';
import { COMPLEMENT_SENTENCE } from '../../../preload/contract/plans';
import { reportProject } from '../../support/report-project';
import { sampleProvenance } from '../../support/sample-provenance';
import { sampleStudy } from '../../support/sample-study';
import { temporaryFolder } from '../../support/temporary-folder';

const study = sampleStudy({ problems: 6, nodes: 5 });
const source = { kind: 'study' as const, studyId: study.id };
const requestOf = (change: Partial<ReportRequest>): ReportRequest => ({
  source,
  format: 'csv',
  width: 'one-column',
  ...change,
});

function valued<T>(answer: { ok: true; value: T } | { ok: false; error: { message: string } }): T {
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value;
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

it('offers the tables and figures that a study has', async () => {
  const { reports } = await reportProject([study]);
  const parts = valued(await reports.parts(source));
  expect(parts[0]).toEqual({ id: 'results', title: 'Results by configuration', kind: 'table' });
  expect(parts.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['pairs', 'solves', 'costs', 'solves-grid']),
  );
  expect(parts.find(({ kind }) => kind === 'figure')?.id).toBe('pass-n-nodes');
  expect(new Set(parts.map(({ id, kind }) => `${kind} ${id}`)).size).toBe(parts.length);
});

it('writes a table with the numbers of the comparison, and a manifest that names file, runs and journals', async () => {
  const { reports, deps } = await reportProject([study]);
  const origin = {
    at: '2026-01-01T00:00:00.000Z',
    workbench: '1.2.2',
    name: 'reader',
    address: null,
    machineId: 'local',
    jobId: 'job-1',
    provenance: sampleProvenance('job-1', { engines: ['serves with --api-key=sk-abcdefghijkl'] }),
  };
  const origins = { version: 1, origins: [origin] };
  await writeFile(join(deps.studies.folder(study.id), 'origins.json'), JSON.stringify(origins));
  const path = join(await temporaryFolder(), 'table.csv');
  const written = valued(await reports.write({ request: requestOf({ format: 'csv-long' }), path }));
  expect(written.files.map((file) => file.path)).toEqual([path, `${path}.manifest.json`]);
  const text = await readFile(path, 'utf8');
  const { analysis } = valued(await deps.comparison.read(study.runs.map(({ id }) => ({ runId: id }))));
  const [row] = analysis.rows;
  const cell = row?.cells.find(({ metric }) => metric === 'pass@n');
  expect(text).toContain(
    `results,,${row?.configuration},,,,,pass@n,ours,,${cell?.value},${cell?.low},${cell?.high},rate,6,`,
  );
  const manifest = JSON.parse(await readFile(`${path}.manifest.json`, 'utf8'));
  expect(manifest).toMatchObject({
    version: 1,
    workbench: '1.2.3',
    source,
    command: `npm run -s cli -- export ${study.id} --format csv-long --out FILE`,
    files: [{ name: 'table.csv', sha256: sha256(Buffer.from(text)) }],
  });
  expect(manifest.origins).toMatchObject([
    { studyId: study.id, servers: [{ name: 'reader', provenance: { code: origin.provenance.code } }] },
  ]);
  expect(JSON.stringify(manifest)).not.toContain('sk-abc');
  expect(manifest.runs).toHaveLength(study.runs.length);
  for (const [at, run] of study.runs.entries()) {
    const journal = await readFile(deps.journal(study.id, run.id));
    expect(manifest.runs[at]).toMatchObject({
      runId: run.id,
      seed: run.seed,
      search:
        'MARS²-T, partial credit (AB-MCTS-A: Beta beliefs, agents by Thompson sampling, no depth guidance; answer: of the programs that pass the most public tests, the latest)',
      machines: ['local'],
      benchmark: { id: run.benchmarkId, problems: 6 },
      journal: { bytes: journal.length, sha256: sha256(journal) },
    });
  }
});

it('a manifest names the prompt formats of a run only where they are not the usual ones', async () => {
  const [first, ...others] = study.runs;
  if (first === undefined) throw new Error('The study has no run');
  const [agent, ...rest] = first.team.agents;
  if (agent === undefined) throw new Error('The run has no agent');
  const agents: Agent[] = [{ ...agent, promptFormat: { kind: 'bare' } }, ...rest];
  const changed = { ...study, runs: [{ ...first, team: { ...first.team, agents } }, ...others] };
  const { reports } = await reportProject([changed]);
  const path = join(await temporaryFolder(), 'table.csv');
  valued(await reports.write({ request: requestOf({ format: 'csv-long' }), path }));
  const { runs } = JSON.parse(await readFile(`${path}.manifest.json`, 'utf8'));
  expect(runs[0].promptFormats).toEqual(['bare', ...rest.map(() => 'workbench')]);
  for (const run of runs.slice(1)) expect(run).not.toHaveProperty('promptFormats');
});

it('the same journals in another folder give the same bytes, manifest included', async () => {
  const bytes: string[][] = [];
  for (let time = 0; time < 2; time++) {
    const { reports } = await reportProject([study]);
    const folder = await temporaryFolder();
    const own: string[] = [];
    for (const format of ['latex', 'json', 'svg', 'pdf', 'png'] as const) {
      const { files } = valued(
        await reports.write({ request: requestOf({ format }), path: join(folder, `one.${format}`) }),
      );
      for (const { path } of files) own.push(sha256(await readFile(path)));
    }
    bytes.push(own);
  }
  expect(bytes[0]).toEqual(bytes[1]);
});

it('"all" writes every part in every format, and the manifest names exactly those files', async () => {
  const { reports } = await reportProject([study]);
  const folder = join(await temporaryFolder(), 'deep', 'report');
  valued(await reports.write({ request: requestOf({ format: 'all' }), path: folder }));
  const parts = valued(await reports.parts(source));
  const tables = await readdir(join(folder, 'tables'));
  const figures = await readdir(join(folder, 'figures'));
  expect(tables).toHaveLength(parts.filter(({ kind }) => kind === 'table').length * 5);
  expect(figures).toHaveLength(parts.filter(({ kind }) => kind === 'figure').length * 8);
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
  const named = manifest.files.map(({ name }: { name: string }) => name).sort();
  expect(named).toEqual(
    [...tables.map((name) => `tables/${name}`), ...figures.map((name) => `figures/${name}`)].sort(),
  );
  for (const { name, sha256: digest } of manifest.files) {
    expect(sha256(await readFile(join(folder, name))), name).toBe(digest);
  }
});

it.each([
  ['tells an export apart from journals that were altered later, and from those that only got longer', {}],
  // What it says of journals goes by their SHA-256, as then.
  [
    'the same of an export of an earlier version, whose manifest has a digest of last lines',
    { lastLine: 'f' },
  ],
])('%s', async (_, earlier) => {
  const { reports, deps } = await reportProject([study]);
  const path = join(await temporaryFolder(), 'table.tex');
  valued(await reports.write({ request: requestOf({ format: 'latex' }), path }));
  expect(await readFile(path, 'utf8')).toContain(`problems of ${study.runs[0]?.benchmarkId}`);
  const manifest = JSON.parse(await readFile(`${path}.manifest.json`, 'utf8'));
  const { methods, runs } = structuredClone(manifest);
  for (const run of manifest.runs) Object.assign(run.journal, earlier);
  await writeFile(`${path}.manifest.json`, JSON.stringify(manifest));
  expect(methods[0]).toContain('percentile bootstrap');
  const [first, second] = study.runs;
  if (first === undefined || second === undefined) throw new Error('Two runs');
  const journal = deps.journal(study.id, first.id);
  const lines = (await readFile(journal, 'utf8')).split('\n');
  // All of it: the last lines of these journals are the same.
  const bytes = await readFile(journal);
  expect(runs[0].journal).toEqual({ bytes: bytes.length, sha256: sha256(bytes) });
  expect(new Set(runs.map((run: { journal: { sha256: string } }) => run.journal.sha256)).size).toBe(
    runs.length,
  );
  const check = async () => valued(await reports.check(path));
  expect((await check()).files).toEqual([{ name: 'table.tex', state: 'same' }]);
  expect(new Set((await check()).runs.map(({ state }) => state))).toEqual(new Set(['same']));

  await writeFile(journal, lines.with(0, lines[1] ?? '').join('\n'));
  await appendFile(deps.journal(study.id, second.id), '{}\n');
  await appendFile(path, '% 99.9');
  const changed = await check();
  expect(changed.files).toEqual([{ name: 'table.tex', state: 'altered' }]);
  expect(changed.runs.slice(0, 2)).toEqual([
    { runId: first.id, state: 'altered' },
    { runId: second.id, state: 'longer' },
  ]);
});

it('tells that a checkpoint is another one than when it answered, and reads no path that the study does not name', async () => {
  const { reports, deps } = await reportProject([study]);
  const folder = await temporaryFolder();
  const [checkpoint, secret] = [join(folder, 'last.json'), join(folder, 'secret.json')];
  for (const path of [checkpoint, secret]) await writeFile(path, 'weights');
  const weightsAt = (path: string) => ({
    ...{ name: path, path, revision: null },
    files: [{ name: basename(path), bytes: 7, changedAt: null, digest: sha256(Buffer.from('weights')) }],
  });
  const provenance = { ...sampleProvenance('job-1'), weights: [weightsAt(checkpoint)] };
  const origin = { at: '2026-01-05T09:30:00.000Z', workbench: '1.2.3', name: 'reader', address: null };
  const origins = [{ ...origin, machineId: 'local', jobId: 'job-1', provenance }];
  await writeFile(
    join(deps.studies.folder(study.id), 'origins.json'),
    JSON.stringify({ version: 1, origins }),
  );
  const path = join(folder, 'table.tex');
  valued(await reports.write({ request: requestOf({ format: 'latex' }), path }));
  const manifest = JSON.parse(await readFile(`${path}.manifest.json`, 'utf8'));
  manifest.origins[0].servers[0].provenance.weights.push(weightsAt(secret));
  await writeFile(`${path}.manifest.json`, JSON.stringify(manifest));
  const models = async () => valued(await reports.check(path)).models;
  expect(await models()).toEqual([{ path: checkpoint, state: 'same' }]);
  await writeFile(checkpoint, 'others');
  expect(await models()).toEqual([{ path: checkpoint, state: 'altered' }]);
  await rm(checkpoint);
  expect(await models()).toEqual([{ path: checkpoint, state: 'missing' }]);
  const noted = join(deps.studies.folder(study.id), 'origins.json');
  await writeFile(noted, '{');
  expect(valued(await reports.check(path)).unknown).toEqual([expect.stringContaining(`${noted} is damaged`)]);
  valued(await reports.write({ request: requestOf({ format: 'latex' }), path }));
  const { origins: now } = JSON.parse(await readFile(`${path}.manifest.json`, 'utf8'));
  expect(now).toEqual([{ studyId: study.id, servers: [], damage: expect.stringContaining(noted) }]);
});

it('a manifest from elsewhere has no file outside of its folder read', async () => {
  const { reports } = await reportProject([study]);
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'secret'), 'x');
  const path = join(folder, 'export', 'table.tex');
  await mkdir(join(folder, 'export'));
  valued(await reports.write({ request: requestOf({ format: 'latex' }), path }));
  const manifest = JSON.parse(await readFile(`${path}.manifest.json`, 'utf8'));
  manifest.files.push({ name: '../secret', bytes: 1, sha256: sha256(Buffer.from('x')) });
  await writeFile(`${path}.manifest.json`, JSON.stringify(manifest));
  expect(await reports.check(path)).toMatchObject({ ok: false, error: { code: 'bad-input' } });
});

it('of a damaged journal nothing is exported, and the refusal names its file and line', async () => {
  const { reports, deps } = await reportProject([study]);
  const journal = deps.journal(study.id, study.runs[0]?.id ?? '');
  const bytes = await readFile(journal);
  const at = bytes.indexOf(0x0a) + 30;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(journal, bytes);
  const path = join(await temporaryFolder(), 'x');
  const answers = [
    await reports.write({ request: requestOf({}), path }),
    await reports.write({ request: requestOf({ format: 'svg' }), path }),
    await reports.writeCsv({ studyId: study.id, kind: 'nodes', path }),
    await reports.bundleContents(source),
  ];
  // What was begun for the refusals ends before the folder goes.
  await deps.studies.analysis(study.id);
  for (const answer of answers) {
    expect(answer.ok ? '' : answer.error.message).toMatch(/^Nothing is exported: .* is damaged at line 2/);
  }
});

it('a CSV file has its manifest beside it, with the method that its rows do not repeat', async () => {
  const { reports } = await reportProject([study]);
  const path = join(await temporaryFolder(), 'table.csv');
  valued(await reports.writeCsv({ studyId: study.id, kind: 'table', path }));
  const text = await readFile(path, 'utf8');
  expect(text).not.toContain('bootstrap');
  const manifest = JSON.parse(await readFile(`${path}.manifest.json`, 'utf8'));
  expect(manifest).toMatchObject({
    files: [{ name: 'table.csv', sha256: sha256(Buffer.from(text)) }],
    methods: [expect.stringContaining('Clopper and Pearson')],
  });
});

it('the manifest of every file of several pocket families says what is built in, of one family not', async () => {
  const alone = {
    ...study,
    id: 'alone',
    runs: study.runs.slice(0, 1).map((run) => ({ ...run, id: 'alone.1' })),
  };
  const { reports } = await reportProject([study, alone]);
  const folder = await temporaryFolder();
  for (const kind of ['table', 'nodes', 'curves', 'marti'] as const) {
    const path = join(folder, kind);
    const limitsOf = async (studyId: string): Promise<unknown[]> => {
      valued(await reports.writeCsv({ studyId, kind, path }));
      const beside = kind === 'marti' ? join(path, 'manifest.json') : `${path}.manifest.json`;
      return JSON.parse(await readFile(beside, 'utf8')).limits;
    };
    expect((await limitsOf(study.id))[0], kind).toBe(COMPLEMENT_SENTENCE);
    expect(await limitsOf(alone.id), kind).toEqual([expect.stringContaining('pocket scale')]);
  }
});

it('pools runs under the labels that were given', async () => {
  const { reports } = await reportProject([study]);
  const path = join(await temporaryFolder(), 'table.csv');
  const runs = study.runs.map(({ id }) => ({ runId: id, label: 'everything' }));
  valued(await reports.write({ request: requestOf({ source: { kind: 'runs', runs } }), path }));
  const lines = (await readFile(path, 'utf8')).trim().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('everything');
});

it.each([
  [requestOf({ part: 'nothing' }), 'no table or figure "nothing" that can be written as csv'],
  [requestOf({ part: 'results', format: 'svg' }), 'no table or figure "results" that can be written as svg'],
  [requestOf({ source: { kind: 'study', studyId: 'gone' } }), 'There is no study gone'],
  [requestOf({ source: { kind: 'runs', runs: [{ runId: 'gone' }] } }), 'There is no run gone'],
])('refuses what does not exist', async (order, message) => {
  const { reports } = await reportProject([study]);
  const answer = await reports.write({ request: order, path: join(await temporaryFolder(), 'x') });
  expect(answer.ok ? '' : answer.error.message).toContain(message);
});

it('says what to do where it cannot write', async () => {
  const { reports } = await reportProject([study]);
  const answer = await reports.write({ request: requestOf({}), path: '/proc/none/table.csv' });
  expect(answer).toMatchObject({ ok: false, error: { code: 'bad-input' } });
});
