import type { GradingLimits, TestCase, Verdict } from '../../../../preload/contract';
import { LIMITS } from '../sandbox';

/** A hostile program and what is to become of it. */
export type Attack = {
  readonly name: string;
  readonly program: string;
  readonly verdict: Verdict;
  /** Expected output is "contained" when left out: the program prints it where it got nowhere. */
  readonly tests?: readonly TestCase[];
  readonly limits?: GradingLimits;
};

/** What a program that leaves a file behind calls it, wherever it may write. */
export const MARK = 'mars2-attack';

const attacks: Attack[] = [];
function attack(
  name: string,
  verdict: Verdict,
  program: string,
  more: Pick<Attack, 'tests' | 'limits'> = {},
) {
  attacks.push({ name, verdict, program, ...more });
}

const check = (source: string): Pick<Attack, 'tests'> => ({ tests: [{ kind: 'check', source }] });
const LIBC = 'import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\n';
/** Prints "contained" when every one of these expressions raises, or gives -1 as a refused system call does. */
function refused(before: string, ...expressions: readonly string[]): string {
  return `${before}
import os, socket
reached = []
for expression in ${JSON.stringify(expressions)}:
    try:
        if eval(expression) != -1: reached.append(expression)
    except (OSError, ValueError): pass
print(reached or "contained")`;
}

// Too much of everything
attack('a fork bomb', 'time-limit', 'import os\nwhile True:\n  try: os.fork()\n  except OSError: pass');
attack(
  'a fork bomb whose first process is gone',
  'passed',
  'import os\nprint("contained", flush=True)\nif os.fork() == 0:\n  while True:\n    try: os.fork()\n    except OSError: pass\nos._exit(0)',
);
attack('a memory bomb in one process', 'memory-limit', 'x = []\nwhile True: x.append(bytes(1 << 24))');
attack(
  'a memory bomb of many processes',
  'memory-limit',
  'import os, time\nfor _ in range(6):\n  if os.fork() == 0:\n    x = bytearray(200 << 20)\n    time.sleep(9)\ntime.sleep(9)',
  { limits: { ...LIMITS, cpuSeconds: 4, wallSeconds: 8 } },
);
attack(
  'a memory bomb by mmap',
  'passed',
  'import mmap\nheld = []\ntry:\n  while True: held.append(mmap.mmap(-1, 1 << 26))\nexcept OSError: print("contained")',
);
attack('a flood of stdout', 'output-limit', 'while True: print("x" * 4096)');
attack(
  'a line without end',
  'output-limit',
  'import sys\nwhile True: sys.stdout.write("x" * 65536); sys.stdout.flush()',
);
attack(
  'a flood of stderr',
  'passed',
  'import os\nfor _ in range(2000): os.write(2, b"e" * 65536)\nprint("contained")',
);
attack('an endless loop', 'time-limit', 'while True: pass');
attack(
  'an endless loop that catches everything',
  'time-limit',
  'while True:\n  try:\n    while True: pass\n  except BaseException: pass',
);
attack(
  'threads that sleep',
  'time-limit',
  'import threading, time\nfor _ in range(8): threading.Thread(target=time.sleep, args=(99,)).start()',
);
attack(
  'threads that are busy',
  'time-limit',
  'import threading\ndef f():\n  while True: pass\nfor _ in range(8): threading.Thread(target=f).start()',
);
attack(
  'daemon threads and an exit function after the end',
  'passed',
  'import atexit, threading, time\nthreading.Thread(target=time.sleep, args=(99,), daemon=True).start()\natexit.register(print, "contained")',
);
attack(
  'sixteen children that burn CPU',
  'time-limit',
  'import os\nfor _ in range(10):\n  if os.fork() == 0:\n    while True: pass\nwhile True: pass',
);
attack('recursion in Python without end', 'runtime-error', 'def f(): return f()\nf()');
attack(
  'recursion in C without end',
  'runtime-error',
  'import sys\nsys.setrecursionlimit(1 << 30)\nclass A:\n  def __getattr__(self, name): return getattr(self, name + "a")\nclass B:\n  def __repr__(self): return repr(self)\nrepr(B())',
);
attack(
  'a JSON value of great depth',
  'wrong-answer',
  'def f():\n  x = []\n  for _ in range(40000): x = [x]\n  return x',
  {
    tests: [{ kind: 'call', input: '', expected: '[]' }],
  },
);
attack('an integer too long to print', 'runtime-error', 'print(10 ** 100000)');
attack('an integer too large to hold', 'time-limit', 'x = 7\nwhile True: x = x * x % (1 << 50000000)');

// Signals
attack(
  'signals to the runner',
  'passed',
  'import os\nfor n in range(1, 65):\n  try: os.kill(1, n); os.kill(os.getppid(), n)\n  except (OSError, ValueError): pass\nprint("contained")',
);
attack(
  'SIGSTOP and SIGKILL to everything',
  'passed',
  'import os\nfor n in (19, 9):\n  try: os.kill(-1, n)\n  except ProcessLookupError: pass\nprint("contained")',
);
attack('SIGKILL to itself', 'runtime-error', 'import os\nos.kill(os.getpid(), 9)');
attack('SIGSTOP to itself', 'time-limit', 'import os\nos.kill(os.getpid(), 19)');
attack('SIGKILL to its own group', 'runtime-error', 'import os\nos.killpg(0, 9)');
attack('an alarm that strikes', 'runtime-error', 'import signal, time\nsignal.alarm(1)\ntime.sleep(9)');
attack(
  'an interval timer whose signal is ignored',
  'time-limit',
  'import signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nsignal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)\nwhile True: pass',
);
attack('a segmentation fault', 'runtime-error', 'import ctypes\nctypes.memset(0, 1, 1)');
attack(
  'a pickle that ends the process',
  'runtime-error',
  'import os, pickle\nclass A:\n  def __reduce__(self): return os._exit, (7,)\npickle.loads(pickle.dumps(A()))',
);

// The runner, its memory and its limits
attack(
  'tracing and reading the runner',
  'passed',
  refused(
    LIBC,
    'libc.ptrace(16, 1, 0, 0)',
    'libc.process_vm_readv(1, 0, 0, 0, 0, 0)',
    'libc.process_vm_writev(1, 0, 0, 0, 0, 0)',
    'libc.syscall(312, 1, 1, 0, 0, 0)',
    'open("/proc/1/mem", "r+b")',
    'open("/proc/1/maps").read()',
    'open("/proc/1/environ").read()',
    'os.listdir("/proc/1/fd")',
    'os.readlink("/proc/1/exe")',
    'os.listdir("/proc/1/map_files")',
  ),
);
attack(
  'stealing a descriptor of the runner',
  'passed',
  refused(
    LIBC,
    'libc.syscall(438, os.pidfd_open(1), 0, 0)',
    'open("/proc/1/fd/0")',
    'open("/proc/1/fd/1", "w")',
  ),
);
attack(
  'the limits and the priority of the runner',
  'passed',
  refused(
    `${LIBC}import resource\n`,
    'resource.prlimit(1, resource.RLIMIT_NOFILE, (3, 3))',
    'resource.prlimit(1, resource.RLIMIT_AS, (1, 1))',
    'os.setpriority(os.PRIO_PROCESS, 1, 19)',
    'os.setpriority(os.PRIO_USER, 0, 19)',
    'os.sched_setaffinity(1, {0})',
    'os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0))',
    'open("/proc/1/oom_score_adj", "w").write("1000")',
    'open("/proc/1/comm", "w").write("x")',
  ),
);
attack(
  'its own limits',
  'passed',
  refused(
    'import resource\n',
    ...['AS', 'CPU', 'NPROC', 'FSIZE', 'NOFILE'].map(
      (kind) => `resource.setrlimit(resource.RLIMIT_${kind}, (-1, -1))`,
    ),
  ),
);
attack(
  'closing every descriptor, then an endless loop',
  'time-limit',
  'import os\nos.closerange(0, 1024)\nwhile True: pass',
);
attack(
  'writing to every descriptor',
  'wrong-answer',
  'import os\nfor fd in range(1, 1024):\n  try: os.write(fd, b"contained\\n" * 3)\n  except OSError: pass',
);
attack(
  'printing a report of the runner',
  'wrong-answer',
  'import os, struct\nframe = struct.pack("<BBhIIIIdd", 2, 0, 0, 0, 10, 0, 0, 0, 0) + b"contained\\n"\nfor fd in range(1, 64):\n  try: os.write(fd, frame)\n  except OSError: pass',
);
attack(
  'guessing the token of the end',
  'runtime-error',
  'import os\nfor i in range(99): os.write(3, b"%032x" % i + b\'{"end": "finished"}\')\nos._exit(0)',
  check('assert False'),
);
attack('leaving before a check', 'runtime-error', 'import os\nos._exit(0)', check('assert False'));
attack('sys.exit before a check', 'runtime-error', 'import sys\nsys.exit(0)', check('assert False'));
attack('leaving before any output', 'wrong-answer', 'import os\nos._exit(0)');
attack('leaving after the output', 'passed', 'import os\nprint("contained", flush=True)\nos._exit(0)');

// The comparison
attack(
  'other builtins and modules for the comparison',
  'runtime-error',
  'import builtins, json, operator, sys\nclass Yes(str):\n  def __eq__(self, other): return True\n  def __ne__(self, other): return False\nbuiltins.str = Yes\njson.dumps = lambda *a, **k: "contained"\noperator.eq = lambda *a: True\nfor name, module in list(sys.modules.items()):\n  if "mars2" in name: vars(module).clear()\nprint("no")',
);
attack(
  'a stream of its own as stdout',
  'wrong-answer',
  'import sys\nclass S:\n  def write(self, text): return len(text)\n  def flush(self): sys.stdout = None\nsys.stdout = S()\nprint("contained")',
);
attack(
  'a value that equals everything',
  'wrong-answer',
  'class Any:\n  def __eq__(self, other): return True\n  def __ne__(self, other): return False\ndef f(): return Any()',
  { tests: [{ kind: 'call', input: '', expected: '"right"' }] },
);
attack(
  'a list that equals everything',
  'wrong-answer',
  'class Any(list):\n  def __eq__(self, other): return True\ndef f(): return Any([0])',
  { tests: [{ kind: 'call', input: '', expected: '[1]' }] },
);
attack('NaN for NaN', 'wrong-answer', 'def f(): return float("nan")', {
  tests: [{ kind: 'call', input: '', expected: 'NaN' }],
});
attack(
  'the expected output in the memory that it has',
  'passed',
  `import ctypes, gc, sys
needle = "".join(["the-expec", "ted-out", "put"])
found = []
frame = sys._getframe()
while frame is not None:
    found += [k for k, v in list(frame.f_locals.items()) + list(frame.f_globals.items()) if isinstance(v, (str, bytes)) and v is not needle and needle in str(v) and k != "__doc__"]
    frame = frame.f_back
found += [o for o in gc.get_objects() if isinstance(o, dict) and o is not globals() and any(isinstance(v, str) and v is not needle and v == needle + "!" for v in list(o.values()))]
print("contained" if not found else found)`,
);

// What others have
attack(
  'the user’s files, accounts and the journal',
  'passed',
  refused(
    '',
    ...[
      '/root',
      '/home',
      '/etc/shadow',
      '/etc/passwd',
      '/var',
      '/work',
      '/data',
      '/sys',
      '/run',
      '/boot',
    ].map((path) => `os.listdir("${path}") if os.path.isdir("${path}") else open("${path}")`),
  ),
);
attack(
  'the environment',
  'passed',
  'import os\nodd = set(os.environ) - {"HOME", "LANG", "MALLOC_ARENA_MAX", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PATH", "PWD", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED"}\nprint(odd or "contained")',
);
attack(
  'writing where it may not',
  'passed',
  refused(
    '',
    ...[
      '/',
      '/usr',
      '/usr/bin',
      '/usr/lib',
      '/dev',
      '/grader',
      '/grader/mars2_grader',
      '/proc/sys/kernel',
    ].map((folder) => `open("${folder}/${MARK}", "w")`),
    'open("/grader/mars2_grader/runner.py", "a")',
    'open("/proc/sys/kernel/hostname", "w").write("x")',
    'open("/proc/sysrq-trigger", "w").write("b")',
  ),
);
attack(
  'devices',
  'passed',
  refused(
    '',
    ...['mem', 'kmsg', 'sda', 'vda', 'kvm', 'fuse', 'loop0', 'tty1', 'input/event0'].map(
      (name) => `open("/dev/${name}", "rb")`,
    ),
    'os.mknod("/tmp/sda", 0o60600, os.makedev(8, 0))',
    'os.mknod("/tmp/mem", 0o20600, os.makedev(1, 1))',
  ),
);
attack(
  'the network',
  'passed',
  refused(
    '',
    'socket.create_connection(("127.0.0.1", 22), 1)',
    'socket.create_connection(("192.0.2.1", 80), 1)',
    'socket.socket(socket.AF_INET, socket.SOCK_DGRAM)',
    'socket.socket(socket.AF_INET6)',
    'socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)',
    'socket.socket(socket.AF_PACKET, socket.SOCK_RAW)',
    'socket.socket(socket.AF_VSOCK)',
    'socket.getaddrinfo("example.org", 80)',
    'socket.socket(socket.AF_UNIX).connect("\\0/tmp/.X11-unix/X0")',
    'socket.socket(socket.AF_UNIX).connect("/run/dbus/system_bus_socket")',
  ),
);

// More rights, and more of the kernel
attack(
  'new namespaces, mounts and another root',
  'passed',
  refused(
    LIBC,
    ...['0x10000000', '0x20000', '0x20000000', '0x40000000', '0x8000000'].map(
      (flags) => `libc.unshare(${flags})`,
    ),
    'libc.syscall(56, 0x10000011, 0, 0, 0, 0)',
    'libc.syscall(435, 0, 0)',
    'libc.mount(b"none", b"/tmp", b"tmpfs", 0, None)',
    'libc.umount2(b"/tmp", 2)',
    'libc.syscall(155, b"/tmp", b"/tmp")',
    'os.chroot("/tmp")',
    'os.setuid(0)',
    'os.setgroups([0])',
  ),
);
attack(
  'keys, BPF, io_uring, performance counters, faults, modules',
  'passed',
  refused(
    LIBC,
    'libc.syscall(248, b"user", b"a", b"x", 1, -3)',
    'libc.syscall(250, 1, None)',
    'libc.syscall(321, 0, None, 0)',
    'libc.syscall(425, 8, None)',
    'libc.syscall(298, None, 0, -1, -1, 0)',
    'libc.syscall(323, 0)',
    'libc.syscall(313, 0, b"", 0)',
    'libc.syscall(246, 0, 0, 0, 0)',
    'libc.syscall(135, 0x0040000)',
    'libc.syscall(303, -100, b"/", 0, 0, 0)',
    'libc.syscall(500, 0)',
  ),
);
attack(
  'calls of a 32-bit program by number',
  'passed',
  refused(LIBC, 'libc.syscall(0x40000000 + 39)', 'libc.syscall(0x40000000 + 56, 0x10000011, 0, 0, 0, 0)'),
);

// What it leaves behind
attack(
  'a daemon',
  'passed',
  'import os, subprocess\nif os.fork() == 0:\n  os.setsid()\n  if os.fork() == 0:\n    subprocess.Popen(["/bin/sleep", "999"], start_new_session=True)\n    import time; time.sleep(999)\n  os._exit(0)\nos.wait()\nprint("contained")',
);
attack(
  'daemons that beget each other',
  'passed',
  'import os\nprint("contained", flush=True)\nif os.fork() == 0:\n  os.setsid()\n  while True:\n    if os.fork() != 0: os._exit(0)\nos._exit(0)',
);
attack(
  'files and hidden files in /tmp and /dev/shm',
  'passed',
  `import os\nfor folder in ("/tmp", "/dev/shm"):\n  os.makedirs(folder + "/.a/b/c")\n  open(folder + "/${MARK}", "w").write("x")\n  open(folder + "/.a/b/c/x", "w").write("x")\nprint("contained")`,
);
attack(
  'a full /tmp',
  'passed',
  'try:\n  for i in range(99): open(f"/tmp/{i}", "wb").write(bytes(8 << 20))\nexcept OSError: print("contained")',
);
attack(
  'many small files in /tmp',
  'passed',
  'import os\ntry:\n  for i in range(20000): os.close(os.open(f"/tmp/{i}", os.O_CREAT | os.O_WRONLY))\nexcept OSError: pass\nprint("contained")',
  { limits: { ...LIMITS, cpuSeconds: 10, wallSeconds: 30 } },
);
attack(
  'a very deep folder',
  'passed',
  'import os\nos.chdir("/tmp")\nfor i in range(3000): os.mkdir("d"); os.chdir("d")\nprint("contained")',
);
attack(
  'a folder that nobody may enter',
  'passed',
  'import os\nos.makedirs("/tmp/a/b")\nopen("/tmp/a/b/c", "w").write("x")\nos.chmod("/tmp/a/b", 0)\nos.chmod("/tmp/a", 0)\nos.chmod("/tmp", 0)\nprint("contained")',
);
attack(
  'symbolic and hard links out of /tmp',
  'passed',
  refused(
    'import os\nos.symlink("/", "/tmp/root")\nos.symlink("/proc/1/root", "/tmp/outer")\nos.symlink("..", "/tmp/up")\nos.symlink("/grader", "/tmp/z")\n',
    'os.listdir("/tmp/root/home")',
    'os.listdir("/tmp/outer")',
    'os.link("/usr/bin/env", "/tmp/env")',
    'os.link("/grader/mars2_grader/runner.py", "/tmp/runner")',
    `open("/tmp/z/${MARK}", "w")`,
  ),
);
attack(
  'shared memory, semaphores and queues for the next one',
  'passed',
  refused(
    LIBC,
    'libc.shmget(4711, 4096, 0o1666)',
    'libc.semget(4711, 1, 0o1666)',
    'libc.msgget(4711, 0o1666)',
    'libc.mq_open(b"/q", 0o102, 0o600, None)',
    'libc.setxattr(b"/tmp", b"user.a", b"x", 1, 0)',
  ),
);
attack(
  'shared memory under a name',
  'passed',
  'from multiprocessing import shared_memory\nm = shared_memory.SharedMemory("trace", True, 4096)\nm.buf[:3] = b"abc"\nimport os\nprint("contained", flush=True)\nos._exit(0)',
);
attack(
  'a listener on an abstract socket',
  'passed',
  'import os, socket, time\ns = socket.socket(socket.AF_UNIX)\ns.bind("\\0trace")\ns.listen()\nif os.fork() == 0:\n  os.setsid()\n  time.sleep(99)\nprint("contained")',
);

export const ATTACKS: readonly Attack[] = attacks;
