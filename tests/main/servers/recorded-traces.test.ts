import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wholeProgram } from '../../../main/base';
import { createBenchmarkLibrary } from '../../../main/benchmarks';
import type { Grader } from '../../../main/grading';
import { type Generate, searchTree } from '../../../main/search';
import { type ChatClient, createChatClient } from '../../../main/servers';
import type { GradingLimits, NodeAdded, Problem, RunEvent, SearchOptions } from '../../../preload/contract';
import { bundleScript } from '../../support/bundled-script';
import { type ModelServerProcess, startModelServer } from '../../support/model-server-process';
import { agentNamed, configWith } from '../../support/search-fixture';
import { makeTemporaryFolder } from '../../support/temporary-folder';
import { grade, openGrader } from '../grading/sandbox';

const shared = join(import.meta.dirname, '..', '..', '..', '..', 'shared', 'data');
const files = {
  humanEval: join(shared, 'humaneval', 'HumanEval.jsonl.gz'),
  traces: join(shared, 'ldb-traces', 'humaneval-gpt-3.5-turbo-0613.jsonl.gz'),
};
const has = Object.values(files).every((path) => existsSync(path));

type Row = { task_id: string; implementations: string[]; is_solved: boolean };

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** LDB's debugging of gpt-3.5-turbo on HumanEval: 164 chains, of which 136 end in a right program. */
describe.skipIf(!has)('recorded traces through a real model server (skipped without ../shared/data)', () => {
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  let server: ModelServerProcess;
  let client: ChatClient;
  let grader: Grader;
  let problems: ReadonlyMap<string, Problem>;
  let limits: GradingLimits;
  let rows: readonly Row[];

  beforeAll(async () => {
    folder = await makeTemporaryFolder();
    const library = createBenchmarkLibrary({ dataDir: folder.path, clock: () => 0 });
    const benchmark = await library.importBenchmark({ path: files.humanEval, id: 'humaneval' });
    const imported = await library.importRecording({
      path: files.traces,
      benchmarkId: 'humaneval',
      id: 'ldb',
      format: 'auto',
    });
    const list = await library.problems('humaneval');
    const path = library.recordingPath('ldb');
    if (!benchmark.ok || !imported.ok || !list.ok || !path.ok) throw new Error('not imported');
    limits = { ...benchmark.value.value.limits, cpuSeconds: 10, wallSeconds: 40 };
    problems = new Map(list.value.map((problem) => [problem.id, problem]));
    rows = gunzipSync(readFileSync(files.traces))
      .toString('utf8')
      .trim()
      .split('\n')
      .map((line): Row => JSON.parse(line));
    const script = await bundleScript(resolve('main/servers/model-server.ts'), folder.path);
    server = await startModelServer(script, [
      ...['--kind', 'recorded', '--model', 'ldb', '--recording', path.value],
    ]);
    client = createChatClient({ baseUrl: server.baseUrl, model: 'ldb', maxInFlight: 4, timeoutMs: 60_000 });
    grader = await openGrader();
  });

  afterAll(async () => {
    client.dispose();
    await grader.dispose();
    await server.dispose();
    await folder.dispose();
  });

  /** As a run asks: the session is the run's, the rest comes from the search. */
  const generate: Generate = async ({ agent, messages, seed, problemId, part, ordinal, parent, turn }) => {
    const answer = await client.complete(
      {
        messages,
        sampling: agent.sampling,
        seed,
        metadata: { problemId, session: `1/${part}`, ordinal, parent: parent ?? '', turn },
      },
      new AbortController().signal,
    );
    if (answer.ok) return { ok: true, value: { ...answer.value, answer: answer.value.text } };
    const { error } = answer;
    if (error.kind !== 'exhausted' && error.kind !== 'no-refinement') throw new Error(error.kind);
    return { ok: false, error: { kind: error.kind, message: error.message } };
  };

  async function search(problem: Problem, options: Partial<SearchOptions>): Promise<RunEvent[]> {
    const config = configWith(options, ['ldb']);
    const events: RunEvent[] = [];
    const end = await searchTree({
      problem,
      part: 'search',
      config: {
        ...config,
        team: { ...config.team, agents: [agentNamed('ldb', { extraction: 'whole' })] },
      },
      generate,
      grade: (program) =>
        grade(grader, {
          program,
          entryPoint: problem.entryPoint,
          tests: problem.publicTests,
          limits,
          stopAtFirstFailure: true,
        }),
      digest,
      now: () => 0,
      sleep: async () => undefined,
      stop: { aborted: false },
      recorded: [],
      record: async (event) => {
        events.push(event);
      },
    });
    expect(end).toEqual({ kind: 'searched' });
    return events;
  }

  const nodesOf = (events: readonly RunEvent[]) =>
    events.filter((event): event is NodeAdded => event.kind === 'node-added');

  function problemOf(row: Row): Problem {
    const problem = problems.get(row.task_id);
    if (problem === undefined) throw new Error(`no ${row.task_id}`);
    return problem;
  }

  const recordedPrograms = (row: Row) =>
    row.implementations.map((program) => wholeProgram(program, problemOf(row)));

  test('sequential refinement walks every chain to its recorded end, and the ends pass as recorded', async () => {
    const ends = await Promise.all(
      rows.map(async (row) => {
        const problem = problemOf(row);
        const nodes = nodesOf(await search(problem, { strategy: { kind: 'refine' }, nodes: 16 }));
        const chain = nodes.map(({ detail }) => detail?.program ?? null);
        expect(chain, row.task_id).toEqual(recordedPrograms(row));
        const graded = await grade(grader, {
          program: chain.at(-1) ?? null,
          entryPoint: problem.entryPoint,
          tests: problem.privateTests,
          limits,
        });
        return { id: row.task_id, passed: graded.verdict === 'passed', recorded: row.is_solved };
      }),
    );
    expect(ends.filter(({ passed, recorded }) => passed !== recorded)).toEqual([]);
    expect(ends.filter(({ passed }) => passed)).toHaveLength(136);
  });

  test('AB-MCTS-A finds refinements below their own programs alone, and ends when the traces do', async () => {
    const refined = rows.filter(({ implementations }) => new Set(implementations).size > 2).slice(0, 8);
    expect(refined).toHaveLength(8);
    for (const row of refined) {
      const events = await search(problemOf(row), {
        strategy: { kind: 'ab-mcts-a', beliefs: 'beta', selection: 'thompson', depthGuidance: null },
        nodes: 40,
      });
      const nodes = nodesOf(events);
      const programs = recordedPrograms(row);
      const edges = new Set(programs.slice(1).map((program, i) => JSON.stringify([programs[i], program])));
      for (const { parent, detail } of nodes) {
        if (parent === -1) expect(detail?.program).toBe(programs[0]);
        else expect(edges).toContain(JSON.stringify([nodes[parent]?.detail?.program, detail?.program]));
      }
      // Every recorded program is found, each edge as often as it was recorded, and nothing is asked for ever.
      expect(nodes).toHaveLength(programs.length);
      expect(new Set(nodes.map(({ programDigest }) => programDigest))).toEqual(new Set(programs.map(digest)));
      expect(events.at(-1)).toMatchObject({ kind: 'tree-searched', reason: 'exhausted' });
      expect(events.some((event) => event.kind === 'trial-failed' && event.reason === 'no-refinement')).toBe(
        true,
      );
    }
  });
});
