import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failed, ok, orThrow } from '../../../main/base';
import { createBenchmarkLibrary } from '../../../main/benchmarks';
import type { GradeRequest, Grader } from '../../../main/grading';
import { openJournal } from '../../../main/storage';
import { benchmarksOf, regradeStudy } from '../../../main/studies/regrade-study';
import { proveVerdicts } from '../../../main/studies/verify-study';
import type { Benchmark, RunConfig, RunEvent, Study, Verdict } from '../../../preload/contract';
import { configWith, problemWith } from '../../support/search-fixture';
import { temporaryFolder } from '../../support/temporary-folder';
import { LIMITS, openGrader } from '../grading/sandbox';

const config: RunConfig = { ...configWith(), benchmarkDigest: 'd' };
const study: Study = { id: 's', name: 's', createdAt: '', scale: 'pocket', runs: [config] };
const benchmark: Benchmark = {
  id: 'world',
  name: 'World',
  scale: 'pocket',
  problems: 1,
  digest: 'd',
  source: '',
  importedAt: '',
  limits: LIMITS,
  notes: [],
  rules: 'livecodebench',
  version: null,
  licence: null,
  marks: [],
};
const library = {
  list: () => [benchmark],
  find: async () => ok(benchmark),
  problem: async () => ok(problemWith()),
};

/** Programs with the verdicts that the journal has of them. */
function eventsOf(programs: readonly (readonly [program: string, verdict: Verdict])[]): RunEvent[] {
  return [
    { kind: 'run-started', at: 0, journalVersion: 2, appVersion: '0', randomVersion: '', config },
    ...programs.flatMap(([program, verdict], index): RunEvent[] => [
      {
        kind: 'node-added',
        at: 0,
        problemId: 'world/0',
        part: 'search',
        index,
        trial: index,
        parent: -1,
        agentId: 'a',
        score: 1,
        publicVerdict: 'passed',
        publicVerdicts: [],
        programDigest: createHash('sha256').update(program).digest('hex').slice(0, 16),
        promptTokens: 0,
        completionTokens: 0,
        generateMs: 0,
        gradeMs: 0,
        generationSeed: 0,
        detail: {
          answer: program,
          program,
          promptDigest: '',
          publicGrade: { verdict: 'passed', results: [] },
        },
      },
      {
        kind: 'node-graded',
        at: 0,
        problemId: 'world/0',
        part: 'search',
        index,
        privateVerdict: verdict,
        privateVerdicts: [verdict],
      },
    ]),
  ];
}

const RIGHT = 'print(input())';
const WRONG = 'print(0)';
const LEAKY = 'n = 9\ndef f():\n    global n\n    print(n)\nf()';

let grader: Grader;
beforeAll(async () => {
  grader = await openGrader();
});
afterAll(() => grader.dispose());

async function regraded(
  programs: readonly (readonly [string, Verdict])[],
  options: Partial<Parameters<typeof regradeStudy>[0]> = {},
) {
  const journal = await openJournal(join(await temporaryFolder(), 'run.jsonl'));
  if (!journal.ok) throw new Error(journal.error.message);
  for (const event of eventsOf(programs)) await journal.value.append(event);
  const progress: (readonly [number, number])[] = [];
  const result = await regradeStudy({
    study,
    journalOf: async () => journal,
    library,
    grader,
    onProgress: (done, total) => progress.push([done, total]),
    signal: new AbortController().signal,
    ...options,
  });
  await journal.value.close();
  return { result, progress };
}

describe('a regrade', () => {
  it('lists every node whose verdict changed, and runs equal programs once', async () => {
    const { result, progress } = await regraded([
      [RIGHT, 'passed'],
      [WRONG, 'passed'],
      [RIGHT, 'time-limit'],
      [WRONG, 'wrong-answer'],
    ]);
    expect(result).toEqual(
      ok({
        programs: 2,
        graded: 2,
        faults: 0,
        runs: [{ runId: 'run', graded: 2 }],
        changed: [
          {
            runId: 'run',
            problemId: 'world/0',
            part: 'search',
            index: 2,
            before: 'time-limit',
            after: 'passed',
          },
          {
            runId: 'run',
            problemId: 'world/0',
            part: 'search',
            index: 1,
            before: 'passed',
            after: 'wrong-answer',
          },
        ],
      }),
    );
    expect(progress).toEqual([
      [1, 2],
      [2, 2],
    ]);
  });

  it('reports what depends on the reading', async () => {
    const programs = [[LEAKY, 'passed']] as const;
    expect((await regraded(programs)).result).toMatchObject(ok({ changed: [] }));
    expect((await regraded(programs, { grading: 'as-published' })).result).toMatchObject(
      ok({ changed: [{ index: 0, before: 'passed', after: 'runtime-error' }] }),
    );
  });

  it('spreads a limited number of programs evenly, and asks for fresh grades', async () => {
    const requests: GradeRequest[] = [];
    const programs = Array.from({ length: 10 }, (_, i) => [`print(${i})`, 'passed'] as const);
    const { result } = await regraded(programs, {
      programs: 5,
      grader: {
        grade: async (request) => {
          requests.push(request);
          return ok({ verdict: 'passed', results: [] });
        },
      },
    });
    expect(result).toMatchObject(ok({ graded: 5 }));
    expect(requests.map(({ program }) => program).sort()).toEqual([0, 2, 4, 6, 8].map((i) => `print(${i})`));
    expect(requests.every(({ fresh }) => fresh)).toBe(true);
  });

  it('counts the programs on which the sandbox failed', async () => {
    const { result } = await regraded([[RIGHT, 'passed']], {
      grader: { grade: async () => ok({ verdict: 'sandbox-fault', results: [] }) },
    });
    expect(result).toEqual(
      ok({ programs: 1, graded: 1, faults: 1, changed: [], runs: [{ runId: 'run', graded: 1 }] }),
    );
  });

  it('finds 40 forged verdicts among 1,000 programs in a sample of 200', async () => {
    const programs = Array.from(
      { length: 1_000 },
      (_, i) => [`print(${i})`, i % 25 === 7 ? 'passed' : 'wrong-answer'] as const,
    );
    const journal = await openJournal(join(await temporaryFolder(), 'run.jsonl'));
    if (!journal.ok) throw new Error(journal.error.message);
    for (const event of eventsOf(programs)) await journal.value.append(event);
    const options = {
      study,
      journalOf: async () => journal,
      library,
      openGrader: async () =>
        ok({ grade: async () => ok({ verdict: 'wrong-answer' as Verdict, results: [] }) }),
      now: () => 0,
      onProgress: () => undefined,
      signal: new AbortController().signal,
    };
    const sample = await proveVerdicts({ ...options, programs: 200, seed: 1 });
    expect(sample).toMatchObject(ok({ kind: 'graded', programs: 1_000, graded: 200, seed: 1 }));
    const found = sample.ok && sample.value.kind === 'graded' ? sample.value.changed : [];
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found.map(({ index }) => index % 25))).toEqual(new Set([7]));
    const all = await proveVerdicts({ ...options, programs: 'all', seed: 1 });
    expect(all.ok && all.value.kind === 'graded' && all.value.changed).toHaveLength(40);
    const none = await proveVerdicts({
      ...options,
      library: {
        ...library,
        find: async () => failed({ code: 'not-found' as const, message: 'It was removed.' }),
      },
      programs: 'all',
      seed: 1,
    });
    expect(none).toMatchObject(
      ok({
        kind: 'unproven',
        message: 'The benchmark world is not in this data folder, so its tests cannot be run.',
      }),
    );
    await journal.value.close();
  });

  it('generates a pocket benchmark that is not here, as after another folder opened a bundle', async () => {
    const there = createBenchmarkLibrary({ dataDir: await temporaryFolder(), clock: () => 0 });
    const made = orThrow(await there.ensurePocket({ split: 'test', seed: 1, count: 4 }));
    const here = createBenchmarkLibrary({ dataDir: await temporaryFolder(), clock: () => 0 });
    expect(here.list().map(({ id }) => id)).not.toContain(made.id);
    const [run] = study.runs;
    const of = (benchmarkDigest: string) =>
      ({ ...study, runs: [{ ...run, benchmarkId: made.id, benchmarkDigest }] }) as typeof study;
    const found = orThrow(await benchmarksOf(of(made.digest), here));
    expect(found.get(made.id)?.digest).toBe(made.digest);
    expect(await benchmarksOf(of('other'), here)).toMatchObject({ ok: false, error: { code: 'conflict' } });
  });

  it('draws the same programs with the same seed, and others with another one', async () => {
    const programs = Array.from({ length: 60 }, (_, i) => [`print(${i})`, 'passed'] as const);
    const grader = { grade: async () => ok({ verdict: 'wrong-answer' as Verdict, results: [] }) };
    const drawn = async (drawnWith: number) => {
      const { result } = await regraded(programs, { grader, programs: 20, drawnWith });
      return result.ok && result.value.changed.map(({ index }) => index);
    };
    expect(await drawn(1)).toHaveLength(20);
    expect(await drawn(1)).toEqual(await drawn(1));
    expect(await drawn(2)).not.toEqual(await drawn(1));
  });

  it('believes a verdict that one of several gradings gives', async () => {
    const answers: Verdict[] = ['time-limit', 'passed', 'time-limit', 'time-limit', 'time-limit'];
    const grader = { grade: async () => ok({ verdict: answers.shift() ?? 'passed', results: [] }) };
    const steady = await regraded([[RIGHT, 'passed']], { grader, gradings: 3 });
    expect(steady.result).toMatchObject(ok({ changed: [] }));
    const { result } = await regraded([[RIGHT, 'passed']], { grader, gradings: 3 });
    expect(result).toMatchObject(ok({ changed: [{ before: 'passed', after: 'time-limit' }] }));
    expect(answers).toEqual([]);
  });

  it('is refused once it is cancelled', async () => {
    const { result } = await regraded([[RIGHT, 'passed']], { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  });

  it('refuses to compare with another version of the benchmark', async () => {
    const other = { ...library, find: async () => ok({ ...benchmark, digest: 'other' }) };
    const { result } = await regraded([[RIGHT, 'passed']], { library: other });
    expect(result).toMatchObject({ ok: false, error: { code: 'conflict' } });
  });
});
