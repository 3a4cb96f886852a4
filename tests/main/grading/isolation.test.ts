import { afterEach, describe, expect, test } from 'vitest';
import type { Grader } from '../../../main/grading';
import { openSandboxGrader, probeSandbox } from '../../../main/grading';
import { grade, openGrader, RESOURCES } from './sandbox';

let grader: Grader | null = null;
afterEach(async () => {
  await grader?.dispose();
  grader = null;
});

const KEYS = 'import ctypes, os\nlibc = ctypes.CDLL(None)\nlibc.shmat.restype = ctypes.c_void_p\n';

/**
 * What a candidate could leave for the next one in the same sandbox, and how that one would find it. Where it is
 * already refused to leave it, the candidate itself does not find it either.
 */
const traces: readonly [what: string, leave: string, find: string, isRefused?: 'refused'][] = [
  ['a file in /tmp', 'open("/tmp/trace", "w").write("x")', 'os.path.exists("/tmp/trace")'],
  ['a file in /dev/shm', 'open("/dev/shm/trace", "w").write("x")', 'os.path.exists("/dev/shm/trace")'],
  ['shared memory', 'libc.shmget(4711, 4096, 0o1666)', 'libc.shmget(4711, 4096, 0o666) >= 0', 'refused'],
  ['a message queue', 'libc.msgget(4711, 0o1666)', 'libc.msgget(4711, 0o666) >= 0', 'refused'],
  ['a changed module', 'math.trace = 1', 'hasattr(math, "trace")'],
  [
    'a key of the session',
    'libc.syscall(248, b"user", b"trace", b"x", 1, -3)',
    'libc.syscall(249, b"user", b"trace", None, -3) >= 0',
    'refused',
  ],
  ['the mode of /tmp', 'os.chmod("/tmp", 0o700)', 'os.stat("/tmp").st_mode & 0o777 == 0o700'],
  ['the time of /tmp', 'os.utime("/tmp", ns=(7, 7))', 'os.stat("/tmp").st_mtime_ns == 7'],
  [
    'a file without a name',
    'os.open("/tmp", os.O_TMPFILE | os.O_RDWR, 0o600)',
    'os.statvfs("/tmp").f_ffree < os.statvfs("/tmp").f_files - 1',
  ],
  [
    'an attribute of /tmp',
    'libc.setxattr(b"/tmp", b"user.a", b"x", 1, 0)',
    'bool(os.listxattr("/tmp"))',
    'refused',
  ],
  [
    'another priority of the runner',
    'libc.setpriority(0, 1, 19)',
    'os.getpriority(os.PRIO_PROCESS, 1) == 19',
    'refused',
  ],
  [
    'another limit of the runner',
    'import resource\ntry: resource.prlimit(1, resource.RLIMIT_NOFILE, (20, 20))\nexcept PermissionError: pass',
    '__import__("resource").getrlimit(7)[0] == 20',
    'refused',
  ],
  [
    'a process with an abstract socket',
    'import socket\ns = socket.socket(socket.AF_UNIX)\ns.bind("\\0trace")\ns.listen()\nif os.fork() == 0:\n  os.setsid()\n  import time\n  time.sleep(60)',
    '__import__("socket").socket(__import__("socket").AF_UNIX).connect_ex("\\0trace") == 0',
  ],
];

describe('between candidates that follow each other in one sandbox', () => {
  for (const [what, leave, find, isRefused] of traces) {
    // The numbers of the system calls for keys are those of x86-64.
    test.skipIf(what.includes('key') && process.arch !== 'x64')(`${what} does not last`, async () => {
      grader = await openGrader(1, 'shared');
      const tests = [{ kind: 'stdin', input: '', expected: 'True' } as const];
      // The way to find it works: the program that has left it does.
      const own = await grade(grader, { program: `${KEYS}${leave}\nprint(${find})`, tests });
      expect([what, own.results[0]?.actual]).toEqual([what, isRefused ? 'False\n' : 'True\n']);
      const next = await grade(grader, { program: `${KEYS}print(${find})`, tests });
      expect(next.results[0]?.actual).toBe('False\n');
    });
  }
});

test('no text of an earlier candidate is in the memory of the next one: program, input, output, errors', async () => {
  grader = await openGrader(1, 'shared');
  const pieces = ['the-secret', '-of-the-', 'first-one'];
  const secret = pieces.join('');
  const first = `import sys\nx = "${secret}"\nprint(input() + x)\nprint(x, file=sys.stderr)\nraise ValueError(x)`;
  await grade(grader, { program: first, tests: [{ kind: 'stdin', input: secret, expected: secret }] });
  await grade(grader, {
    program: `def f(a): return a + "${secret}"`,
    entryPoint: 'f',
    tests: [{ kind: 'call', input: `"${secret}"`, expected: '1' }],
  });
  // Put together only here, so that what is found is not the program's own text.
  const scan = `
import ctypes
needle = b"".join(${JSON.stringify(pieces)}.__class__(p.encode() for p in ${JSON.stringify(pieces)}))
found = 0
for line in open("/proc/self/maps"):
    fields = line.split()
    if "r" not in fields[1] or (len(fields) > 5 and fields[5].startswith(("/usr", "[v"))): continue
    low, high = (int(x, 16) for x in fields[0].split("-"))
    found += ctypes.string_at(low, high - low).count(needle)
print("found", found > 3)`;
  const next = await grade(grader, { program: scan, tests: [{ kind: 'stdin', input: '', expected: '' }] });
  expect(next.results[0]?.actual).toBe('found False\n');
});

describe('the front door', () => {
  test('prefers a sandbox even where none is demanded', async () => {
    const opened = await openSandboxGrader({
      resourcesDir: RESOURCES,
      concurrency: 1,
      allowUnsandboxed: true,
    });
    if (!opened.ok) throw new Error(opened.error.message);
    grader = opened.value;
    expect(grader.isolation).toBe('sandbox');
    expect(grader.python).toMatch(/^3\.\d+\.\d+$/);
  });

  test('the probe finds nothing missing where the grader opens', async () => {
    expect(await probeSandbox({ resourcesDir: RESOURCES, allowUnsandboxed: false })).toBeNull();
  });
});

describe('without a sandbox, by the user’s word', () => {
  const tests = [{ kind: 'stdin', input: '', expected: 'ok' } as const];

  test('limits and verdicts are the same', async () => {
    grader = await openGrader(2, 'bare');
    expect(grader.isolation).toBe('none');
    const verdicts = [
      'print("ok")',
      'print("no")',
      '1 / 0',
      'while True: pass',
      'x = bytearray(10**10)',
      'while True: print(1)',
    ];
    const graded = await Promise.all(verdicts.map((program) => grade(grader as Grader, { program, tests })));
    expect(graded.map((one) => one.verdict)).toEqual([
      'passed',
      'wrong-answer',
      'runtime-error',
      'time-limit',
      'memory-limit',
      'output-limit',
    ]);
  });

  test('a program that kills its runner has failed, and the sandbox has not', async () => {
    grader = await openGrader(1, 'bare');
    const program = 'import os, time\nos.kill(os.getppid(), 9)\ntime.sleep(1)';
    const { verdict, results } = await grade(grader, { program, tests });
    expect([verdict, results[0]?.error]).toEqual([
      'runtime-error',
      'The program ended the process that runs it.',
    ]);
  });

  test('a daemon is ended with its test', async () => {
    grader = await openGrader(1, 'bare');
    const program = 'import os, time\nif os.fork() == 0:\n  os.setsid()\n  time.sleep(60)\nprint("ok")';
    const count =
      'import os\nprint("ok" if len(open(f"/proc/{os.getppid()}/task/{os.getppid()}/children").read().split()) == 1 else "left")';
    expect((await grade(grader, { program, tests: [...tests, ...tests] })).verdict).toBe('passed');
    expect((await grade(grader, { program: count, tests })).verdict).toBe('passed');
  });
});
