import { createHash } from 'node:crypto';
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { failed, ok, orThrow } from '../../../main/base';
import type { BenchmarkLibrary } from '../../../main/benchmarks';
import type { Grader } from '../../../main/grading';
import { openJournal, openRegistry } from '../../../main/storage';
import { studyFiles } from '../../../main/studies';
import { createGradingService, notWrittenRefusal } from '../../../main/studies/study-gradings';
import { withHeadlines } from '../../../main/studies/study-headlines';
import { createStudyResults } from '../../../main/studies/study-results';
import { studyStore } from '../../../main/studies/study-store';
import { proveRegrade } from '../../../main/studies/verify-study';
import type { Benchmark, Problem, RunConfig, RunEvent, Study, Verdict } from '../../../preload/contract';
import { configWith, problemWith } from '../../support/search-fixture';
import { temporaryFolder } from '../../support/temporary-folder';
import { LIMITS } from '../grading/sandbox';

const RUN: RunConfig = {
  ...configWith({ nodes: 3, samplesPerAgent: 0 }),
  benchmarkDigest: 'd1',
  problemIds: ['world/0', 'world/1'],
};
const STUDY: Study = { id: 's', name: 's', createdAt: '', scale: 'pocket', runs: [RUN] };

const benchmarkOf = (id: string, digest: string): Benchmark => ({
  id,
  name: id,
  scale: 'pocket',
  problems: 2,
  digest,
  source: '',
  importedAt: '',
  limits: LIMITS,
  notes: [],
  rules: 'plain',
  version: null,
  licence: null,
  marks: [],
});

const EXPECTED = { world: '9', fixed: '8' } as const;
/** The private test of each benchmark: what a program has to print. */
const problemOf = (id: string, expected: string, isHidden = true): Problem =>
  problemWith({ id, privateTests: isHidden ? [{ kind: 'stdin', input: '', expected }] : [] });

type SearchGrader = Extract<RunEvent, { kind: 'run-started' }>['grader'];

/** Two trees of three programs: 9, 8 and no program. First graded with "9". */
function events(grader?: SearchGrader): RunEvent[] {
  const all: RunEvent[] = [
    {
      ...{ kind: 'run-started', at: 0, journalVersion: 2, appVersion: '0', randomVersion: '', config: RUN },
      ...(grader === undefined ? {} : { grader }),
    },
  ];
  for (const problemId of RUN.problemIds) {
    const where = { at: 0, problemId, part: 'search' as const };
    const programs = ['print(9)', 'print(8)', null];
    programs.forEach((program, index) => {
      const digest =
        program === null ? null : createHash('sha256').update(program).digest('hex').slice(0, 16);
      const verdict: Verdict =
        program === null ? 'no-code' : program === 'print(9)' ? 'passed' : 'wrong-answer';
      all.push({
        kind: 'node-added',
        ...where,
        ...{ index, trial: index, parent: -1, agentId: 'a', score: 0.5 },
        ...{ publicVerdict: 'wrong-answer', publicVerdicts: ['wrong-answer'], programDigest: digest },
        ...{ promptTokens: 0, completionTokens: 0, generateMs: 0, gradeMs: 0, generationSeed: 0 },
        detail: {
          ...{ answer: '', program, promptDigest: '' },
          publicGrade: { verdict: 'wrong-answer', results: [] },
        },
      });
      all.push({
        kind: 'node-graded',
        ...where,
        ...{ index, privateVerdict: verdict, privateVerdicts: [verdict] },
        detail: { privateGrade: { verdict, results: [] } },
      });
    });
    all.push({ kind: 'tree-searched', ...where, reason: 'budget' });
  }
  return [...all, { kind: 'run-finished', at: 0 }];
}

async function openProject(
  changes: {
    readonly problems?: (id: string) => readonly Problem[];
    /** Of the search. */
    readonly grader?: SearchGrader;
  } = {},
) {
  const dataDir = await temporaryFolder();
  const files = studyFiles(dataDir);
  const journal = await openJournal(files.journal('s', 'run'));
  if (!journal.ok) throw new Error(journal.error.message);
  for (const event of events(changes.grader)) await journal.value.append(event);
  await journal.value.close();
  const registry = await openRegistry(join(dataDir, 'registry.json'));
  if (!registry.ok) throw new Error(registry.error.message);
  const record = { study: STUDY, stopped: null, elapsedMs: 0, progress: null, removed: false };
  await registry.value.update((data) => ({ ...data, studies: [{ ...record, finishedAt: '2026-01-01' }] }));
  const problemsOf =
    changes.problems ??
    ((id: string) =>
      RUN.problemIds.map((one) => problemOf(one, EXPECTED[id === 'fixed' ? 'fixed' : 'world'])));
  const library = {
    list: () => [benchmarkOf('world', 'd1'), benchmarkOf('fixed', 'd2')],
    find: async () => ok(benchmarkOf('world', 'd1')),
    outline: async (id: string) => ok(problemsOf(id).map((one) => ({ ...one, bytes: 0 }))),
    problems: async (id: string) => ok(problemsOf(id)),
    problem: async (id: string, problemId: string) => {
      const found = problemsOf(id).find((one) => one.id === problemId);
      return found === undefined ? failed({ code: 'not-found', message: problemId }) : ok(found);
    },
    recordings: () => [],
  } as unknown as BenchmarkLibrary;
  const graded: string[] = [];
  const grader = {
    ...{ isolation: 'sandbox', python: '3.11.2', cpuFactor: 1, packages: [] },
    choice: { path: '/usr/bin/python3', reason: 'the only one' },
    health: () => ({ kind: 'good' }),
    grade: async ({ program, tests }) => {
      graded.push(program ?? '');
      const passes = tests.every((test) => test.kind === 'stdin' && program === `print(${test.expected})`);
      const verdict: Verdict = passes ? 'passed' : 'wrong-answer';
      return ok({ verdict, results: [{ verdict, actual: null, error: null, cpuMs: 0, wallMs: 0 }] });
    },
    statistics: () => ({ queued: 0, running: 0, graded: 0, together: 0, faults: 0 }),
    dispose: async () => undefined,
  } satisfies Grader as Grader;
  const running = new Set<string>();
  const open = () => {
    const results = withHeadlines(
      createStudyResults({
        registry: registry.value,
        deps: { files, library, now: () => 0, appVersion: '1', digest: (text) => text },
        activeOf: () => undefined,
      }),
      {
        store: studyStore(registry.value),
        onSaved: () => undefined,
        onError: (_, error) => expect.fail(String(error)),
      },
    );
    onTestFinished(() => results.release());
    const gradings = createGradingService({
      ...{ store: studyStore(registry.value), files, library, results, appVersion: '1' },
      isRunning: (id) => running.has(id),
      now: () => Date.parse('2026-11-28T12:00:00Z'),
      onChange: () => undefined,
    });
    return { results, gradings };
  };
  const regrade = (
    testsId?: string,
    signal = new AbortController().signal,
    onProgress: () => void = () => undefined,
  ) => open().gradings.regrade('s', { grader, testsId, signal, onProgress });
  const study = () => registry.value.read().studies[0]?.study ?? STUDY;
  const headline = () => registry.value.read().studies[0]?.headline;
  return {
    ...{ dataDir, files, registry: registry.value, library, grader, graded, running, open, regrade },
    ...{ study, headline },
  };
}

const verdictsIn = (all: readonly RunEvent[]): Verdict[] => {
  const last = new Map<string, Verdict>();
  for (const event of all)
    if (event.kind === 'node-graded') last.set(`${event.problemId} ${event.index}`, event.privateVerdict);
  return [...last.values()];
};

describe('a re-grade that is kept', () => {
  it('has a verdict of every program beside journals that stay to the byte, and counts for nothing yet', async () => {
    const { files, regrade, open, study } = await openProject();
    const before = await readFile(files.journal('s', 'run'));
    const kept = await regrade('fixed');
    expect(kept).toMatchObject(
      ok({ facts: { id: 'regrade-1', programs: 4, changed: 4, faults: 0, python: '3.11.2' } }),
    );
    expect(study().regrades).toHaveLength(1);
    expect(await readFile(files.journal('s', 'run'))).toEqual(before);
    const { results, gradings } = open();
    const analysis = await results.analysis('s');
    const events = await results.runEvents('run');
    expect(events.ok && verdictsIn(events.value).slice(0, 3)).toEqual(['passed', 'wrong-answer', 'no-code']);
    expect(analysis.ok && analysis.value.sentences.join(' ')).toContain('as first graded');
    expect(await gradings.changes('s', 'regrade-1')).toMatchObject(
      ok([
        { problemId: 'world/0', index: 0, before: 'passed', after: 'wrong-answer' },
        { problemId: 'world/0', index: 1, before: 'wrong-answer', after: 'passed' },
        { problemId: 'world/1', index: 0 },
        { problemId: 'world/1', index: 1 },
      ]),
    );
  });

  it('leaves the line of lists, which changes once it counts, and comes back with the first grading', async () => {
    const { open, regrade, headline } = await openProject();
    const { results, gradings } = open();
    await results.analysis('s');
    const first = headline();
    expect(first).toBeDefined();
    await regrade('fixed');
    expect(headline()).toEqual(first);
    orThrow(await gradings.count('s', 'regrade-1'));
    expect(headline()).toBeDefined();
    expect(headline()).not.toEqual(first);
    orThrow(await gradings.count('s', null));
    expect(headline()).toEqual(first);
  });

  it('counts everywhere once it is chosen, says so, and leaves what the search was told', async () => {
    const { regrade, open, study } = await openProject();
    const first = await open().results.analysis('s');
    await regrade('fixed');
    expect(await open().gradings.count('s', 'regrade-1')).toEqual(ok(null));
    const { results, gradings } = open();
    const events = await results.runEvents('run');
    expect(events.ok && verdictsIn(events.value)).toEqual([
      'wrong-answer',
      'passed',
      'no-code',
      'wrong-answer',
      'passed',
      'no-code',
    ]);
    const view = (await results.loadRun(study(), RUN)).view?.trees.get('search:world/0');
    expect(view?.nodes.map(({ privateVerdict }) => privateVerdict)).toEqual([
      'wrong-answer',
      'passed',
      'no-code',
    ]);
    expect(view?.nodes.map(({ publicVerdict, score }) => [publicVerdict, score])).toEqual(
      Array.from({ length: 3 }, () => ['wrong-answer', 0.5]),
    );
    const again = await results.analysis('s');
    expect(again.ok && again.value.sentences.at(-1)).toBe(
      'Private verdicts count as re-graded on 2026-11-28 with tests fixed (d2), Python 3.11.2: 4 private verdicts differ from the first grading. The search had its own verdicts, which stay as they were.',
    );
    expect(
      await results.readNode({ runId: 'run', problemId: 'world/0', part: 'search', index: 1 }),
    ).toMatchObject(
      ok({
        firstVerdict: 'wrong-answer',
        privateTests: [{ test: { expected: '8' }, result: { verdict: 'passed' } }],
      }),
    );
    expect(await gradings.count('s', null)).toEqual(ok(null));
    const back = await open().results.analysis('s');
    expect(back.ok && back.value.rows).toEqual(first.ok && first.value.rows);
  });

  it('says how it ran the programs otherwise than the search, in the tables of the study, too', async () => {
    const searched = { python: '3.10.4', isolation: 'none', cpuFactor: 2, packages: [] } as const;
    const { regrade, open, study } = await openProject({ grader: { ...searched, packages: [] } });
    await regrade(undefined);
    const differs = [
      'Python 3.11.2 instead of 3.10.4',
      'in the sandbox instead of without the sandbox',
      'CPU limits times 1 instead of 2',
    ];
    expect(study().regrades?.[0]?.differs).toEqual(differs);
    const { results, gradings } = open();
    orThrow(await gradings.count('s', 'regrade-1'));
    const analysis = await results.analysis('s');
    expect(analysis.ok && analysis.value.sentences.at(-1)).toBe(
      `The re-grade did not run the programs as the search's own grading did: ${differs.join('; ')}. A verdict can have changed by that alone.`,
    );
    expect(analysis.ok && analysis.value.chips?.at(-1)?.text).toBe('Not re-graded as the search was');
  });

  it('says nothing of that where it is alike, or not known of the search', async () => {
    const alike = { python: '3.11.2', isolation: 'sandbox', cpuFactor: 1 } as const;
    for (const project of [await openProject({ grader: alike }), await openProject()]) {
      await project.regrade('fixed');
      expect(project.study().regrades?.[0]).not.toHaveProperty('differs');
    }
  });

  it('goes on where it was stopped, also after a torn line', async () => {
    const { files, regrade, graded, study } = await openProject();
    const stop = new AbortController();
    const stopped = await regrade('fixed', stop.signal, () => stop.abort());
    expect(stopped).toMatchObject(failed({ code: 'cancelled' }));
    expect(study().regrades).toBeUndefined();
    const path = files.regrade('s', 'regrade-1');
    await appendFile(path, '{"kind":"program-gra');
    const torn = await readFile(path, 'utf8');
    // One with other inputs is none of its business, and leaves it as it is.
    const stopOther = new AbortController();
    await regrade(undefined, stopOther.signal, () => stopOther.abort());
    expect(await readFile(path, 'utf8')).toBe(torn);
    expect(await readdir(dirname(path))).toEqual(['regrade-1.jsonl', 'regrade-2.jsonl']);
    const before = graded.length;
    expect(await regrade('fixed')).toMatchObject(ok({ facts: { id: 'regrade-1', programs: 4, changed: 4 } }));
    expect(graded.length).toBe(Math.max(4, before));
    expect(await regrade('fixed')).toMatchObject(ok({ facts: { id: 'regrade-3' } }));
  });

  it.each([
    ['a benchmark with other problems', () => [problemOf('other/0', '8')], 'has other problems'],
    [
      'a benchmark that lacks a problem',
      () => [problemOf('world/0', '8')],
      'lacks 1 of the 2 problems of the study: world/1',
    ],
    [
      'a benchmark without private tests',
      () => RUN.problemIds.map((id) => problemOf(id, '8', false)),
      'has no private tests in fixed',
    ],
  ])('refuses %s', async (_what, problems, message) => {
    const { regrade } = await openProject({ problems });
    const refused = await regrade('fixed');
    expect(refused.ok ? '' : refused.error.message).toContain(message);
  });

  it('refuses a study that runs, a damaged journal, and an unknown benchmark or re-grade', async () => {
    const { files, regrade, running, open } = await openProject();
    expect(await regrade('no')).toMatchObject(failed({ code: 'not-found' }));
    expect(await open().gradings.count('s', 'regrade-9')).toMatchObject(failed({ code: 'not-found' }));
    running.add('s');
    expect(await regrade('fixed')).toMatchObject(failed({ code: 'conflict' }));
    expect(await open().gradings.count('s', null)).toMatchObject(failed({ code: 'conflict' }));
    running.clear();
    const path = files.journal('s', 'run');
    await writeFile(path, (await readFile(path, 'utf8')).replace('"score":0.5', '"score":0.6'));
    const refused = await regrade('fixed');
    expect(refused.ok ? '' : refused.error.message).toContain('is damaged at line');
  });

  it('whose own journal is damaged shows nothing in its place until the first grading counts', async () => {
    const { files, regrade, open, study } = await openProject();
    await regrade('fixed');
    await open().gradings.count('s', 'regrade-1');
    const path = files.regrade('s', 'regrade-1');
    await writeFile(path, (await readFile(path, 'utf8')).replace('"passed"', '"no-code"'));
    const { results, gradings } = open();
    const refused = await results.analysis('s');
    expect(refused.ok ? '' : refused.error.message).toContain(`${path}, is damaged at line`);
    expect((await results.loadRun(study(), RUN)).view).toBeNull();
    expect(await gradings.count('s', null)).toEqual(ok(null));
    expect(await results.analysis('s')).toMatchObject({ ok: true });
  });

  it('keeps the study from writing programs that would be graded otherwise', async () => {
    const { regrade, open, study } = await openProject();
    await regrade('fixed');
    expect(notWrittenRefusal({ study: study() })).toBeNull();
    await open().gradings.count('s', 'regrade-1');
    expect(notWrittenRefusal({ study: study() })).toMatchObject({ code: 'conflict' });
  });

  it('is proven by verify: a forged verdict does not come back', async () => {
    const { files, regrade, open, study, library, grader } = await openProject();
    await regrade('fixed');
    await open().gradings.count('s', 'regrade-1');
    const prove = () =>
      proveRegrade({
        ...{ study: study(), journalOf: open().results.journal, library, programs: 'all', seed: 1 },
        openGrader: async () => ok(grader),
        counted: studyFiles(files.folder('s').replace(/studies.s$/, '')).counted,
        ...{ now: () => 0, onProgress: () => undefined, signal: new AbortController().signal },
      });
    expect(await prove()).toMatchObject(ok({ kind: 'graded', graded: 4, changed: [] }));
    const forged = (await import('../../../main/storage/journal-line')).checksummedLine;
    const path = files.regrade('s', 'regrade-1');
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    const { sum: _, ...last } = JSON.parse(lines.at(-1) ?? '');
    const other: Verdict = last.privateVerdict === 'passed' ? 'wrong-answer' : 'passed';
    await writeFile(path, `${lines.slice(0, -1).join('\n')}\n${forged({ ...last, privateVerdict: other })}`);
    expect(await prove()).toMatchObject(ok({ kind: 'graded', changed: [{ before: other }] }));
  });
});
