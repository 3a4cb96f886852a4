// Programs a second of the grader service (a process of its own, over HTTP) beside the grader in this process, in one run:
// the same programs, part by part, the one first in one part and the other first in the next.
//
// Run: npx vitest run --config tests/bench/grader-service/bench.config.ts
//   WORKERS   2 when left out       PROGRAMS  of each load, 600 when left out
//   BATCH     items of a request, 64 when left out
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type GradeRequest, openRemoteGrader, openSandboxGrader } from '../../../main/grading';
import { pocketProblems } from '../../../main/pocket';
import { startService } from '../../main/grader-service/started';
import { LIMITS, RESOURCES } from '../../main/grading/sandbox';
import { hasSharedData, sharedSamples } from '../../support/shared-samples';
import { unwrap } from '../../support/unwrap';

const number = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise);
const WORKERS = number('WORKERS', 2);
const PROGRAMS = number('PROGRAMS', 600);
const BATCH = number('BATCH', 64);
const PARTS = 6;

type Verdicts = readonly string[];
type Grades = (requests: readonly GradeRequest[]) => Promise<Verdicts>;

/** Requests of `BATCH` items, all at once, as trainers send them. */
function overHttp(address: string, token: string): Grades {
  return async (requests) => {
    const batches = Array.from({ length: Math.ceil(requests.length / BATCH) }, (_, i) =>
      requests.slice(i * BATCH, (i + 1) * BATCH),
    );
    const answers = await Promise.all(
      batches.map(async (items) => {
        const headers = { authorization: `Bearer ${token}` };
        const body = JSON.stringify({ items });
        const response = await fetch(`${address}/v1/grade`, { method: 'POST', headers, body });
        return ((await response.json()) as { results: { verdict: string }[] }).results;
      }),
    );
    return answers.flat().map(({ verdict }) => verdict);
  };
}

const overGrader =
  (grader: { readonly grade: Awaited<ReturnType<typeof openRemote>>['grade'] }): Grades =>
  async (requests) => {
    const grades = await Promise.all(requests.map((request) => unwrap(grader.grade(request))));
    return grades.map(({ verdict }) => verdict);
  };

const openRemote = (address: string, token: string) => unwrap(openRemoteGrader({ address, token }));

function pocketLoad(): readonly GradeRequest[] {
  const problems = pocketProblems({ split: 'train', seed: 3, count: Math.ceil(PROGRAMS / 5) });
  return Array.from({ length: PROGRAMS }, (_, i): GradeRequest => {
    const problem = problems[i % problems.length];
    const other = problems[(i + Math.floor(i / problems.length)) % problems.length];
    return {
      program: `${other?.canonicalProgram}# ${i}\n`, // no two are equal, as graders remember them
      entryPoint: problem?.entryPoint ?? null,
      tests: [...(problem?.publicTests ?? []), ...(problem?.privateTests ?? [])],
      limits: LIMITS,
      stopAtFirstFailure: false,
    };
  });
}

function recordedLoad(): readonly GradeRequest[] {
  const all = [...sharedSamples()].filter(({ case: one }) => one.rules === 'humaneval');
  const every = Math.max(1, Math.floor(all.length / PROGRAMS));
  const chosen = all.filter((_, i) => i % every === 0).slice(0, PROGRAMS);
  return chosen.map(({ case: { program, entryPoint, tests, rules } }, i) => {
    const limits = { ...LIMITS, cpuSeconds: 3, wallSeconds: 30, memoryBytes: 4 * 1024 ** 3 };
    return { program: `${program}\n# ${i}\n`, entryPoint, tests, rules, limits, stopAtFirstFailure: false };
  });
}

async function seconds(grades: Grades, requests: readonly GradeRequest[]): Promise<[number, Verdicts]> {
  const started = performance.now();
  const verdicts = await grades(requests);
  return [(performance.now() - started) / 1_000, verdicts];
}

/** Programs a second of both, on the same programs. */
async function compare(one: Grades, other: Grades, load: readonly GradeRequest[]): Promise<[number, number]> {
  const spent: [number, number] = [0, 0];
  for (let part = 0; part < PARTS; part += 1) {
    const requests = load.filter((_, i) => i % PARTS === part);
    const order = part % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
    const verdicts: [Verdicts, Verdicts] = [[], []];
    for (const which of order) {
      const [took, found] = await seconds(which === 0 ? one : other, requests);
      spent[which] += took;
      verdicts[which] = found;
    }
    expect(verdicts[1]).toEqual(verdicts[0]);
  }
  return [load.length / spent[0], load.length / spent[1]];
}

test('programs a second of the service beside the grader in this process', async () => {
  const lines = [`${WORKERS} programs at a time, ${BATCH} items a request; programs a second`];
  lines.push('load        here   batches   ratio     here   one a request   ratio');
  const loads: [string, ReturnType<typeof pocketLoad>][] = [['pocket', pocketLoad()]];
  if (hasSharedData) loads.push(['HumanEval', recordedLoad()]);
  for (const [name, load] of loads) {
    const row = [name.padEnd(9)];
    for (const way of ['batches', 'single'] as const) {
      // New graders each time: none remembers what it graded.
      const options = { resourcesDir: RESOURCES, allowUnsandboxed: false, concurrency: WORKERS };
      const here = await unwrap(openSandboxGrader(options));
      const { address, tokenPath, child, ended } = await startService(['--workers', String(WORKERS)]);
      const token = (await readFile(tokenPath, 'utf8')).trim();
      const remote = await openRemote(address, token);
      const far = way === 'batches' ? overHttp(address, token) : overGrader(remote);
      const warm = load
        .slice(0, 20)
        .map((request) => ({ ...request, program: `${request.program}# warm\n` }));
      await Promise.all([overGrader(here)(warm), far(warm)]);
      const [near, served] = await compare(overGrader(here), far, load);
      row.push(
        near.toFixed(0).padStart(7),
        served.toFixed(0).padStart(9),
        (served / near).toFixed(2).padStart(7),
      );
      await Promise.all([here.dispose(), remote.dispose()]);
      child.kill('SIGTERM');
      await ended;
    }
    lines.push(row.join(' '));
  }
  console.log(lines.join('\n'));
});
