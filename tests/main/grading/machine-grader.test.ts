import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Grader, openSandboxGrader } from '../../../main/grading';
import type { Machine } from '../../../main/machines';
import type { TestCase } from '../../../preload/contract';
import { eventually } from '../../support/eventually';
import { connectedMachine } from '../../support/fleet-bench';
import { hasSshdAccounts, type Sshd, startSshd } from '../../support/sshd';
import { processTable } from './process-table';
import { grade, LIMITS, RESOURCES } from './sandbox';

// Candidates on another machine: a real sshd on loopback, a real sandbox behind it.

/** Where the runner's copies lie on a machine that is entered as root. */
const COPIES = '/var/tmp/mars2-tools/tools';
const ANSWER: TestCase = { kind: 'stdin', input: '6 7\n', expected: '42\n' };
const RIGHT = 'a, b = map(int, input().split())\nprint(a * b)';

type Bench = { readonly sshd: Sshd; readonly machine: Machine; readonly open: () => Promise<Grader> };

async function machineBench(): Promise<Bench> {
  const sshd = await startSshd();
  onTestFinished(sshd.stop);
  const { machine } = await connectedMachine(sshd);
  const open = async () => {
    const opened = await openSandboxGrader({
      resourcesDir: RESOURCES,
      machine,
      concurrency: 2,
      allowUnsandboxed: false,
      calibration: { read: async () => null, write: async () => undefined },
    });
    if (!opened.ok) throw new Error(`${opened.error.message} ${opened.error.hint ?? ''}`);
    onTestFinished(opened.value.dispose);
    return opened.value;
  };
  return { sshd, machine, open };
}

/** Of the runner and of candidates, those of other tests' graders too. */
const runnersThere = (sshd: Sshd): Promise<number> =>
  sshd.sessions().then((sessions) => {
    const table = processTable();
    const below = new Set<number>(sessions);
    for (let before = 0; before !== below.size; ) {
      before = below.size;
      for (const entry of table) if (below.has(entry.parent)) below.add(entry.pid);
    }
    return table.filter((entry) => below.has(entry.pid) && entry.command.includes('mars2_grader')).length;
  });

/** The copy that has this runner's files; older ones may lie next to it. */
async function copyThere(): Promise<string> {
  const source = join(RESOURCES, 'grader/mars2_grader');
  const names = (await readdir(source)).filter((name) => name.endsWith('.py'));
  const wholeOf = (folder: string) =>
    Promise.all(names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')));
  const expected = (await wholeOf(source)).join('\0');
  for (const name of await readdir(COPIES)) {
    const copy = join(COPIES, name, 'mars2_grader');
    if ((await wholeOf(copy)).join('\0') === expected) return copy;
  }
  throw new Error(`No copy of the runner lies in ${COPIES}`);
}

const title = hasSshdAccounts
  ? 'a grader on another machine'
  : 'a grader on another machine (skipped: needs root and openssh-server)';

describe.skipIf(!hasSshdAccounts)(title, () => {
  test('gives the verdicts that it gives here, and leaves nothing there', async () => {
    const { sshd, open } = await machineBench();
    const grader = await open();
    expect(grader.isolation).toBe('sandbox');
    expect(grader.python).toMatch(/^3\.\d+\.\d+$/);
    const programs = [
      RIGHT,
      'print(41)',
      '1 / 0',
      'while True: pass',
      'import time; time.sleep(99)',
      'x = bytearray(10**10)',
      'while True: print(1)',
      'def',
    ];
    const graded = await Promise.all(programs.map((program) => grade(grader, { program, tests: [ANSWER] })));
    expect(graded.map((one) => one.verdict)).toEqual([
      'passed',
      'wrong-answer',
      'runtime-error',
      'time-limit',
      'time-limit',
      'memory-limit',
      'output-limit',
      'runtime-error',
    ]);
    const calls = [1, 2, 3].map((n): TestCase => ({ kind: 'call', input: `${n}`, expected: `[${n}, ${n}]` }));
    const call = await grade(grader, { program: 'def f(x): return x, x', entryPoint: 'f', tests: calls });
    expect(call.results.map((result) => result.verdict)).toEqual(['passed', 'passed', 'passed']);
    const check: TestCase = { kind: 'check', source: 'assert f(2) == 4' };
    expect((await grade(grader, { program: 'def f(x): return x * x', tests: [check] })).verdict).toBe(
      'passed',
    );
    await grader.dispose();
    await eventually('nothing is left there', async () => (await runnersThere(sshd)) === 0);
  });

  test('a copy of the runner that was changed is replaced', async () => {
    const { open } = await machineBench();
    await (await open()).dispose();
    const copy = await copyThere();
    const changed = join(copy, 'runner.py');
    const whole = await readFile(changed, 'utf8');
    await appendFile(changed, '\nraise SystemExit("changed")\n');
    expect((await grade(await open(), { program: RIGHT, tests: [ANSWER] })).verdict).toBe('passed');
    expect(await readFile(changed, 'utf8')).toBe(whole);
    // What Python would load in its place.
    const compiled = (await readdir(join(copy, '__pycache__'))).filter((name) => name.startsWith('runner.'));
    const before = await readFile(join(copy, '__pycache__', compiled[0] ?? 'none'));
    await writeFile(
      join(copy, '__pycache__', compiled[0] ?? 'none'),
      Buffer.concat([before.subarray(0, 16), Buffer.from('N')]),
    );
    expect((await grade(await open(), { program: RIGHT, tests: [ANSWER] })).verdict).toBe('passed');
    await rm(copy, { recursive: true });
    expect((await grade(await open(), { program: RIGHT, tests: [ANSWER] })).verdict).toBe('passed');
  });

  test('a connection that is cut in the middle changes no verdict', async () => {
    const { sshd, open } = await machineBench();
    const grader = await open();
    // Each takes some hundred milliseconds, so that some are under way whenever the line is cut.
    const program = (n: number) => `import time\ntime.sleep(0.4)\n${RIGHT} # ${n}`;
    const right = Array.from({ length: 8 }, (_, n) =>
      grade(grader, { program: program(n), tests: [ANSWER, ANSWER] }),
    );
    const wrong = Array.from({ length: 4 }, (_, n) =>
      grade(grader, { program: `import time\ntime.sleep(0.4)\nprint(41 - ${n})`, tests: [ANSWER] }),
    );
    await eventually('candidates run there', async () => (await runnersThere(sshd)) >= 2);
    await sshd.killSessions();
    const verdicts = (grades: Awaited<ReturnType<typeof grade>>[]) =>
      new Set(grades.map((one) => one.verdict));
    for (const verdict of verdicts(await Promise.all(right)))
      expect(['passed', 'sandbox-fault']).toContain(verdict);
    for (const verdict of verdicts(await Promise.all(wrong))) {
      expect(['wrong-answer', 'sandbox-fault']).toContain(verdict);
    }
    // When the line is back so are the verdicts.
    await eventually('grades again', async () => {
      const one = await grade(grader, { program: RIGHT, tests: [ANSWER], fresh: true });
      return one.verdict === 'passed';
    });
    await eventually('no runner without its grader', async () => (await runnersThere(sshd)) <= 8);
  });

  test('a machine that is down gives faults and no verdicts, and grades when it is up', async () => {
    const { sshd, open } = await machineBench();
    const grader = await open();
    const slow = grade(grader, {
      program: `import time\ntime.sleep(60)\n${RIGHT}`,
      tests: [ANSWER],
      limits: { ...LIMITS, wallSeconds: 120 },
    });
    await eventually('it runs there', async () => (await runnersThere(sshd)) >= 1);
    await sshd.down();
    expect(await slow).toMatchObject({ verdict: 'sandbox-fault' });
    const wrong = await grade(grader, { program: 'print(1)', tests: [ANSWER] });
    expect(wrong.verdict).toBe('sandbox-fault');
    await sshd.up();
    await eventually('grades again', async () => {
      const one = await grade(grader, { program: RIGHT, tests: [ANSWER], fresh: true });
      return one.verdict === 'passed';
    });
  });

  test('a hostile program there reaches nothing and leaves nothing', async () => {
    const { sshd, open } = await machineBench();
    const grader = await open();
    const verdictOf = async (program: string) =>
      (await grade(grader, { program, tests: [ANSWER] })).results[0]?.actual?.trim();
    expect(
      await verdictOf(`import os, socket
print(os.path.exists("/root"), os.path.exists("/var/tmp"), os.getuid(), [p for p in os.listdir("/proc") if p.isdigit()][0])
try: socket.create_connection(("127.0.0.1", ${sshd.port}))
except OSError: print("no network")`),
    ).toBe('False False 65534 1\nno network');
    const bomb = 'import os\nwhile True:\n  try: os.fork()\n  except OSError: pass';
    const daemon = 'import os, time\nif os.fork() == 0:\n  os.setsid()\n  time.sleep(600)\nprint(42)';
    const killer =
      'import os, signal\nfor pid in (1, os.getppid(), -1):\n  try: os.kill(pid, signal.SIGKILL)\n  except OSError: pass';
    expect((await grade(grader, { program: bomb, tests: [ANSWER], limits: LIMITS })).verdict).toBe(
      'time-limit',
    );
    expect((await grade(grader, { program: daemon, tests: [ANSWER] })).verdict).toBe('passed');
    expect((await grade(grader, { program: killer, tests: [ANSWER] })).verdict).toBe('wrong-answer');
    expect((await grade(grader, { program: RIGHT, tests: [ANSWER] })).verdict).toBe('passed');
    expect(grader.statistics().faults).toBe(0);
    await grader.dispose();
    await eventually('nothing is left there', async () => (await runnersThere(sshd)) === 0);
  });
});
