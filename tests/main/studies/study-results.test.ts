import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBenchmarkLibrary } from '../../../main/benchmarks';
import { openJournal, openRegistry, type Registry } from '../../../main/storage';
import { recoverStudies, studyFiles } from '../../../main/studies';
import type { ActiveStudy } from '../../../main/studies/active-study';
import {
  createStudyResults,
  type JournalsState,
  type StudyResults,
} from '../../../main/studies/study-results';
import {
  foldRun,
  type RunEvent,
  type RunView,
  type Study,
  type WorkbenchEvent,
} from '../../../preload/contract';
import { sampleEvents, sampleStudy } from '../../support/sample-study';
import { temporaryFolder } from '../../support/temporary-folder';

type Project = {
  readonly dataDir: string;
  readonly study: Study;
  readonly registry: Registry;
  readonly events: ReadonlyMap<string, readonly RunEvent[]>;
  readonly emitted: readonly WorkbenchEvent[];
  readonly logged: readonly string[];
  /** Studies whose journals show unfinished work. */
  readonly reopened: readonly string[];
  /** Studies whose journals are complete, other than the registry says. */
  readonly completed: readonly string[];
  readonly journal: (run: number) => string;
  /** As after a restart: nothing is in memory. */
  readonly archive: (active?: () => ActiveStudy | undefined, now?: () => number) => StudyResults;
};

/** A data folder with one finished study of three runs, its journals really written. */
async function openProject(): Promise<Project> {
  const dataDir = await temporaryFolder();
  const study = sampleStudy({ problems: 6, nodes: 5 });
  const logged: string[] = [];
  const files = studyFiles(dataDir, (what) => logged.push(what));
  const events = new Map<string, RunEvent[]>();
  for (const { runId, event } of sampleEvents(study)) {
    events.set(runId, [...(events.get(runId) ?? []), event]);
  }
  for (const [runId, list] of events) {
    const journal = await openJournal(files.journal(study.id, runId));
    if (!journal.ok) throw new Error(journal.error.message);
    await Promise.all(list.map(journal.value.append));
    await journal.value.close();
  }
  const registry = await openRegistry(join(dataDir, 'registry.json'));
  if (!registry.ok) throw new Error(registry.error.message);
  const record = {
    study,
    stopped: null,
    elapsedMs: 0,
    progress: null,
    finishedAt: '2026-01-06T00:00:00.000Z',
    removed: false,
  };
  await registry.value.update((data) => ({ ...data, studies: [record] }));
  const emitted: WorkbenchEvent[] = [];
  const reopened: string[] = [];
  const completed: string[] = [];
  return {
    dataDir,
    study,
    registry: registry.value,
    events,
    emitted,
    logged,
    reopened,
    completed,
    journal: (run) => files.journal(study.id, study.runs[run]?.id ?? ''),
    archive: (active = () => undefined, now = () => 0) => {
      const library = createBenchmarkLibrary({ dataDir, clock: now });
      const deps = { files, library, now, appVersion: '1', digest: (text: string) => text };
      const emit = (event: WorkbenchEvent): void => void emitted.push(event);
      const onDifference = (studyId: string, { finishedAt }: JournalsState): void => {
        if (finishedAt === null) reopened.push(studyId);
        else completed.push(studyId);
      };
      const archive = createStudyResults({
        registry: registry.value,
        deps,
        activeOf: active,
        emit,
        onDifference,
      });
      onTestFinished(() => archive.release());
      return archive;
    },
  };
}

async function valued<T>(
  result: Promise<{ ok: true; value: T } | { ok: false; error: { message: string } }>,
) {
  const answer = await result;
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value;
}

const both = async (archive: StudyResults, studyId: string) => ({
  outcomes: await valued(archive.outcomes(studyId)),
  analysis: await valued(archive.analysis(studyId)),
});

/** Puts other bytes of the same length and time in a journal's place: whoever opens it finds nothing. */
async function hideJournals({ study, journal }: Project): Promise<void> {
  for (const run of study.runs.keys()) {
    const { size, atime, mtime } = await stat(journal(run));
    await writeFile(journal(run), Buffer.alloc(size, 0x20));
    await utimes(journal(run), atime, mtime);
  }
}

describe('kept summaries', () => {
  it('give squares and table without opening a journal, the same as the journals gave', async () => {
    const it = await openProject();
    const fresh = await both(it.archive(), it.study.id);
    expect(fresh.outcomes.runs.map(({ outcomes }) => outcomes.length)).toEqual([6, 6, 6]);
    expect(fresh.analysis.rows).toHaveLength(3);
    await hideJournals(it);
    expect(await both(it.archive(), it.study.id)).toEqual(fresh);
  });

  it.each(['outcomes.json', 'analysis.json'])(
    'that lack or damaged their %s are made again',
    async (name) => {
      const it = await openProject();
      const fresh = await both(it.archive(), it.study.id);
      const path = join(it.dataDir, 'studies', it.study.id, name);
      const original = await readFile(path, 'utf8');
      // One digit of a number that a table shows, or that says where a problem is solved first.
      const changed = original.replace(/("value":0\.|"firstPassing":\[)\d/, '$17');
      expect(changed).not.toBe(original);
      for (const spoil of [
        () => rm(path),
        () => writeFile(path, original.slice(0, 200)),
        () => writeFile(path, changed),
        // As an earlier version wrote it.
        () => writeFile(path, changed.replace(/"sha256":"\w+",/, '')),
      ]) {
        await spoil();
        expect(await both(it.archive(), it.study.id)).toEqual(fresh);
        expect(await readFile(path, 'utf8')).toBe(original);
      }
      expect(it.logged).toEqual([
        expect.stringContaining(`${name} is made again from the journals: it is not JSON`),
        expect.stringContaining(
          `${name} is made again from the journals: its content does not match its checksum`,
        ),
      ]);
    },
  );

  it('of another version are made again', async () => {
    const it = await openProject();
    const fresh = await both(it.archive(), it.study.id);
    for (const name of ['outcomes.json', 'analysis.json']) {
      const path = join(it.dataDir, 'studies', it.study.id, name);
      const text = await readFile(path, 'utf8');
      await writeFile(
        path,
        text.replace(/"version":\d+/, '"version":0').replace('"method":"', '"method":"stale '),
      );
    }
    expect(await both(it.archive(), it.study.id)).toEqual(fresh);
  });

  it('are not served for journals that have grown, in this session or the next', async () => {
    const it = await openProject();
    const run = it.study.runs[0];
    const archive = it.archive();
    const before = await both(archive, it.study.id);
    const journal = await openJournal(it.journal(0));
    if (!journal.ok || run === undefined) throw new Error('no journal');
    const [problemId = ''] = run.problemIds;
    await journal.value.append({
      kind: 'node-graded',
      at: 0,
      problemId,
      part: 'search',
      index: 0,
      privateVerdict: 'sandbox-fault',
      privateVerdicts: ['sandbox-fault'],
    });
    await journal.value.close();
    const after = await both(archive, it.study.id);
    expect(after.analysis).not.toEqual(before.analysis);
    expect(await both(it.archive(), it.study.id)).toEqual(after);
  });

  it('are kept from the views of work that has ended, and equal what the journals give', async () => {
    const it = await openProject();
    const views = new Map<string, RunView>();
    for (const [runId, events] of it.events) {
      const view = foldRun(null, events);
      if (view !== null) views.set(runId, view);
    }
    await it.archive().save(it.study, views, { analysis: true });
    const archived = await both(it.archive(), it.study.id);
    for (const name of ['outcomes.json', 'analysis.json']) {
      await rm(join(it.dataDir, 'studies', it.study.id, name));
    }
    expect(await both(it.archive(), it.study.id)).toEqual(archived);
  });

  it('of work that ended before its journals were open are not kept', async () => {
    const it = await openProject();
    await it.archive().save(it.study, new Map(), { analysis: true });
    expect(await readdir(join(it.dataDir, 'studies', it.study.id))).toHaveLength(3);
  });

  it('where nothing can be written are made each time', async () => {
    const it = await openProject();
    const folder = join(it.dataDir, 'studies', it.study.id);
    for (const name of ['outcomes.json', 'analysis.json']) await mkdir(join(folder, `.${name}.tmp`));
    const fresh = await both(it.archive(), it.study.id);
    expect(await both(it.archive(), it.study.id)).toEqual(fresh);
  });
});

/** The study as it runs, with a share of its events. */
function runningStudy(it: Project): { readonly active: ActiveStudy; readonly grow: (share: number) => void } {
  let views = new Map<string, RunView>();
  const grow = (share: number): void => {
    views = new Map();
    for (const [runId, events] of it.events) {
      const view = foldRun(null, events.slice(0, Math.ceil(events.length * share)));
      if (view !== null) views.set(runId, view);
    }
  };
  const active: ActiveStudy = {
    study: it.study,
    state: () => ({ kind: 'running' }),
    views: () => views,
    waitsFor: () => [],
    setParallel: () => undefined,
    session: () => undefined,
    stop: () => undefined,
    ended: new Promise(() => undefined),
  };
  return { active, grow };
}

it('the table of a running study is as old as its own work takes, not as the search makes it wait', async () => {
  const it = await openProject();
  const { active, grow } = runningStudy(it);
  let nowMs = 0;
  // Each look at the clock finds some work done, each turn of the event loop a long time of the search's.
  const now = (): number => {
    nowMs += 3;
    return nowMs;
  };
  const archive = it.archive(() => active, now);
  let isOver = false;
  const searches = (): void => {
    nowMs += 1_000;
    if (!isOver) setImmediate(searches);
  };
  const problems = async (): Promise<readonly number[]> => {
    const { rows } = await valued(archive.analysis(it.study.id));
    return rows.map(({ cells }) => Math.max(0, ...cells.map((cell) => cell.problems)));
  };
  grow(0.4);
  setImmediate(searches);
  const early = await problems();
  isOver = true;
  const tookMs = nowMs;
  expect(archive.analysisIsDue(it.study.id)).toBe(false);
  grow(1);
  expect(await problems()).toEqual(early);
  nowMs += 4_000;
  expect(tookMs).toBeGreaterThan(nowMs - tookMs);
  expect(archive.analysisIsDue(it.study.id)).toBe(true);
  expect(await problems()).toEqual([6, 6, 6]);
});

it('squares of a running study come from its views, and only what changed is summed up again', async () => {
  const it = await openProject();
  const { active, grow } = runningStudy(it);
  const archive = it.archive(() => active);
  grow(0.4);
  const early = await valued(archive.outcomes(it.study.id));
  expect(early.runs[0]?.outcomes).toContain('waiting');
  grow(1);
  const late = await valued(archive.outcomes(it.study.id));
  const { outcomes } = await both(it.archive(), it.study.id);
  expect(late.runs.map((run) => run.outcomes)).toEqual(outcomes.runs.map((run) => run.outcomes));
});

describe('a study with a damaged journal', () => {
  const damage = async (it: Project): Promise<Buffer> => {
    const bytes = await readFile(it.journal(1));
    const line = bytes.indexOf('\n', Math.floor(bytes.length / 2)) + 1;
    bytes[line + 30] = 0;
    await writeFile(it.journal(1), bytes);
    return bytes;
  };

  it('is shown as far as it can be trusted, and its table says what is left out', async () => {
    const it = await openProject();
    const whole = await both(it.archive(), it.study.id);
    const bytes = await damage(it);
    const archive = it.archive();
    const { outcomes, analysis } = await both(archive, it.study.id);
    expect(outcomes.runs.map(({ problem }) => problem?.repairable)).toEqual([undefined, true, undefined]);
    expect(outcomes.runs[1]?.problem?.message).toContain(`${it.journal(1)} is damaged at line `);
    expect(outcomes.runs[0]).toEqual(whole.outcomes.runs[0]);
    expect(analysis.complete).toBe(false);
    expect(it.reopened).toEqual([]);
    expect(analysis.sentences[0]).toMatch(/^Part of the run homogeneous, seed 1 is missing/);
    const id = it.study.runs[1]?.id ?? '';
    expect((await valued(archive.runEvents(id))).length).toBeGreaterThan(5);
    await archive.runEvents(id);
    expect(it.emitted.filter(({ kind }) => kind === 'notice')).toHaveLength(1);
    expect(await readFile(it.journal(1))).toEqual(bytes);
  });

  it('can be repaired: the damaged file is kept, and the study continues with what was shown', async () => {
    const it = await openProject();
    const bytes = await damage(it);
    const archive = it.archive();
    const before = await both(archive, it.study.id);
    const id = it.study.runs[1]?.id ?? '';
    const repaired = await valued(archive.repair(id));
    expect(await readFile(repaired.movedTo)).toEqual(bytes);
    expect(repaired.lostLines).toBe(1);
    const after = await both(archive, it.study.id);
    expect(after.outcomes.runs[1]).toEqual({ ...before.outcomes.runs[1], problem: null });
    // What is missing can be searched again: the study counts as finished no more.
    expect(it.reopened).toContain(it.study.id);
    const again = await archive.repair(id);
    expect(again.ok ? '' : again.error.message).toContain('is not damaged');
  });

  it.each([
    ['', /(?!)/],
    [', by the summary of an earlier version, which has no checksum', /"sha256":"\w+",/],
  ])('is reported when a journal has lost its end, although every line of it is valid%s', async (_, seal) => {
    const it = await openProject();
    await both(it.archive(), it.study.id);
    const path = join(it.dataDir, 'studies', it.study.id, 'outcomes.json');
    await writeFile(path, (await readFile(path, 'utf8')).replace(seal, ''));
    const bytes = await readFile(it.journal(2));
    await writeFile(it.journal(2), bytes.subarray(0, bytes.lastIndexOf('\n', bytes.length - 2) + 1));
    const archive = it.archive();
    const { outcomes, analysis } = await both(archive, it.study.id);
    expect(outcomes.runs[2]?.problem).toMatchObject({
      message: expect.stringContaining('has lost its end'),
      repairable: false,
    });
    expect(it.reopened).toEqual([it.study.id]);
    expect(analysis.sentences[0]).toContain('Part of the run heterogeneous, seed 1 is missing');
    const { message } = outcomes.runs[2]?.problem ?? {};
    expect(await archive.repair(it.study.runs[2]?.id ?? '')).toMatchObject({ ok: false, error: { message } });
  });
});

describe('a study whose folder was moved away', () => {
  const folderOf = (it: Project): string => join(it.dataDir, 'studies', it.study.id);
  const away = (it: Project): Promise<void> => rename(folderOf(it), join(it.dataDir, 'away'));
  const back = (it: Project): Promise<void> => rename(join(it.dataDir, 'away'), folderOf(it));

  it.each<[string, (archive: StudyResults, study: Study) => Promise<{ readonly ok: boolean }>]>([
    ['outcomes', (archive, { id }) => archive.outcomes(id)],
    ['analysis', (archive, { id }) => archive.analysis(id)],
    ['events', (archive, { runs }) => archive.runEvents(runs[0]?.id ?? '')],
    ['table', (archive, { id }) => archive.exportCsv({ studyId: id, kind: 'table', path: '/nowhere/t.csv' })],
  ])('refuses its %s with the folder and what to do, and concludes nothing', async (_, read) => {
    const it = await openProject();
    await away(it);
    const refused = await read(it.archive(), it.study);
    expect(refused).toMatchObject({
      ok: false,
      error: {
        code: 'unavailable',
        message: expect.stringContaining(`its journals are not in ${folderOf(it)}`),
        hint: expect.stringContaining('Put the folder back'),
      },
    });
    expect([...it.reopened, ...it.completed]).toEqual([]);
  });

  it('is read as before when the folder is back', async () => {
    const it = await openProject();
    const archive = it.archive();
    const before = await both(archive, it.study.id);
    await away(it);
    expect((await archive.outcomes(it.study.id)).ok).toBe(false);
    await back(it);
    expect(await both(archive, it.study.id)).toEqual(before);
    expect([...it.reopened, ...it.completed]).toEqual([]);
  });

  it('counts as finished again where the registry had forgotten it', async () => {
    const it = await openProject();
    await it.registry.update((data) => ({
      ...data,
      studies: data.studies.map((record) => ({ ...record, finishedAt: null })),
    }));
    // With the analysis, which is written behind the outcomes, so that the folder is at rest when it is removed.
    await both(it.archive(), it.study.id);
    expect(it.completed).toEqual([it.study.id]);
  });
});

describe('studies that the registry does not know', () => {
  const forgotten = async (it: Project): Promise<Study[]> => {
    await it.registry.update((data) => ({ ...data, studies: [] }));
    const found = await recoverStudies({ registry: it.registry, files: studyFiles(it.dataDir) });
    expect(found.ok).toBe(true);
    return it.registry.read().studies.map(({ study }) => study);
  };

  it('are found again by their journals, with their runs in order', async () => {
    const it = await openProject();
    const [study] = await forgotten(it);
    expect(study?.runs.map(({ id }) => id).sort()).toEqual(it.study.runs.map(({ id }) => id).sort());
    expect(study).toMatchObject({ id: it.study.id, name: `Recovered (${it.study.id})` });
    const record = it.registry.read().studies[0];
    expect(record?.progress?.nodesDone).toBeGreaterThan(0);
    expect(record?.finishedAt).not.toBeNull();
    expect((await both(it.archive(), it.study.id)).analysis.rows).toHaveLength(3);
  });

  it('come back as they were where a summary was kept', async () => {
    const it = await openProject();
    await both(it.archive(), it.study.id);
    expect(await forgotten(it)).toEqual([it.study]);
  });

  it('are found once, and folders that hold none are passed over', async () => {
    const it = await openProject();
    await mkdir(join(it.dataDir, 'studies', 'empty'));
    await mkdir(join(it.dataDir, 'studies', 'other'));
    await writeFile(join(it.dataDir, 'studies', 'other', 'x.jsonl'), 'nothing\n');
    expect(await forgotten(it)).toHaveLength(1);
    const again = await recoverStudies({ registry: it.registry, files: studyFiles(it.dataDir) });
    expect(again).toEqual({ ok: true, value: [] });
  });

  it('are not those whose record a newer version wrote: it must not come back twice', async () => {
    const it = await openProject();
    const path = join(it.dataDir, 'registry.json');
    const file = JSON.parse(await readFile(path, 'utf8'));
    file.studies[0].stopped = 'asleep';
    await writeFile(path, JSON.stringify(file));
    const registry = await valued(openRegistry(path));
    expect(registry.unread).toHaveLength(1);
    const found = await recoverStudies({ registry, files: studyFiles(it.dataDir) });
    expect(found).toEqual({ ok: true, value: [] });
  });
});

it.each([
  ['table', 4],
  ['nodes', 3 * 6 * (5 + 4) + 1],
] as const)('the %s of a study is written as one file', async (kind, lines) => {
  const at = await openProject();
  const path = join(at.dataDir, `${kind}.csv`);
  const written = await valued(at.archive().exportCsv({ studyId: at.study.id, kind, path }));
  const text = await readFile(path, 'utf8');
  expect(written).toEqual({ path, rows: written.rows, bytes: Buffer.byteLength(text) });
  expect(text.trim().split('\n').length).toBeGreaterThanOrEqual(lines);
});

it('the scores for MARTI are two files in a folder, which is made', async () => {
  const at = await openProject();
  const path = join(at.dataDir, 'new', 'scores');
  await valued(at.archive().exportCsv({ studyId: at.study.id, kind: 'marti', path }));
  expect(await readdir(path)).toEqual(['all_private_scores.csv', 'all_public_scores.csv']);
});

describe('the files of a study', () => {
  it('outlive a restore that was not needed', async () => {
    const it = await openProject();
    const files = studyFiles(it.dataDir);
    const before = await readFile(it.journal(0));
    await files.restore(it.study);
    expect(await readFile(it.journal(0))).toEqual(before);
  });

  it('are put aside, not deleted, where others take their place', async () => {
    const it = await openProject();
    const files = studyFiles(it.dataDir);
    await files.discard(it.study);
    await mkdir(files.folder(it.study.id), { recursive: true });
    await writeFile(it.journal(0), 'newer');
    await files.restore(it.study);
    expect(
      await readFile(join(`${files.folder(it.study.id)}.earlier-1`, `${it.study.runs[0]?.id}.jsonl`), 'utf8'),
    ).toBe('newer');
  });
});
