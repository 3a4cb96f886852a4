import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type BenchmarkLibrary, createBenchmarkLibrary } from '../../../main/benchmarks';
import { analyseStudy } from '../../../main/metrics';
import { openJournal, openRegistry, type Registry, type StudyRecord, sealed } from '../../../main/storage';
import { createRunComparison, type RunComparisons, studyFiles } from '../../../main/studies';
import type { ActiveStudy } from '../../../main/studies/active-study';
import type { ComputationProgress } from '../../../main/studies/shared-computation';
import { createStudyResults, type StudyResults } from '../../../main/studies/study-results';
import {
  type ComparedRuns,
  foldRun,
  type RunComparison,
  type RunEvent,
  type RunView,
  runComparisonSchema,
  type Study,
} from '../../../preload/contract';
import { sampleEvents, sampleStudy } from '../../support/sample-study';
import { temporaryFolder } from '../../support/temporary-folder';

type Lab = {
  readonly dataDir: string;
  readonly studies: readonly Study[];
  readonly views: ReadonlyMap<string, RunView>;
  readonly journalOf: (runId: string) => string;
  readonly registry: Registry;
  /** As after a restart: nothing is in memory. */
  readonly open: (
    active?: (studyId: string) => ActiveStudy | undefined,
    date?: string | null,
    logged?: string[],
  ) => {
    readonly comparison: RunComparisons;
    readonly archive: StudyResults;
  };
};

type Outline = Awaited<ReturnType<BenchmarkLibrary['outline']>>;

/** Pocket problems have no date. */
function withDate(outline: Outline, date: string | null): Outline {
  if (!outline.ok) return outline;
  return { ok: true, value: outline.value.map((problem) => ({ ...problem, date })) };
}

/**
 * A data folder with these studies finished, their journals really written, over a pocket benchmark that is there; that
 * of the study "away" is not.
 */
async function labWith(...made: readonly Study[]): Promise<Lab> {
  const dataDir = await temporaryFolder();
  const library = createBenchmarkLibrary({ dataDir, clock: () => 0 });
  const benchmark = await library.ensurePocket({ split: 'test', seed: 1, count: 6 });
  if (!benchmark.ok) throw new Error(benchmark.error.message);
  const outline = await library.outline(benchmark.value.id);
  if (!outline.ok) throw new Error(outline.error.message);
  const problemIds = outline.value.map(({ id }) => id);
  const { id: benchmarkId, digest: benchmarkDigest } = benchmark.value;
  const studies = made.map((study) => ({
    ...study,
    runs: study.runs.map((run) => ({
      ...run,
      ...(study.id === 'away'
        ? { benchmarkId: 'elsewhere', benchmarkDigest: 'f'.repeat(64) }
        : { benchmarkId, benchmarkDigest }),
      problemIds,
    })),
  }));
  const files = studyFiles(dataDir);
  const views = new Map<string, RunView>();
  const journals = new Map<string, string>();
  for (const study of studies) {
    const events = new Map<string, RunEvent[]>();
    for (const { runId, event } of sampleEvents(study))
      events.set(runId, [...(events.get(runId) ?? []), event]);
    for (const [runId, list] of events) {
      journals.set(runId, files.journal(study.id, runId));
      const journal = await openJournal(files.journal(study.id, runId));
      if (!journal.ok) throw new Error(journal.error.message);
      await Promise.all(list.map(journal.value.append));
      await journal.value.close();
      views.set(runId, foldRun(null, list) as RunView);
    }
  }
  const registry = await openRegistry(join(dataDir, 'registry.json'));
  if (!registry.ok) throw new Error(registry.error.message);
  const record = { stopped: null, elapsedMs: 0, progress: null, finishedAt: null, removed: false };
  await registry.value.update((data) => ({
    ...data,
    studies: studies.map((study): StudyRecord => ({ study, ...record })),
  }));
  return {
    dataDir,
    studies,
    views,
    journalOf: (runId) => journals.get(runId) ?? '',
    registry: registry.value,
    open: (activeOf = () => undefined, date = null, logged = []) => {
      const files = studyFiles(dataDir, (what) => logged.push(what));
      const deps = { files, library, now: () => 0, appVersion: '1', digest: (text: string) => text };
      const archive = createStudyResults({ registry: registry.value, deps, activeOf });
      onTestFinished(() => archive.release());
      const checkpoints = {
        ensure: async () => ({
          ok: false as const,
          error: { code: 'unavailable' as const, message: 'None here.' },
        }),
      };
      return {
        archive,
        comparison: createRunComparison({
          registry: registry.value,
          results: archive,
          library: { ...library, outline: async (id) => withDate(await library.outline(id), date) },
          checkpoints,
        }),
      };
    },
  };
}

const all = ({ studies }: Lab): ComparedRuns =>
  studies.flatMap(({ runs }) => runs.map(({ id }) => ({ runId: id })));

async function read(comparison: RunComparisons, runs: ComparedRuns): Promise<RunComparison> {
  const answer = await comparison.read(runs);
  if (!answer.ok) throw new Error(answer.error.message);
  expect(runComparisonSchema.parse(answer.value)).toEqual(answer.value);
  return answer.value;
}

/** Other bytes of the same length and time in a journal's place: whoever opens it finds nothing. */
async function hide(path: string): Promise<void> {
  const { size, atime, mtime } = await stat(path);
  await writeFile(path, Buffer.alloc(size, 0x20));
  await utimes(path, atime, mtime);
}

const one = sampleStudy({ id: 'one', name: 'Monday', nodes: 5 });
const two = sampleStudy({ id: 'two', name: 'Tuesday', nodes: 5, seeds: [2, 3] });

describe('a comparison of runs', () => {
  it('of one study has that study’s table, and where each tree is', async () => {
    const lab = await labWith(one);
    const { comparison, archive } = lab.open();
    const compared = await read(comparison, all(lab));
    const studied = await archive.analysis('one');
    if (!studied.ok) throw new Error(studied.error.message);
    expect(compared.configurations).toEqual(['single', 'homogeneous', 'heterogeneous']);
    expect(compared.analysis.rows).toEqual(studied.value.rows);
    expect(compared.analysis.pairs).toEqual(studied.value.pairs);
    expect(compared.analysis.breakdowns).toEqual(studied.value.breakdowns);
    expect(compared.analysis.complete).toBe(true);
    expect(compared.solves.problems).toHaveLength(6);
    expect(compared.solves.problems[0]?.title).not.toBe(compared.solves.problems[0]?.problemId);
    expect(compared.solves.problems[0]?.cells.map((cell) => cell?.runRef)).toEqual(
      one.runs.map(({ id }) => ({ studyId: 'one', runId: id })),
    );
  });

  it('says how many runs are read, then how much is worked out, to the last piece', async () => {
    const lab = await labWith(one, two);
    const reports: ComputationProgress[] = [];
    await lab.open().comparison.read(all(lab), { progress: (progress) => reports.push(progress) });
    const runs = reports.filter(({ unit }) => unit === 'runs');
    expect(runs.map(({ done, total }) => [done, total])).toEqual(
      Array.from({ length: 9 }, (_, i) => [i + 1, 9]),
    );
    const steps = reports.slice(runs.length);
    expect(steps.map(({ done }) => done)).toEqual(steps.map((_, i) => i + 1));
    expect(steps.at(-1)).toMatchObject({
      activity: 'computing differences and intervals',
      done: steps.length,
    });
    expect(steps.at(-1)?.total).toBe(steps.length);
  });

  it('can be called off while it reads, and made afterwards', async () => {
    const lab = await labWith(one, two);
    const { comparison } = lab.open();
    const stopping = new AbortController();
    const reports: ComputationProgress[] = [];
    const off = await comparison.read(all(lab), {
      signal: stopping.signal,
      progress: (progress) => {
        reports.push(progress);
        if (progress.done === 2) stopping.abort();
      },
    });
    expect(off).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect((await read(comparison, all(lab))).configurations).toHaveLength(6);
    expect(reports.every(({ done }) => done <= 2)).toBe(true);
  });

  it('of two studies with equal names of configurations adds the names of the studies', async () => {
    const lab = await labWith(one, two);
    const { configurations, analysis } = await read(lab.open().comparison, all(lab));
    expect(configurations).toEqual([
      'single (Monday)',
      'homogeneous (Monday)',
      'heterogeneous (Monday)',
      'single (Tuesday)',
      'homogeneous (Tuesday)',
      'heterogeneous (Tuesday)',
    ]);
    expect(analysis.rows.map(({ seeds }) => seeds)).toEqual([[1], [1], [1], [2, 3], [2, 3], [2, 3]]);
  });

  it('pools runs of several studies under one label, as one study of all these seeds would', async () => {
    const lab = await labWith(one, two);
    const chosen = lab.studies.flatMap(({ runs }) =>
      runs
        .filter(({ configuration }) => configuration === 'single')
        .map(({ id }) => ({ runId: id, label: 'alone' })),
    );
    const { analysis, solves } = await read(lab.open().comparison, chosen);
    const views = chosen.map(({ runId }) => {
      const view = lab.views.get(runId) as RunView;
      return { ...view, config: { ...view.config, configuration: 'alone' } };
    });
    const pooled = analyseStudy({ studyId: 'comparison', runs: views, complete: true, seed: 20_260_101 });
    expect(analysis.rows).toEqual(pooled.rows);
    expect(analysis.rows[0]?.seeds).toEqual([1, 2, 3]);
    // The tree to look at is that of the first seed.
    expect(solves.problems[0]?.cells[0]?.runRef).toEqual({ studyId: 'one', runId: one.runs[0]?.id });
  });

  it('is made from the caches next to the journals, in this session and the next, without opening one', async () => {
    const lab = await labWith(one, two);
    const fresh = await read(lab.open().comparison, all(lab));
    for (const { runId } of all(lab)) await hide(lab.journalOf(runId));
    expect(await read(lab.open().comparison, all(lab))).toEqual(fresh);
  });

  it('needs no journal either where a study has kept its views as it ended', async () => {
    const lab = await labWith(one);
    const { archive } = lab.open();
    const [study] = lab.studies;
    if (study === undefined) throw new Error('There is a study');
    await archive.save(study, lab.views, { analysis: true });
    for (const { runId } of all(lab)) await hide(lab.journalOf(runId));
    const { analysis } = await read(lab.open().comparison, all(lab));
    expect(analysis.rows.map(({ seeds }) => seeds)).toEqual([[1], [1], [1]]);
  });

  it('is made from the journals again where what is kept is damaged, gone or of a journal that has grown', async () => {
    const lab = await labWith(one);
    const fresh = await read(lab.open().comparison, all(lab));
    const folder = join(lab.dataDir, 'studies', 'one');
    const cachedViews = (await readdir(folder)).filter((name) => name.endsWith('.view.json'));
    expect(cachedViews).toHaveLength(3);
    await writeFile(join(folder, cachedViews[0] ?? ''), '{"version":1');
    await rm(join(folder, cachedViews[1] ?? ''));
    const third = await readFile(join(folder, cachedViews[2] ?? ''), 'utf8');
    const { sha256: _, ...grown } = JSON.parse(
      third.replace(/"bytes":\d+/, '"bytes":1').replaceAll('"p', '"w'),
    );
    await writeFile(join(folder, cachedViews[2] ?? ''), JSON.stringify(sealed(grown)));
    expect(await read(lab.open().comparison, all(lab))).toEqual(fresh);
  });

  it('is made from the journals again where one byte of a view has changed, which the log says, or it has no checksum', async () => {
    const lab = await labWith(one);
    const fresh = await read(lab.open().comparison, all(lab));
    const path = lab.journalOf(one.runs[0]?.id ?? '').replace('.jsonl', '.view.json');
    const whole = await readFile(path, 'utf8');
    const at = whole.indexOf('w', whole.indexOf('"private')); // of "wwwp": one program more passes
    expect(at).toBeGreaterThan(0);
    const changed = `${whole.slice(0, at)}p${whole.slice(at + 1)}`;
    const { sha256: _, ...content } = JSON.parse(changed);
    const logged: string[] = [];
    for (const text of [changed, JSON.stringify(content)]) {
      await writeFile(path, text);
      expect(await read(lab.open(undefined, null, logged).comparison, all(lab))).toEqual(fresh);
      expect(await readFile(path, 'utf8')).toBe(whole);
    }
    expect(logged).toEqual([
      `${path} is made again from the journals: its content does not match its checksum.`,
    ]);
  });

  it('names a journal with one flipped bit, one that lost its end and one that is gone, and what to do', async () => {
    const lab = await labWith(one);
    expect((await read(lab.open().comparison, all(lab))).cautions).toEqual([]);
    const [first = '', second = '', third = ''] = one.runs.map(({ id }) => lab.journalOf(id));
    const bytes = await readFile(first);
    const at = bytes.indexOf('\n', Math.floor(bytes.length / 2)) + 30;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    await writeFile(first, bytes);
    const lines = (await readFile(second, 'utf8')).split('\n');
    await writeFile(second, lines.toSpliced(-2, 1).join('\n'));
    await rm(third);
    for (const _ of ['first', 'again']) {
      const { cautions, analysis } = await read(lab.open().comparison, all(lab));
      expect(cautions).toEqual([
        expect.stringMatching(
          /^Part of the run single, seed 1 is missing. .* is damaged at line \d+: its checksum is wrong.* or repair it/,
        ),
        expect.stringMatching(/^Part of the run homogeneous, seed 1 is missing. .* has lost its end/),
        expect.stringMatching(
          /^Part of the run heterogeneous, seed 1 is missing. .* has 0 bytes and had \d+/,
        ),
      ]);
      expect(analysis.complete).toBe(false);
    }
    // Of nothing but damage it is refused with it.
    expect(await lab.open().comparison.read([{ runId: one.runs[2]?.id ?? '' }])).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringContaining(`${third} has lost its end`) },
    });
  });

  it('counts the seeds that the page of the study counts, and names the one that it leaves out', async () => {
    const lab = await labWith(
      sampleStudy({ id: 'one', name: 'Monday', problems: 6, nodes: 6, seeds: [1, 2] }),
    );
    const run = lab.studies[0]?.runs.find(({ seed }) => seed === 2);
    const path = lab.journalOf(run?.id ?? '');
    const lines = (await readFile(path, 'utf8')).split('\n');
    await writeFile(path, `${lines.slice(0, lines.length * 0.7).join('\n')}\n`);
    const { archive, comparison } = lab.open();
    const page = await archive.analysis('one');
    const { analysis, cautions } = await read(comparison, all(lab));
    const shown = ({ rows }: Pick<RunComparison['analysis'], 'rows'>) =>
      rows.map(({ configuration, cells, seeds }) => [configuration, seeds, cells]);
    expect(page.ok && shown(page.value)).toEqual(shown(analysis));
    expect(analysis.complete).toBe(false);
    expect(cautions).toContain(
      `The run ${run?.configuration}, seed 2 has not finished, so it is left out: other seeds of its configuration have.`,
    );
  });

  it('says that the noise of the grader is left out where the result of the last regrade is damaged', async () => {
    const lab = await labWith(one);
    const { archive, comparison } = lab.open();
    const [study] = lab.studies;
    if (study === undefined) throw new Error('There is a study');
    const runs = study.runs.map(({ id }) => ({ runId: id, graded: 40 }));
    await archive.saveRegrade(study, { graded: 120, changed: [], faults: 0, runs });
    const noisy = await read(comparison, all(lab));
    expect(noisy.analysis.rows[0]?.cells[0]?.graderNoise).toMatchObject({ changed: 0 });
    const path = join(lab.dataDir, 'studies', 'one', 'regrade.json');
    await writeFile(path, (await readFile(path, 'utf8')).replace('120', '121'));
    const { cautions, analysis } = await read(lab.open().comparison, all(lab));
    expect(cautions).toEqual([expect.stringContaining('of "Monday" (its regrade.json) is damaged')]);
    expect(analysis.rows[0]?.cells[0]).not.toHaveProperty('graderNoise');
  });

  it('of a study that runs follows its views', async () => {
    const lab = await labWith(one);
    let views: ReadonlyMap<string, RunView> = new Map();
    const active = { views: () => views, state: () => ({ kind: 'running' }), session: () => undefined };
    const { comparison } = lab.open(() => active as unknown as ActiveStudy);
    const nothing = await comparison.read(all(lab));
    expect(nothing.ok ? null : nothing.error.message).toMatch(
      /^None of these runs has searched anything yet/,
    );
    const [first] = one.runs;
    views = new Map([[first?.id ?? '', lab.views.get(first?.id ?? '') as RunView]]);
    const { cautions, configurations, analysis } = await read(comparison, all(lab));
    expect(configurations).toEqual(['single']);
    expect(cautions).toEqual([
      'The run homogeneous, seed 1 has not searched anything yet, so it is left out.',
      'The run heterogeneous, seed 1 has not searched anything yet, so it is left out.',
    ]);
    expect(analysis.complete).toBe(false);
  });

  it('keeps problems of two benchmarks with equal names separate', async () => {
    // It counts its problems from 0 as well.
    const lab = await labWith(one, sampleStudy({ id: 'away', nodes: 5 }));
    const { comparison } = lab.open();
    const { solves, cautions, analysis } = await read(comparison, all(lab));
    expect(solves.problems).toHaveLength(12);
    expect(new Set(solves.problems.map(({ benchmarkId }) => benchmarkId)).size).toBe(2);
    expect(solves.problems.every(({ cells }) => cells.filter((cell) => cell === null).length === 3)).toBe(
      true,
    );
    expect(cautions).toContain(
      'No problem is shared by all configurations, so they cannot all be compared with each other. Differences are of pairs that share problems, each over these.',
    );
    // Three pairs of each study, over its own six problems; no letters, which would speak of pairs that were not tested.
    const tested = analysis.pairs.filter(({ metric }) => metric === 'pass@n');
    const names = analysis.rows.map(({ configuration }) => configuration);
    const [a, b, c, d, e, f] = names;
    const pairs = [
      [b, a],
      [c, a],
      [c, b],
      [e, d],
      [f, d],
      [f, e],
    ];
    expect(tested.map(({ first, second, problems }) => [first, second, problems])).toEqual(
      pairs.map((pair) => [...pair, 6]),
    );
    expect(analysis.groupings).toEqual([]);
  });

  it('reports the grader noise that the last regrade has measured, until the journals change', async () => {
    const lab = await labWith(one);
    const { comparison, archive } = lab.open();
    const [study] = lab.studies;
    const [run] = one.runs;
    if (study === undefined || run === undefined) throw new Error('There is a study');
    const before = await read(comparison, all(lab));
    await archive.saveRegrade(study, {
      graded: 9,
      changed: [],
      faults: 0,
      runs: [{ runId: run.id, graded: 9 }],
    });
    const noisy = await read(comparison, all(lab));
    const [cell] = noisy.analysis.rows[0]?.cells ?? [];
    expect(cell?.graderNoise).toEqual({ graded: 9, changed: 0, shift: 0 });
    expect(noisy.analysis.rows[1]).toEqual(before.analysis.rows[1]);
    const journal = lab.journalOf(run.id);
    await writeFile(journal, `${await readFile(journal, 'utf8')}torn`);
    const changed = await read(comparison, all(lab));
    expect(changed.analysis.rows[0]?.cells.every((one) => one.graderNoise === undefined)).toBe(true);
  });

  it('has results before and after the cut-off that the settings have now, where problems have dates', async () => {
    const lab = await labWith(one);
    const { comparison } = lab.open(undefined, '2025-01-10');
    const model = one.runs[0]?.team.servers[0]?.model ?? '';
    const sides = async (cutoff: string) => {
      await lab.registry.update((data) => ({
        ...data,
        settings: { ...data.settings, modelCutoffs: { [model]: cutoff } },
      }));
      const { parts } = (await read(comparison, all(lab))).cutoffs[0] ?? { parts: [] };
      return [parts[0]?.before?.problems, parts[0]?.after?.problems];
    };
    expect((await read(comparison, all(lab))).cutoffs[0]).toMatchObject({ cutoff: null, parts: [] });
    expect(await sides('2025-01')).toEqual([6, undefined]);
    expect(await sides('2025-01-09')).toEqual([undefined, 6]);
    expect((await read(lab.open().comparison, all(lab))).cutoffs).toEqual([]);
  });

  it('of an absent run is refused, and one that is named twice counts once', async () => {
    const lab = await labWith(one);
    const { comparison } = lab.open();
    const refused = await comparison.read([{ runId: 'nowhere' }]);
    expect(refused).toMatchObject({
      ok: false,
      error: { code: 'not-found', message: 'There is no study or run nowhere.' },
    });
    const [run] = one.runs;
    const twice = await read(comparison, [{ runId: run?.id ?? '' }, { runId: run?.id ?? '' }]);
    expect(twice.analysis.rows.map(({ seeds }) => seeds)).toEqual([[1]]);
  });
});

it('views of chosen runs come in their order, under their labels', async () => {
  const lab = await labWith(one, two);
  const ids = [two.runs[1]?.id ?? '', one.runs[0]?.id ?? ''];
  const read = await lab
    .open()
    .comparison.viewsOf([{ runId: ids[0] ?? '', label: 'x' }, { runId: ids[1] ?? '' }]);
  if (!read.ok) throw new Error(read.error.message);
  const { views } = read.value;
  expect(views.map(({ studyId, view }) => [studyId, view.config.id, view.config.configuration])).toEqual([
    ['two', ids[0], 'x'],
    ['one', ids[1], 'single'],
  ]);
  expect(views[1]?.view.trees).toEqual(lab.views.get(ids[1] ?? '')?.trees);
});

it('diversity of chosen runs is over their own trees, under their labels', async () => {
  const lab = await labWith(one, two);
  const shares: number[] = [];
  const measured = await lab
    .open()
    .comparison.diversity(
      [{ runId: one.runs[0]?.id ?? '', label: 'alone' }, { runId: two.runs[5]?.id ?? '' }],
      {
        judge: { kind: 'structure' },
        similarity: { kind: 'tokens' },
        signal: new AbortController().signal,
        progress: (done, total) => shares.push(done / total),
      },
    );
  if (!measured.ok) throw new Error(measured.error.message);
  expect([...new Set(measured.value.cells.map(({ configuration }) => configuration))]).toEqual([
    'alone',
    'heterogeneous',
  ]);
  expect(shares.at(-1)).toBe(1);
});

it('diversity of runs of two benchmarks reads the programs of each problem under its own name', async () => {
  const lab = await labWith(one, sampleStudy({ id: 'away', nodes: 5 }));
  const { comparison, archive } = lab.open();
  const chosen = lab.studies.map(({ runs }) => ({ runId: runs[0]?.id ?? '' }));
  const reads = await Promise.all(
    chosen.map(async ({ runId }) => {
      const journal = await archive.journal(runId);
      if (!journal.ok || journal.value === null) throw new Error('There is a journal');
      return vi.spyOn(journal.value, 'treeEvents');
    }),
  );
  await comparison.diversity(chosen, {
    judge: { kind: 'structure' },
    similarity: { kind: 'tokens' },
    signal: new AbortController().signal,
    progress: () => undefined,
  });
  const ids = lab.studies[0]?.runs[0]?.problemIds ?? [];
  for (const read of reads) expect(read.mock.calls.map(([problemId]) => problemId)).toEqual(ids);
});
