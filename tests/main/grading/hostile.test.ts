import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Grader } from '../../../main/grading';
import type { Grade, GradingLimits, Verdict } from '../../../preload/contract';
import { processTable } from './process-table';
import { grade, LIMITS, openGrader, SOON_OVER } from './sandbox';

describe.each(['shared', 'nested', 'single'] as const)('in a %s sandbox', (kind) => {
  let grader: Grader;
  beforeAll(async () => {
    grader = await openGrader(2, kind);
  });
  afterAll(() => grader.dispose());

  /** Runs the program as a stdin test that expects "ok". */
  function run(program: string, limits: GradingLimits = LIMITS): Promise<Grade> {
    return grade(grader, { program, tests: [{ kind: 'stdin', input: '', expected: 'ok' }], limits });
  }

  /** The expression's value as the program sees it, or the name of its exception. */
  async function seen(expression: string, before = ''): Promise<string> {
    const program = `import os, socket\n${before}\ntry: print(${expression})\nexcept BaseException as e: print(type(e).__name__)`;
    return (await run(program)).results[0]?.actual?.trim() ?? '';
  }

  async function verdictOf(program: string, limits?: GradingLimits): Promise<Verdict> {
    return (await run(program, limits)).verdict;
  }

  describe('a hostile program sees', () => {
    test('no network: no address family but that of its own sockets', async () => {
      for (const family of ['AF_INET', 'AF_INET6', 'AF_NETLINK', 'AF_PACKET', 'AF_VSOCK', 'AF_ALG']) {
        expect([family, await seen(`socket.socket(socket.${family})`)]).toEqual([family, 'OSError']);
      }
      expect(await seen('socket.create_connection(("127.0.0.1", 9), 1)')).toBe('OSError');
      expect(await seen('socket.getaddrinfo("example.org", 80)')).toBe('gaierror');
      expect(await seen('len(socket.socketpair())')).toBe('2');
      expect(await seen('os.listdir("/sys/class/net")')).toBe('FileNotFoundError');
    });

    test('no home, no repository, no accounts, no other temporary file', async () => {
      const secret = mkdtempSync(join(tmpdir(), 'secret-'));
      writeFileSync(join(secret, 'key'), 'secret');
      for (const path of [
        homedir(),
        process.cwd(),
        '/etc/shadow',
        '/etc/passwd',
        '/home',
        '/root',
        '/var',
        secret,
      ]) {
        expect([path, await seen(`os.stat(${JSON.stringify(path)}) and "there"`)]).toEqual([
          path,
          'FileNotFoundError',
        ]);
      }
      rmSync(secret, { recursive: true });
    });

    test('no environment of ours', async () => {
      expect(await seen('sorted(os.environ)')).toBe(
        "['HOME', 'LANG', 'MALLOC_ARENA_MAX', 'MKL_NUM_THREADS', 'OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'PATH', 'PWD', 'PYTHONDONTWRITEBYTECODE', 'PYTHONHASHSEED']",
      );
    });

    test('no process but the runner and itself', async () => {
      expect(
        await seen('sorted(p for p in os.listdir("/proc") if p.isdigit()) == ["1", str(os.getpid())]'),
      ).toBe('True');
    });

    test('nobody as its user, without capabilities or a way to new ones', async () => {
      expect(await seen('os.getuid(), os.getgid()')).toBe('65534 65534');
      const status = await seen(
        '[l.split() for l in open("/proc/self/status") if l[:6] in ("CapEff", "NoNewP")]',
      );
      expect(status).toBe("[['CapEff:', '0000000000000000'], ['NoNewPrivs:', '1']]");
    });

    test('no expected output anywhere in its memory', async () => {
      // The needle is put together only at the end, so that the program does not find its own text.
      const program = `
import ctypes, os
needle = b"".join([b"the-expec", b"ted-output-of-this-test"])
found = 0
for line in open("/proc/self/maps"):
    fields = line.split()
    if "r" not in fields[1] or (len(fields) > 5 and fields[5].startswith(("/usr", "[v"))): continue
    low, high = (int(x, 16) for x in fields[0].split("-"))
    found += ctypes.string_at(low, high - low).count(needle)
print("found", found > 3)`;
      const tests = [{ kind: 'stdin', input: '', expected: 'the-expected-output-of-this-test' } as const];
      expect((await grade(grader, { program, tests })).results[0]?.actual ?? '').toBe('found False\n');
    });
  });

  describe('a hostile program cannot', () => {
    test('write anywhere but in /tmp and /dev/shm', async () => {
      for (const folder of [
        '/',
        '/usr',
        '/usr/bin',
        '/dev',
        '/grader',
        '/grader/mars2_grader',
        '/proc',
        '/proc/sys/kernel',
      ]) {
        const outcome = await seen(`open("${folder}/x", "w") and "written"`);
        expect([folder, ['OSError', 'PermissionError', 'FileNotFoundError'].includes(outcome)]).toEqual([
          folder,
          true,
        ]);
      }
      const name = `written-${randomUUID()}`;
      expect(await seen(`open("/tmp/${name}", "w") and open("/dev/shm/${name}", "w") and "written"`)).toBe(
        'written',
      );
      expect(existsSync(`/tmp/${name}`) || existsSync(`/dev/shm/${name}`)).toBe(false);
    });

    test('fill /tmp beyond its size', async () => {
      const fill = `
written = 0
try:
    for i in range(99):
        with open(f"/tmp/{i}", "wb") as f: written += f.write(bytes(8 << 20))
except OSError: pass`;
      expect(await seen('written >> 20', fill)).toBe('64');
    });

    test('kill, stop or trace the runner', async () => {
      for (const signal of [9, 19, 15, 2, 1, 11, 17]) {
        expect([
          signal,
          await verdictOf(`import os\nos.kill(1, ${signal}); os.kill(os.getppid(), ${signal}); print("ok")`),
        ]).toEqual([signal, 'passed']);
      }
      const libc = 'import ctypes\nlibc = ctypes.CDLL(None)';
      expect(await seen('libc.ptrace(16, 1, 0, 0)', libc)).toBe('-1');
      expect(await seen('open("/proc/1/mem", "r+b") and "open"')).toBe('PermissionError');
      expect(await seen('os.listdir("/proc/1/fd")')).toBe('PermissionError');
      expect(await seen('open("/proc/1/environ").read()')).toBe('PermissionError');
      expect(grader.statistics().faults).toBe(0);
    });

    test('end anything but itself with kill(-1)', async () => {
      expect(await verdictOf('import os\ntry: os.kill(-1, 9)\nexcept ProcessLookupError: print("ok")')).toBe(
        'passed',
      );
      expect(await verdictOf('import os, signal\nos.killpg(0, signal.SIGKILL)')).toBe('runtime-error');
    });

    test('leave a process behind', async () => {
      const mark = `9876${process.pid}`;
      const daemon = `
import os, subprocess
if os.fork() == 0:
    os.setsid()
    subprocess.Popen(["/bin/sleep", "${mark}"], start_new_session=True)
    os._exit(0)
os.wait()
print("ok", flush=True)`;
      expect(await verdictOf(daemon)).toBe('passed');
      expect(processTable().filter((entry) => entry.command.includes(mark))).toEqual([]);
    });

    test('outgrow its number of processes with a fork bomb', async () => {
      const bomb = 'import os\nwhile True:\n  try: os.fork()\n  except OSError: pass';
      expect(await verdictOf(bomb, SOON_OVER)).toBe('time-limit');
      const count = `
import os, time
children = 0
try:
    while children < 500:
        if os.fork() == 0: time.sleep(9); os._exit(0)
        children += 1
except OSError: pass`;
      expect(await seen('children', count)).toBe(String(LIMITS.processes - 1));
    });

    test('outgrow its number of threads', async () => {
      const count = `
import threading
threads = 0
wait = threading.Event()
try:
    while threads < 500:
        threading.Thread(target=wait.wait, daemon=True).start()
        threads += 1
except RuntimeError: pass`;
      expect(await seen('threads', count)).toBe(String(LIMITS.processes - 1));
    });

    test('add up memory over many processes', async () => {
      const program = `
import os, time
for _ in range(6):
    if os.fork() == 0:
        x = bytearray(200 << 20)
        time.sleep(9)
time.sleep(9)`;
      expect(await verdictOf(program, { ...LIMITS, wallSeconds: 8, cpuSeconds: 4 })).toBe('memory-limit');
    });

    test('raise its own limits', async () => {
      const raise =
        'import resource\nkinds = [resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_NPROC, resource.RLIMIT_FSIZE]';
      expect(await seen('[resource.setrlimit(k, (-1, -1)) for k in kinds]', raise)).toBe('ValueError');
    });

    test('outlive its CPU time by ignoring signals', async () => {
      const program = `
import signal
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
while True: pass`;
      expect(await verdictOf(program, SOON_OVER)).toBe('time-limit');
    });

    test('outlive its CPU time by catching everything', async () => {
      const program = 'while True:\n  try:\n    while True: pass\n  except BaseException: pass';
      expect(await verdictOf(program, SOON_OVER)).toBe('time-limit');
    });

    test('get into a further user namespace', async () => {
      const before = 'import ctypes\nlibc = ctypes.CDLL(None)';
      expect(await seen('libc.unshare(0x10000000)', before)).toBe('-1');
    });

    test('make the sandbox look broken', async () => {
      const programs = [
        'import os\nos.closerange(0, 999)',
        'import os\nos.closerange(0, 999)\nwhile True: pass',
        'import os\nfor fd in range(99):\n  try: os.write(fd, b"{}\\n" * 9999)\n  except OSError: pass',
        'import os\nfor fd in range(99):\n  try: os.write(fd, b"\\xff" * 99)\n  except OSError: pass',
        'import os\nfor i in range(300): os.mkdir("d"); os.chdir("d")',
        'sys.stdout = None',
        'sys.stdout.close()',
        'import json, os\njson.dumps = None\nos._exit = None\nos.write = None',
        'sys.modules.clear()',
        'import builtins\nfor name in dir(builtins):\n  if not name.startswith("__"): delattr(builtins, name)',
        'raise type("E", (Exception,), {"__str__": lambda self: 1 / 0})',
        'class E(Exception):\n  def __str__(self):\n    while True: pass\nraise E()',
        'print("\\ud800")',
        '"\\0"\n\0',
        '('.repeat(5_000),
        `x = ${'-'.repeat(100_000)}1`,
        'import faulthandler, ctypes\nctypes.CDLL(None).abort()',
      ];
      for (const program of programs) {
        const { verdict } = await run(program, SOON_OVER);
        expect([program.slice(0, 80), verdict]).toEqual([
          program.slice(0, 80),
          expect.not.stringMatching('sandbox-fault|passed'),
        ]);
      }
      expect(grader.statistics().faults).toBe(0);
    });
  });

  describe('a hostile program cannot forge', () => {
    const forged = JSON.stringify({ end: 'finished', output: 'right', error: null, cpuMs: 0, wallMs: 0 });

    test('a report of the runner by printing one', async () => {
      const program = `
import os
for fd in range(64):
    try: os.write(fd, ${JSON.stringify(`\n${forged}\n`)}.encode() * 3)
    except OSError: pass`;
      const tests = ['right', 'right'].map((expected) => ({ kind: 'stdin', input: '', expected }) as const);
      const { results } = await grade(grader, { program, tests });
      expect(results.map((result) => result.verdict)).toEqual(['wrong-answer', 'wrong-answer']);
    });

    test('the end of a check by writing one without the token', async () => {
      const program = `import os\nos.write(3, b'0' * 32 + b'{"end": "finished"}')\nos._exit(0)`;
      const { verdict } = await grade(grader, {
        program,
        tests: [{ kind: 'check', source: 'assert False' }],
      });
      expect(verdict).toBe('runtime-error');
    });

    test('the result of a later test through what it leaves behind', async () => {
      const program = `
import os, sys
if os.fork() == 0:
    os.setsid()
    while True:
        for fd in range(64):
            try: os.write(fd, b"right\\n")
            except OSError: pass
print("right" if input() == "1" else "wrong")`;
      const tests = ['1', '2', '2'].map((input) => ({ kind: 'stdin', input, expected: 'right' }) as const);
      const { results } = await grade(grader, { program, tests });
      expect(results.slice(1).map((result) => result.verdict)).toEqual(['wrong-answer', 'wrong-answer']);
    });
  });
});
