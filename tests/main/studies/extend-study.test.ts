import { appendFile, cp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ok, orThrow } from '../../../main/base';
import { tableText } from '../../../main/cli/report';
import { printedTable } from '../../../main/reports/logic/printed-table';
import { resultsTable } from '../../../main/reports/logic/results-table';
import { textDigest } from '../../../main/storage';
import {
  extendedStudy,
  newStudy,
  recoverStudies,
  studyFiles,
  takenBack,
  verifyStudy,
} from '../../../main/studies';
import {
  chosenProblems,
  extensionText,
  heterogeneousTeam,
  launchServer,
  looksSentence,
  PLAIN_SEARCH,
  type Refusal,
  type Scale,
  type SearchOptions,
  type ServerSpec,
  type Study,
  type StudyExtension,
  singleTeam,
  teamOfMembers,
  urlServer,
} from '../../../preload/contract';
import { eventually } from '../../support/eventually';
import { qualityGrader } from '../../support/search-fixture';
import { openStudyBench, recordedServer } from '../../support/study-bench';
import { makeTemporaryFolder } from '../../support/temporary-folder';

let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
beforeEach(async () => {
  folder = await makeTemporaryFolder();
});
afterEach(() => folder.dispose());

const AT = '2026-01-05T09:30:00.000Z';
const SEARCH: SearchOptions = {
  ...PLAIN_SEARCH,
  strategy: { kind: 'ab-mcts-a', beliefs: 'beta', selection: 'thompson', depthGuidance: null },
  nodes: 4,
  batch: 1,
  score: 'fraction',
  tie: 'latest',
  samplesPerAgent: 1,
};
const single = { configuration: 'single', team: singleTeam(recordedServer()) };
const refining = {
  configuration: 'refining',
  team: singleTeam(recordedServer()),
  search: { strategy: { kind: 'refine' } },
} as const;
const scaleContext = { launchScale: () => 'own' as const, arePapers: () => false, deskModel: () => null };
const EXTENSION = { seeds: [2, 3], problems: 5, nodes: 9, configurations: [refining] };

type Lab = Awaited<ReturnType<typeof openLab>>;

async function openLab(dataDir?: string, gate?: () => Promise<void>, isReachable = () => true) {
  return openStudyBench({
    folder: folder.path,
    isReachable: (server) => server.kind !== 'url' || isReachable(),
    ...(dataDir === undefined ? {} : { dataDir }),
    ...(gate === undefined ? {} : { gate }),
    openGrader: async () => ok(qualityGrader),
    answer: ({ problemId, ordinal, seed }) => `# ${problemId} ${ordinal}\nprint(${seed % 4})\n`,
    problems: 6,
    nodes: 4,
  });
}

async function contextOf({ library, benchmark }: Lab) {
  const problems = orThrow(await library.outline(benchmark.id));
  return { benchmark, problems, at: AT, ...scaleContext };
}

/** The small study, or the one that it is after the extension. */
async function planned(
  lab: Lab,
  size: 'small' | 'whole',
  search: Partial<SearchOptions> = {},
): Promise<Study> {
  const { benchmark, problems } = await contextOf(lab);
  const isWhole = size === 'whole';
  const request = {
    ...{ name: 'Study', benchmarkId: benchmark.id, problems: isWhole ? 5 : 2 },
    ...{ includeExcluded: false, needsPublicTests: false },
    configurations: isWhole ? [single, refining] : [single],
    seeds: isWhole ? [1, 2, 3] : [1],
    search: { ...SEARCH, nodes: isWhole ? 9 : 4, ...search },
  };
  const problemIds = chosenProblems(request, benchmark, problems);
  const context = { studyId: 'one', createdAt: '', benchmark, problemIds, ...scaleContext };
  return newStudy(request, context);
}

async function extend(lab: Lab, request: Parameters<typeof extendedStudy>[1] = EXTENSION, apply = true) {
  const context = await contextOf(lab);
  return lab.studies.extend(
    'one',
    (study, facts) => extendedStudy(study, request, { ...context, ...facts }),
    {
      apply,
    },
  );
}

/** An extension has stopped it, for which it waits behind its gate: opened before, it could end without the extension. */
const stopping = (lab: Lab) => eventually('it to stop', () => lab.stateOf('one')?.kind === 'pausing');

async function finish(lab: Lab): Promise<void> {
  orThrow(await lab.studies.start('one'));
  await lab.ended('one');
}

async function exportsOf(lab: Lab): Promise<string[]> {
  const all: string[] = [];
  for (const kind of ['nodes', 'table', 'curves', 'breakdowns'] as const)
    all.push(await lab.nodesCsv('one', kind));
  return all;
}

async function openFinished(
  size: 'small' | 'whole' = 'small',
  search: Partial<SearchOptions> = {},
  gate?: () => Promise<void>,
  isReachable?: () => boolean,
): Promise<Lab> {
  const lab = await openLab(undefined, gate, isReachable);
  orThrow(await lab.studies.add(await planned(lab, size, search)));
  await finish(lab);
  return lab;
}

const journalOf = (lab: Lab, run: string): Promise<Buffer> =>
  readFile(join(lab.dataDir, 'studies', 'one', `${run}.jsonl`));

test('an extended study is to the byte the one that was planned so, and its journals are only appended to', async () => {
  const whole = await openFinished('whole');
  const expected = await exportsOf(whole);

  const lab = await openFinished();
  const before = await journalOf(lab, 'one.0.1');
  const { programs } = orThrow(await extend(lab));
  expect(lab.studies.list()[0]).toMatchObject({
    state: { kind: 'paused' },
    finishedAt: null,
    progress: { nodesDone: 10, gradedDone: 10, problemsDone: 0, nodesTotal: 10 + programs },
  });
  expect(await journalOf(lab, 'one.0.1')).toEqual(before);
  await finish(lab);
  expect(await exportsOf(lab)).toEqual(expected);
  expect((await journalOf(lab, 'one.0.1')).subarray(0, before.length)).toEqual(before);
  expect(lab.studies.list()[0]?.progress).toMatchObject({
    nodesDone: 10 + programs,
    nodesTotal: 10 + programs,
  });

  const study = orThrow(lab.studies.results.study('one'));
  expect(study.runs).toEqual((await planned(whole, 'whole')).runs);
  const verified = await verifyStudy({
    study,
    journalOf: lab.studies.results.journal,
    digest: textDigest,
    onProgress: () => undefined,
    signal: { aborted: false },
  });
  expect(verified).toMatchObject({ ok: true, value: { nodes: 10 + programs, mismatches: [] } });
  await lab.studies.close();
  await whole.studies.close();
});

test('its analysis says since when it was looked at, and a plan that was never run was not', async () => {
  const lab = await openFinished();
  await extend(lab, { seeds: [2] });
  await finish(lab);
  await extend(lab, { problems: 3 });
  await finish(lab);
  const analysis = orThrow(await lab.studies.results.analysis('one'));
  const { sentences, chips, method, looks } = analysis;
  expect(tableText(analysis, false)).toContain('[95 % interval after looking 3 times]');
  expect(printedTable(resultsTable(analysis, [])).caption).toContain('Intervals after looking 3 times');
  expect(looks).toBe(3);
  expect(sentences.at(-1)).toContain('(2026-01-05: 1 seed (2); 2026-01-05: 1 problem)');
  expect(chips).toHaveLength(sentences.length);
  expect(method).toContain('Intervals after looking 3 times');
  await lab.studies.close();

  const fresh = await openLab();
  orThrow(await fresh.studies.add(await planned(fresh, 'small')));
  orThrow(await extend(fresh));
  expect(fresh.stateOf('one')).toEqual({ kind: 'planned' });
  expect(looksSentence(orThrow(fresh.studies.results.study('one')))).toBeNull();
  await fresh.studies.close();
});

/** The folder as a kill would leave it now, with half a line at the end of a journal; again where a file was replaced meanwhile. */
async function copyAsKilled(dataDir: string, copy: string): Promise<void> {
  for (;;) {
    try {
      await cp(dataDir, copy, { recursive: true });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      await rm(copy, { recursive: true, force: true });
    }
  }
  await appendFile(join(copy, 'studies', 'one', 'one.0.1.jsonl'), '{"kind":"node-ad');
}

test('a kill at any moment of the extension loses nothing, and the same bytes come out', async () => {
  const whole = await openFinished('whole');
  const expected = await exportsOf(whole);
  await whole.studies.close();
  const lab = await openFinished();
  orThrow(await extend(lab));
  await lab.studies.close();

  let left = 0;
  const copies: string[] = [];
  const running = await openLab(lab.dataDir, async () => {
    left += 1;
    if (left % 50 !== 0) return;
    const copy = join(folder.path, `killed-${left}`);
    copies.push(copy);
    await copyAsKilled(lab.dataDir, copy);
  });
  await finish(running);
  // What it still saves would meet what the next one saves there.
  await running.studies.close();
  expect(copies.length).toBeGreaterThan(3);
  for (const copy of [lab.dataDir, ...copies]) {
    const again = await openLab(copy);
    await finish(again);
    expect(await exportsOf(again)).toEqual(expected);
    await again.studies.close();
  }
});

test('an extended study whose registry is lost is found again as it was extended', async () => {
  const lab = await openFinished();
  orThrow(await extend(lab));
  await finish(lab);
  await lab.studies.close();
  const { study } = lab.registry.read().studies[0] as { study: Study };
  const lost = await openStudyRegistry(lab);
  orThrow(await recoverStudies({ registry: lost, files: studyFiles(lab.dataDir) }));
  expect(lost.read().studies[0]?.study).toEqual(study);
});

async function openStudyRegistry({ registry }: Lab): Promise<Lab['registry']> {
  await registry.update((data) => ({ ...data, studies: [] }));
  return registry;
}

/** Answers wait until it is open. */
function heldGate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { gate: () => opened, open };
}

/** The small study at work, with answers on their way. */
async function openRunning(gate: () => Promise<void>, search: Partial<SearchOptions> = {}): Promise<Lab> {
  const lab = await openLab(undefined, gate);
  orThrow(await lab.studies.add(await planned(lab, 'small', search)));
  orThrow(await lab.studies.start('one'));
  await eventually('it to run', () => lab.stateOf('one')?.kind === 'running');
  return lab;
}

test('a study that runs stops for its extension and goes on, with its servers, as if it was planned so', async () => {
  const whole = await openFinished('whole');
  const expected = await exportsOf(whole);
  await whole.studies.close();
  const { gate, open } = heldGate();
  let answers = 0;
  // It has written something when it is extended, so results could be seen.
  const lab = await openRunning(async () => (++answers > 7 ? gate() : undefined));
  await eventually('answers', () => answers > 8);
  const extending = extend(lab);
  await stopping(lab);
  open();
  const { extension } = orThrow(await extending);
  expect(extension).toMatchObject({ afterResults: true, nodes: { before: 4, since: 9 } });
  expect(lab.registry.read().studies[0]).toMatchObject({ stopped: null, study: { extensions: [extension] } });
  expect(lab.stopped).toEqual([]);
  await lab.ended('one');
  expect(lab.stopped).toEqual(['one']);
  expect(await exportsOf(lab)).toEqual(expected);
  await lab.studies.close();
});

test('a study that runs does not stop for a question, nor for what is refused', async () => {
  const { gate, open } = heldGate();
  const lab = await openRunning(gate);
  const before = lab.registry.read();
  orThrow(await extend(lab, EXTENSION, false));
  expect(await extend(lab, { seeds: [1] })).toMatchObject({ ok: false });
  expect(lab.stateOf('one')?.kind).toBe('running');
  expect(lab.registry.read()).toEqual(before);
  const stopping = lab.studies.stop('one', 'paused');
  await eventually('it to stop', () => lab.stateOf('one')?.kind === 'pausing');
  expect(await extend(lab)).toMatchObject({ ok: false, error: { code: 'conflict' } });
  open();
  await stopping;
  expect(lab.stateOf('one')?.kind).toBe('paused');
  await lab.studies.close();
});

test('where the extension of a study that runs cannot be written, it is paused as it was, with its servers stopped', async () => {
  const { gate, open } = heldGate();
  const lab = await openRunning(gate);
  lab.setFull(true);
  const extending = extend(lab);
  await stopping(lab);
  open();
  expect(await extending).toMatchObject({ ok: false, error: { message: 'The disk is full.' } });
  expect(lab.stopped).toEqual(['one']);
  lab.setFull(false);
  await eventually('it to be paused', () => lab.stateOf('one')?.kind === 'paused');
  expect(orThrow(lab.studies.results.study('one')).extensions).toBeUndefined();
  await finish(lab);
  await lab.studies.close();
});

/** Exports of the small study that had these limits from the start. */
async function exportsFromStart(search: Partial<SearchOptions>): Promise<string[]> {
  const lab = await openFinished('small', search);
  const all = await exportsOf(lab);
  await lab.studies.close();
  return all;
}

async function verifiedNodes(lab: Lab): Promise<number> {
  const verified = await verifyStudy({
    study: orThrow(lab.studies.results.study('one')),
    journalOf: lab.studies.results.journal,
    digest: textDigest,
    onProgress: () => undefined,
    signal: { aborted: false },
  });
  expect(orThrow(verified).mismatches).toEqual([]);
  return orThrow(verified).nodes;
}

const asComplete = (tables: readonly string[]): string[] =>
  tables.map((text) => text.replaceAll(',no,', ',yes,'));

/** Of one tree; every answer of the bench has two tokens. */
const budgetOf = (tokens: number | null) => ({ treeBudget: { tokens, seconds: null } });

describe('the limits of trees', () => {
  test('are lowered without a search, as if they were so from the start, and raised again with nothing lost', async () => {
    const [wide, narrow] = [await exportsFromStart({ nodes: 9 }), await exportsFromStart({ nodes: 4 })];
    const few = await exportsFromStart({ nodes: 9, ...budgetOf(6) });
    let answers = 0;
    const lab = await openFinished('small', { nodes: 9 }, async () => void answers++);
    const [written, before] = [answers, await journalOf(lab, 'one.0.1')];
    for (const [request, expected] of [
      [{ nodes: 4 }, narrow],
      [{ nodes: 9 }, wide],
      [{ tokens: 6 }, few],
      [{ tokens: null, nodes: 4 }, narrow],
      [{ tokens: 100, nodes: 9 }, wide],
    ] as const) {
      orThrow(await extend(lab, request));
      // They hold at once, but it is complete only once its journals say so.
      expect(asComplete(await exportsOf(lab))).toEqual(asComplete(expected));
      await finish(lab);
      expect(await exportsOf(lab)).toEqual(expected);
      // Every node of the journal replays, whether it counts or not.
      expect(await verifiedNodes(lab)).toBe(20);
    }
    expect(answers).toBe(written);
    expect((await journalOf(lab, 'one.0.1')).subarray(0, before.length)).toEqual(before);
    await lab.studies.close();
  });

  test('that were raised and set back before anything was searched leave it finished, with its line in lists', async () => {
    const lab = await openFinished('small', { nodes: 4 });
    const listed = () => lab.studies.list().find(({ study }) => study.id === 'one');
    await lab.studies.results.analysis('one');
    const before = listed();
    expect(before?.headline).toBeDefined();
    orThrow(await extend(lab, { nodes: 9 }));
    expect(listed()?.headline).toBeUndefined();
    orThrow(await extend(lab, { nodes: 4 }));
    expect(listed()).toMatchObject({ state: { kind: 'finished' }, headline: before?.headline });
    await lab.studies.close();
  });

  test.each([
    ['fewer nodes', { nodes: 9 }, { nodes: 4 }, { nodes: 4 }],
    ['fewer tokens', { nodes: 9 }, { tokens: 8 }, { nodes: 9, ...budgetOf(8) }],
    ['more tokens', { nodes: 9, ...budgetOf(8) }, { tokens: 12 }, { nodes: 9, ...budgetOf(12) }],
    [
      'more nodes, and no limit of tokens',
      { nodes: 4, ...budgetOf(6) },
      { nodes: 9, tokens: null },
      { nodes: 9 },
    ],
  ])(
    'change while it runs, and a kill anywhere gives the bytes of a study that had them: %s',
    async (_, first, request, since) => {
      const expected = await exportsFromStart(since);
      const { gate, open } = heldGate();
      let answers = 0;
      const copies: string[] = [];
      const lab = await openRunning(async () => {
        answers += 1;
        const own = answers;
        // In the middle of the first trees, and as a kill leaves it soon after.
        if (own >= 8) await gate();
        if (own <= 8 || own % 2 !== 0) return;
        const copy = join(folder.path, `killed-${own}`);
        copies.push(copy);
        await copyAsKilled(lab.dataDir, copy);
      }, first);
      await eventually('answers', () => answers >= 8);
      const extending = extend(lab, request);
      await stopping(lab);
      open();
      expect(orThrow(await extending).extension).toMatchObject({ afterResults: true });
      await lab.ended('one');
      expect(await exportsOf(lab)).toEqual(expected);
      await verifiedNodes(lab);
      await lab.studies.close();
      expect(copies.length).toBeGreaterThan(0);
      for (const copy of copies) {
        const again = await openLab(copy);
        await finish(again);
        expect(await exportsOf(again)).toEqual(expected);
        await verifiedNodes(again);
        await again.studies.close();
      }
    },
  );

  test('lowered in a registry that is lost are those of the journals', async () => {
    const lab = await openFinished('small', { nodes: 9 });
    orThrow(await extend(lab, { nodes: 4, tokens: 100 }));
    await finish(lab);
    await lab.studies.close();
    const { study } = lab.registry.read().studies[0] as { study: Study };
    expect(study.extensions).toMatchObject([{ tokens: { before: null, since: 100 }, nodes: { since: 4 } }]);
    await rm(join(lab.dataDir, 'studies', 'one', 'outcomes.json'));
    const lost = await openStudyRegistry(lab);
    orThrow(await recoverStudies({ registry: lost, files: studyFiles(lab.dataDir) }));
    expect(lost.read().studies[0]?.study.runs[0]?.search).toEqual(study.runs[0]?.search);
  });

  test('of an old copy of the registry do not lower those of the journals', async () => {
    const lab = await openFinished();
    const old = lab.registry.read().studies;
    orThrow(await extend(lab, { nodes: 9 }));
    await finish(lab);
    const expected = await exportsOf(lab);
    await lab.registry.update((data) => ({ ...data, studies: old }));
    expect(await exportsOf(lab)).toEqual(expected);
    await lab.studies.close();
  });
});

test("more problems decide anew whether they are a paper's; else an older record keeps its scale", async () => {
  const lab = await openLab();
  const context = {
    ...(await contextOf(lab)),
    ...{ hasResults: false, launchScale: () => 'paper' as const },
    arePapers: (ids: readonly string[]) => ids.length === 6,
  };
  const small = await planned(lab, 'small');
  await lab.studies.close();
  const scalesOf = (scale: Scale, server: ServerSpec, request: Parameters<typeof extendedStudy>[1]) => {
    const runs = small.runs.map((run) => ({ ...run, scale, team: singleTeam(server) }));
    const { study } = orThrow(extendedStudy({ ...small, scale, runs }, request, context));
    return [study.scale, ...new Set(study.runs.map((run) => run.scale))];
  };
  const large = launchServer('large');
  expect(scalesOf('paper', large, { seeds: [2], nodes: 9 })).toEqual(['paper', 'paper']);
  expect(scalesOf('paper', large, { problems: 3 })).toEqual(['own', 'own']);
  expect(scalesOf('own', large, { problems: 6 })).toEqual(['paper', 'paper']);
  expect(scalesOf('desk', large, { problems: 3 })).toEqual(['desk', 'desk']);
  expect(scalesOf('recorded', recordedServer(), { problems: 6 })).toEqual(['recorded', 'recorded']);
});

describe('agents that the study has not asked', () => {
  const server = urlServer('http://127.0.0.1:8000/v1', 'newcomer');
  const newcomer = { configuration: 'newcomer', team: singleTeam(server) };
  const together = { configuration: 'together', team: heterogeneousTeam([recordedServer(), server]) };
  const linesOf = (tables: readonly string[], configuration: string): string[] =>
    tables.flatMap((text) => text.split('\n').filter((line) => `,${line}`.includes(`,${configuration},`)));
  const takeBack = (lab: Lab, apply = true) =>
    lab.studies.extend('one', (study, facts) => takenBack(study, { at: AT, by: 'terminal', ...facts }), {
      apply,
    });
  const asideOf = (lab: Lab) =>
    readdir(join(lab.dataDir, 'studies', 'one', 'taken-back')).catch(() => [] as string[]);

  test('come with an extension: what was there stays to the byte, and they are compared and verified with it', async () => {
    const lab = await openFinished('small');
    const [before, journal] = [await exportsOf(lab), await journalOf(lab, 'one.0.1')];
    const { extension } = orThrow(await extend(lab, { configurations: [newcomer, together] }));
    expect(extension.agents).toEqual(['newcomer']);
    expect(extensionText(extension)).toBe(
      '2 configurations ("newcomer", "together"), 1 agent new to it (newcomer)',
    );
    await finish(lab);
    const after = await exportsOf(lab);
    expect(await journalOf(lab, 'one.0.1')).toEqual(journal);
    expect(linesOf(before, 'single').length).toBeGreaterThan(4);
    expect(linesOf(after, 'single')).toEqual(linesOf(before, 'single'));
    expect(linesOf(after, 'together').length).toBeGreaterThan(4);
    expect(await verifiedNodes(lab)).toBe((after[0] ?? '').trim().split('\n').length - 1);
    const analysis = orThrow(await lab.studies.results.analysis('one'));
    expect(analysis.looks).toBe(2);
    expect(analysis.pairs.map(({ first, second }) => [first, second].sort().join())).toContain(
      'newcomer,single',
    );
    await lab.studies.close();
  });

  test('that do not answer are taken back, and the study is the finished one that it was', async () => {
    let isUp = false;
    const lab = await openFinished('small', {}, undefined, () => isUp);
    const before = await exportsOf(lab);
    orThrow(await extend(lab, { configurations: [together] }));
    orThrow(await lab.studies.start('one'));
    await lab.ended('one', 'failed');
    expect(orThrow(await takeBack(lab, false)).extension).toMatchObject({ takesBack: 'unsearched' });
    expect(lab.stateOf('one')?.kind).toBe('failed');
    expect(orThrow(await takeBack(lab)).programs).toBeLessThan(0);
    expect(lab.stateOf('one')).toEqual({ kind: 'finished' });
    expect(await exportsOf(lab)).toEqual(before);
    expect(orThrow(await lab.studies.results.analysis('one')).looks).toBeUndefined();
    expect(await asideOf(lab)).toContain('one.1.1.jsonl');
    expect(await takeBack(lab)).toMatchObject({ ok: false });

    // Again under the same name and run id: nothing of the journal that was begun is in the way.
    isUp = true;
    orThrow(await extend(lab, { configurations: [{ ...newcomer, configuration: 'together' }] }));
    await finish(lab);
    expect(await verifiedNodes(lab)).toBe(20);
    expect((await lab.studies.results.outcomes('one')).ok).toBe(true);
    expect(linesOf(await exportsOf(lab), 'single')).toEqual(linesOf(before, 'single'));
    expect(await takeBack(lab)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('searched to its end') },
    });
    await lab.studies.close();
  });

  test('that were interrupted are taken back too, also by a study that runs, but results were seen then', async () => {
    const { gate, open } = heldGate();
    let isHeld = false;
    let answers = 0;
    const lab = await openFinished('small', {}, async () => (isHeld && ++answers > 3 ? gate() : undefined));
    const before = await exportsOf(lab);
    orThrow(await extend(lab, { configurations: [newcomer], seeds: [2] }));
    isHeld = true;
    orThrow(await lab.studies.start('one'));
    await eventually('answers', () => answers > 4);
    const taking = takeBack(lab);
    await stopping(lab);
    open();
    expect(orThrow(await taking).extension).toMatchObject({ takesBack: 'searched', seeds: [2] });
    await lab.ended('one');
    expect(await exportsOf(lab)).toEqual(before);
    expect(orThrow(await lab.studies.results.analysis('one')).looks).toBe(2);
    expect(await asideOf(lab)).toEqual(expect.arrayContaining(['one.0.2.jsonl', 'one.1.1.jsonl']));
    await lab.studies.close();
  });
});

describe('an extension is refused', () => {
  const refusalOf = async (
    request: Parameters<typeof extendedStudy>[1],
    change: (study: Study) => Study = (study) => study,
  ): Promise<Refusal | StudyExtension> => {
    const lab = await openLab();
    const study = change(await planned(lab, 'small'));
    const made = extendedStudy(study, request, { ...(await contextOf(lab)), hasResults: true });
    await lab.studies.close();
    return made.ok ? made.value.extension : made.error;
  };
  const withRun = (change: (run: Study['runs'][number]) => Study['runs'][number]) => (study: Study) => ({
    ...study,
    runs: study.runs.map(change),
  });
  const other: ServerSpec = {
    ...{ kind: 'recorded', id: 'other', model: 'other', recordingId: 'other' },
    ...{ latencyMs: 0, maxInFlight: 2 },
  };
  const budget = { nodes: 4, tokens: null };

  test.each([
    ['that adds nothing', {}, 'Nothing is added'],
    ['to a seed that it has', { seeds: [1] }, 'It has seed 1 already'],
    ['to as many nodes', { nodes: 4 }, 'Its trees have 4 nodes already.'],
    ['to no limit that it has', { seconds: null }, 'Its trees have no limit of seconds.'],
    ['to as many problems', { problems: 2 }, 'Choose more than 2'],
    ['to more problems than there are', { problems: 7 }, ' has 6 problems. Choose at most so many.'],
    ['by a name that it has', { configurations: [single] }, 'a configuration "single" already'],
    [
      'by another agent of a name that it has',
      { configurations: [{ configuration: 'x', team: singleTeam({ ...other, id: 'rec' }) }] },
      'The agent "rec" of "x" (recording other) has the name of another one: recording rec.',
    ],
    [
      'by two new agents of one name',
      {
        configurations: [8000, 8001].map((port) => ({
          configuration: String(port),
          team: singleTeam(urlServer(`http://127.0.0.1:${port}/v1`, 'policy')),
        })),
      },
      '(policy at http://127.0.0.1:8001/v1) has the name of another one: policy at http://127.0.0.1:8000/v1.',
    ],
  ])('%s', async (_, request, message) => {
    expect(await refusalOf(request)).toMatchObject({ message: expect.stringContaining(message) });
  });

  test('of nodes where the agents have written all that their own budgets allow', async () => {
    const limited = withRun((run) => ({
      ...run,
      team: { ...run.team, agents: run.team.agents.map((agent) => ({ ...agent, budget })) },
    }));
    expect(await refusalOf({ nodes: 8 }, limited)).toMatchObject({
      message: expect.stringContaining('their own budgets end the tree'),
    });
  });

  test('of nodes that would make configurations alike which differ in them alone', async () => {
    const swept = (study: Study): Study => ({
      ...study,
      runs: study.runs.flatMap((run) => [
        run,
        { ...run, id: 'more', configuration: 'more', search: { ...run.search, nodes: 8 } },
      ]),
    });
    for (const nodes of [16, 3])
      expect(await refusalOf({ nodes }, swept)).toMatchObject({
        message: `"${single.configuration}" and "more" would then search in the same way, under names that say otherwise.`,
      });
  });

  test('of seeds where each seed has a model of its own', async () => {
    const trained = (study: Study): Study => ({
      ...study,
      runs: study.runs.flatMap((run) => [
        run,
        { ...run, id: 'two', seed: 2, team: teamOfMembers([{ server: other }]) ?? run.team },
      ]),
    });
    expect(await refusalOf({ seeds: [3] }, trained)).toMatchObject({
      message: expect.stringContaining('a model that does not exist yet'),
    });
  });
});
