// Programs a second of `mars2 run` over recorded samples of HumanEval beside the grader alone on the same programs and
// tests, in one run. Needs ../shared/data and a built workbench (`npm run -s cli -- --help` builds it).
//
// Run: npx vitest run --config tests/bench/run-recorded/bench.config.ts
//   NODES    samples of each problem, 12 when left out
//   ROUNDS   3 when left out: the two take turns, so that what else the computer does meets both
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSandboxGrader } from '../../../main/grading';
import { parseEventLine } from '../../../main/storage/journal-line';
import { benchmarkSchema, type NodeAdded, type NodeGraded, type Problem } from '../../../preload/contract';
import { RESOURCES } from '../../main/grading/sandbox';
import { hasSharedData, SHARED_DATA } from '../../support/shared-samples';
import { unwrap } from '../../support/unwrap';

const NODES = Number(process.env.NODES ?? 12);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const CORES = availableParallelism();

const CLI = join(import.meta.dirname, '../../../scripts/cli.mjs');
const folder = mkdtempSync(join(tmpdir(), 'run-recorded-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const data = join(folder, 'data');

/** One candidate of a run, with both of its verdicts. */
type Candidate = Pick<NodeAdded, 'problemId' | 'publicVerdict'> &
  Pick<NodeGraded, 'privateVerdict'> & { readonly program: string; readonly timesOut: boolean };
type Run = { readonly seconds: number; readonly candidates: readonly Candidate[] };

function mars2(...args: string[]): string {
  const options = {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: 'pipe',
  } as const;
  return execFileSync(process.execPath, [CLI, ...args, '--data', data], options);
}

function jsonLines<T>(text: string): T[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

/** Imports these rows as a recording. */
function addRecording(id: string, rows: readonly object[]): void {
  const path = join(folder, `${id}.jsonl`);
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  mars2('recordings', 'import', path, '--benchmark', 'humaneval', '--id', id);
}

/** One study of one run; its time is that from the first event of its journal to the last. */
function runOver(recording: string): Run {
  const studies = join(data, 'studies');
  const before = new Set(readdirSync(data).includes('studies') ? readdirSync(studies) : []);
  const searched = ['--configuration', `one=recorded:${recording}`, '--strategy', 'repeated'];
  mars2(
    'run',
    '--benchmark',
    'humaneval',
    ...searched,
    '--nodes',
    String(NODES),
    '--samples',
    '0',
    '--out',
    join(folder, 'out'),
  );
  const study = readdirSync(studies).find((name) => !before.has(name)) ?? '';
  const journal = readdirSync(join(studies, study)).find((name) => name.endsWith('.jsonl')) ?? '';
  const events = readFileSync(join(studies, study, journal), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const parsed = parseEventLine(Buffer.from(line));
      return parsed.kind === 'event' ? [parsed.event] : [];
    });
  const nodes = new Map<string, NodeAdded>();
  const candidates: Candidate[] = [];
  for (const event of events) {
    if (event.kind === 'node-added') nodes.set(`${event.problemId} ${event.index}`, event);
    if (event.kind !== 'node-graded') continue;
    const node = nodes.get(`${event.problemId} ${event.index}`);
    const { problemId, privateVerdict } = event;
    if (node === undefined) continue;
    const { publicVerdict, publicVerdicts, detail } = node;
    const timesOut = [...publicVerdicts, ...(event.privateVerdicts ?? [])].includes('time-limit');
    candidates.push({ problemId, publicVerdict, privateVerdict, program: detail?.program ?? '', timesOut });
  }
  const ms = (events.at(-1)?.at ?? 0) - (events[0]?.at ?? 0);
  return { seconds: ms / 1_000, candidates };
}

/** Seconds of a new grader for the public and the private tests of these programs, all asked for at once. */
async function gradeAlone(candidates: readonly Candidate[]): Promise<number> {
  const benchmark = join(data, 'benchmarks', 'humaneval');
  const { limits, rules } = benchmarkSchema.parse(
    JSON.parse(readFileSync(join(benchmark, 'benchmark.json'), 'utf8')),
  );
  const problems = new Map(
    jsonLines<Problem>(readFileSync(join(benchmark, 'problems.jsonl'), 'utf8')).map((one) => [one.id, one]),
  );
  const options = { resourcesDir: RESOURCES, allowUnsandboxed: false, concurrency: CORES };
  const grader = await unwrap(openSandboxGrader(options));
  const startedMs = performance.now();
  const verdicts = await Promise.all(
    candidates.map(async ({ problemId, program }) => {
      const { entryPoint, publicTests, privateTests } = problems.get(problemId) as Problem;
      const grade = async (tests: Problem['publicTests']) => {
        const request = { program, entryPoint, tests, limits, rules, stopAtFirstFailure: false };
        return (await unwrap(grader.grade(request))).verdict;
      };
      return Promise.all([grade(publicTests), grade(privateTests)]);
    }),
  );
  const seconds = (performance.now() - startedMs) / 1_000;
  await grader.dispose();
  const recorded = candidates.map(({ publicVerdict, privateVerdict }) => [publicVerdict, privateVerdict]);
  expect(verdicts).toEqual(recorded);
  return seconds;
}

beforeAll(() => {
  if (!hasSharedData) return;
  mars2('benchmarks', 'import', join(SHARED_DATA, 'humaneval/HumanEval.jsonl.gz'), '--id', 'humaneval');
  const taken = new Map<string, number>();
  const rows = jsonLines<{ task_id: string }>(
    gunzipSync(readFileSync(join(SHARED_DATA, 'codet-codegen16b/samples.jsonl.gz'))).toString('utf8'),
  ).filter(({ task_id }) => {
    const number = taken.get(task_id) ?? 0;
    taken.set(task_id, number + 1);
    return number < NODES;
  });
  addRecording('all', rows);
}, 600_000);

test.skipIf(!hasSharedData)('programs a second of a run beside the grader alone', async () => {
  const lines = [
    `${CORES} cores, medians of ${ROUNDS} rounds; programs a second, public and private tests of each`,
  ];
  lines.push('programs                     a run   the grader   ratio');
  const slow = new Set(
    runOver('all').candidates.flatMap(({ timesOut, program }) => (timesOut ? [program] : [])),
  );
  const quick = jsonLines<{ problemId: string; samples: string[] }>(
    readFileSync(join(data, 'recordings', 'all', 'samples.jsonl'), 'utf8'),
  ).flatMap(({ problemId, samples }) =>
    samples.filter((program) => !slow.has(program)).map((solution) => ({ task_id: problemId, solution })),
  );
  addRecording('quick', quick);
  for (const [recording, name] of [
    ['quick', 'none times out'],
    ['all', `${slow.size} time out`],
  ] as const) {
    const rounds: { run: number; grader: number; programs: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { seconds, candidates } = runOver(recording);
      rounds.push({ run: seconds, grader: await gradeAlone(candidates), programs: candidates.length });
    }
    const rate = (of: 'run' | 'grader') => median(rounds.map((round) => round.programs / round[of]));
    const ratio = median(rounds.map(({ run, grader }) => grader / run));
    lines.push(
      [
        `${rounds[0]?.programs}, ${name}`.padEnd(24),
        rate('run').toFixed(0).padStart(9),
        rate('grader').toFixed(0).padStart(12),
        ratio.toFixed(2).padStart(7),
      ].join(' '),
    );
  }
  console.log(lines.join('\n'));
});

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
