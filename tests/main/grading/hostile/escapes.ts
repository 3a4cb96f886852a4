/**
 * Programs that would reach the programs that come after them if they ran in the common process, or that end otherwise
 * than such a process may say. Each gets a process of its own, and what came out of it there is what counts.
 */
export type Escape = {
  readonly name: string;
  readonly program: string;
  /** Whether only the clock ends it, so that a test gives it little of it. */
  readonly endless: boolean;
};

const escapes: Escape[] = [];
function escapeBy(name: string, ...lines: readonly string[]) {
  escapes.push({ name, program: lines.join('\n'), endless: false });
}
function neverEndBy(name: string, ...lines: readonly string[]) {
  escapes.push({ name, program: lines.join('\n'), endless: true });
}

// From a value to the interpreter.
escapeBy('classes above a value', 'print([].__class__.__mro__[-1].__subclasses__())');
escapeBy('the globals of a function', 'def f(): pass\nprint(len(f.__globals__))');
escapeBy('the code of a function', 'def f(): pass\nprint(f.__code__.co_consts)');
escapeBy('what a function closes over', 'x = lambda: 1\nprint(x.__closure__)');
escapeBy('the dictionary of a module', 'import math\nmath.__dict__["sqrt"] = abs');
escapeBy('the builtins by their name', 'print(__builtins__)');
escapeBy('the loader', 'print(__loader__, __spec__)');
escapeBy('a frame of a generator', 'g = (i for i in [1])\nprint(g.gi_frame.f_back)');
escapeBy('the code of a generator', 'g = (i for i in [1])\nprint(g.gi_code)');
escapeBy(
  'a frame of a traceback',
  'try: 1 / 0\nexcept Exception as e: print(len(e.__traceback__.tb_frame.f_globals))',
);
escapeBy('a traceback put on', 'try: 1 / 0\nexcept Exception as e: raise e.with_traceback(None)');
escapeBy('the object of an AttributeError', 'try: print.x\nexcept AttributeError as e: print(e.obj)');
escapeBy('a coroutine’s frame', 'async def f(): pass\nc = f()\nprint(c.cr_frame)');
escapeBy('a class pattern', 'match []:\n  case list(__class__=c): print(c)');
escapeBy('any pattern', 'match 1:\n  case int(real=r): print(r)');
escapeBy('a format string with an attribute', 'print("{0.__class__}".format(1))');
escapeBy('a format string with an item', 'print("{0[0]}".format([1]))');
escapeBy('a format string in a format', 'print("{:{1.real}}".format(1, 2))');
escapeBy('a format string from elsewhere', 'f = "{0.__cl" + "ass__}"\nprint(f.format(1))');
escapeBy('a format as a function', 'print(str.format("{0.__class__}", 1))');
escapeBy('a format of a map', 'print("{a.__class__}".format_map({"a": 1}))');
escapeBy('an attribute by its name', 'print(getattr([], "__cl" + "ass__"))');
escapeBy('an attribute of operator’s', 'from operator import attrgetter\nprint(attrgetter("__class__")(1))');
escapeBy('a method of operator’s', 'import operator\nprint(operator.methodcaller("__dir__")(1))');
escapeBy('attributes through the prelude', 'print(attrgetter("__class__")(1))');
escapeBy('partial of getattr', 'from functools import partial\nprint(partial(getattr, [])("__class__"))');
escapeBy('reduce over attributes', 'from functools import reduce\nprint(reduce(getattr, ["__class__"], 1))');
escapeBy('map of getattr', 'print(list(map(getattr, [1], ["real"])))');
escapeBy('eval', 'print(eval("1 + 1"))');
escapeBy('exec', 'exec("print(1)")');
escapeBy('compile', 'print(compile("1", "", "eval"))');
escapeBy('the names here', 'print(sorted(globals()))');
escapeBy('the names of an object', 'print(vars(int))');
escapeBy('a directory', 'print(dir())');
escapeBy('an import by function', '__import__("os").getpid()');
escapeBy('importlib', 'import importlib\nprint(importlib)');
escapeBy('string’s formatter', 'import string\nprint(string.Formatter().format("{0.real}", 1))');
escapeBy('a template', 'from string import Template\nprint(Template("$a").substitute(a=1))');

// A class around all rules.
escapeBy('the type of types', 'print(type(int))');
escapeBy('type with three arguments', 'A = type("A", (), {"__del__": lambda self: print("late")})\nA()');
escapeBy('type by another name', 'make = type\nprint(make("A", (), {}))');
escapeBy('type in a map', 'print(list(map(type, [int])))');
escapeBy('type as a default', 'def f(t=type): return t(int)\nprint(f())');
escapeBy('type behind a star', 'print(type(*("A", (), {})))');
escapeBy('a metaclass', 'class M(type): pass\nclass A(metaclass=M): pass\nprint(A)');
escapeBy('a class with keywords', 'class A(object, x=1): pass');
escapeBy(
  'a hook for classes below',
  'class A:\n  def __init_subclass__(cls): print("sub")\nclass B(A): pass',
);
escapeBy(
  'attributes of its own making',
  'class A:\n  def __getattr__(self, name): return name\nprint(A().x)',
);
escapeBy('a false class', 'class A:\n  __class__ = int\nprint(isinstance(A(), int))');
escapeBy('a false module', 'class A:\n  __module__ = "collections"\nprint(A)');
escapeBy('pickling', 'class A:\n  def __reduce__(self): return print, ("late",)\nprint(A())');
escapeBy('slots', 'class A:\n  __slots__ = ["__del__"]\nprint(A())');
escapeBy('another super', 'import math\nsuper = lambda: math\nsuper().__init__("x")');
escapeBy('a method of a base', 'class A(dict):\n  def f(self): return dict.__init__(self)\nprint(A().f())');

// What runs later.
escapeBy('a finalizer', 'class A:\n  def __del__(self): print("late")\na = A()\na.a = a');
escapeBy('a finalizer stored', 'class A: pass\nA.__del__ = lambda self: print("late")\nA()');
escapeBy('a finalizer by setattr', 'class A: pass\nsetattr(A, "__del__", print)');
escapeBy(
  'a generator that ends late',
  'def g():\n  try: yield 1\n  finally: print("late")\na = g()\nnext(a)\nb = [a]\nb.append(b)',
);
escapeBy(
  'a generator that ignores its end',
  'def g():\n  while True:\n    try: yield 1\n    except: pass\na = g()\nnext(a)',
);
escapeBy(
  'a generator in with',
  'class A:\n  def __enter__(self): pass\n  def __exit__(self, *a): print("late")\ndef g():\n  with A(): yield 1\nh = g()\nnext(h)',
);
escapeBy(
  'yield from what can be closed',
  'class A:\n  def __iter__(self): return self\n  def __next__(self): return 1\n  def close(self): print("late")\ndef g(): yield from A()\nh = g()\nnext(h)',
);
escapeBy(
  'yield from a named tuple',
  'from collections import namedtuple as n\nA = n("A", "close")\ndef g(): yield from A(print)\nnext(g())',
);
escapeBy('a weak reference', 'import weakref\nclass A: pass\na = A()\nr = weakref.ref(a, print)');
escapeBy('an exit function', 'import atexit\natexit.register(print, "late")');
escapeBy('a thread', 'import threading\nthreading.Thread(target=print, args=("late",)).start()');
escapeBy('a timer', 'import signal\nsignal.alarm(1)');
escapeBy('a process', 'import os\nif os.fork() == 0: os._exit(0)\nos.wait()\nprint("forked")');
escapeBy('a trace function', 'import sys\nsys.settrace(lambda *a: None)');
escapeBy('a garbage collector’s callback', 'import gc\ngc.callbacks.append(print)\ngc.callbacks.clear()');
escapeBy('asynchronous code', 'async def f(): print(1)\nf().close()');

// What others would find.
escapeBy('a function of a module', 'import math\nmath.sqrt = lambda x: 7\nprint(math.sqrt(4))');
escapeBy('a function of a module deleted', 'import heapq\ndel heapq.heappush');
escapeBy('a class of a module', 'from collections import Counter\nCounter.most_common = lambda self: 7');
escapeBy('a class through an instance', 'from collections import Counter\ntype(Counter()).x = 7');
escapeBy('a method of a class', 'from collections import Counter\nCounter.update.x = 7');
escapeBy('a function’s attribute', 'import heapq\nheapq.merge.x = 7');
escapeBy('a function’s attribute in a loop', 'import heapq\nfor heapq.merge.x in [7]: pass');
escapeBy('a function’s attribute by unpacking', 'import heapq\n[heapq.merge.x, y] = 1, 2');
escapeBy(
  'a function’s attribute by with',
  'import heapq\nclass A:\n  def __enter__(self): return 7\n  def __exit__(self, *a): pass\nwith A() as heapq.merge.x: pass',
);
escapeBy('a function’s attribute counted up', 'import heapq\nheapq.merge.x = 1\nheapq.merge.x += 1');
escapeBy(
  'through a method of its own',
  'from collections import Counter\nclass A:\n  def set(self): self.x = 7\nA.set(Counter)',
);
escapeBy('through self of another name', 'import re\nclass A:\n  def set(it): it.x = 7\nA.set(re.compile)');
escapeBy('a flag of re', 'import re\nre.I.x = 7');
escapeBy('an exception of ours', 'import sys\ntry: sys.x\nexcept BaseException as e: e.x = 7');
escapeBy(
  'ordering put on a class',
  'from functools import total_ordering\nfrom collections import Counter\ntotal_ordering(Counter)',
);
escapeBy(
  'the wrapping of a function',
  'from functools import wraps\nimport heapq\nwraps(print)(heapq.merge)',
);
escapeBy('the modules', 'import sys\nsys.modules.clear()');
escapeBy('the path', 'import sys\nsys.path.append("x")');
escapeBy('the arguments', 'import sys\nsys.argv.append("x")\nprint(len(sys.argv))');
escapeBy('the switch interval', 'import sys\nsys.setswitchinterval(1000)');
escapeBy('the integer digits', 'import sys\nsys.set_int_max_str_digits(640)');
escapeBy('the working folder', 'import os\nos.chdir("/usr")');
escapeBy('the environment', 'import os\nos.environ["x"] = "1"');
escapeBy('the context of decimals', 'from decimal import getcontext\ngetcontext().prec = 3');
escapeBy('the default context', 'import decimal\ndecimal.DefaultContext.prec = 3');
escapeBy('the names of days', 'import calendar\ncalendar.day_name = []');
escapeBy('warnings', 'import warnings\nwarnings.filters.clear()');
escapeBy(
  'the cache of typing',
  'import typing\nclass A:\n  def __hash__(self): return 1\nx = typing.Literal[A()]',
);
escapeBy('typing’s names as values', 'from typing import List\nprint(List)');
escapeBy('typing’s names as calls', 'print(List[int])');
escapeBy('a registry of abc', 'from collections.abc import Sized\nSized.register(int)');
escapeBy(
  'a shared default list',
  'import copy\nclass M:\n  def get(self, key, nil): nil.append(7); return nil\ntry: copy.deepcopy([], M(), [])\nexcept Exception: print(1)\nprint(copy.deepcopy.__defaults__)',
);
escapeBy('its own standard input', 'import sys, io\nsys.stdin = io.StringIO("9")\nprint(input())');
escapeBy(
  'its own standard output',
  'import sys\nclass A:\n  def write(self, text): pass\nsys.stdout = A()\nprint(1)',
);
escapeBy('a closed standard output', 'import sys\nsys.stdout.close()');
escapeBy('the descriptor of standard input', 'import sys\nprint(sys.stdin.fileno())');
escapeBy('the raw standard input', 'import sys\nprint(sys.stdin.detach())');
escapeBy('a file', 'open("/tmp/x", "w").write("x")');
escapeBy('standard input as a file', 'print(open(0).read())');
escapeBy('an opener of io', 'import io\nprint(io.open)');
escapeBy('numpy', 'import numpy\nprint(numpy)');
escapeBy(
  'a random generator of its own state',
  'import random\nrandom._inst.x = 1\nprint(random.getstate()[0])',
);
escapeBy('a deleted builtin', 'sum = 1\ndel sum\nprint(sum([1]))');
escapeBy('a private attribute of a library', 'import re\nprint(re._cache)');
escapeBy('another program’s name for the builtins', 'import builtins\nbuiltins.print = None');

// What ends otherwise than it should.
neverEndBy('an endless loop', 'while True: pass');
neverEndBy('an endless loop that catches all', 'while True:\n  try:\n    while True: pass\n  except: pass');
neverEndBy('an endless loop in finally', 'try: pass\nfinally:\n  while True: pass');
neverEndBy('an endless regular expression', 'import re\nre.match("(a*)*b", "a" * 60)');
neverEndBy(
  'an endless comparison',
  'class A:\n  def __lt__(self, other):\n    while True: pass\nsorted([A(), A()])',
);
neverEndBy('an endless power', 'print(len(str(7 ** (7 ** 9))))');
neverEndBy('an endless hash', 'class A:\n  def __hash__(self):\n    while True: pass\n{A(): 1}');
escapeBy('all memory at once', 'x = [0] * (1 << 34)');
escapeBy('all memory, slowly', 'x = []\nwhile True: x.append(" " * 1000000)');
escapeBy(
  'all memory, caught',
  'x = []\ntry:\n  while True: x.append([0] * 1000000)\nexcept MemoryError: raise',
);
escapeBy('too much output', 'while True: print("x" * 100000)');
escapeBy('too much output in a function', 'for i in range(30): print("x" * 100000)');
escapeBy('recursion without end', 'def f(): return f()\nf()');
escapeBy('recursion through C', 'class A:\n  def __repr__(self): return repr([self])\nprint(A())');
escapeBy(
  'recursion through C with a high limit',
  'import sys\nsys.setrecursionlimit(10 ** 8)\nclass A:\n  def __lt__(self, o): return sorted([A(), A()]) < 1\nsorted([A(), A()])',
);
escapeBy('a deep structure', 'x = []\nfor i in range(10 ** 6): x = [x]\nprint(repr(x))');
escapeBy('a nest of operators', `print(${'-'.repeat(50_000)}1)`);
escapeBy('a null byte', 'print("a\0b")');
escapeBy('names bound elsewhere', 'def f():\n  path = 1\n  return path\nprint(path)');
escapeBy('a deleted name of an error', 'try: 1 / 0\nexcept Exception as e: pass\nprint(e)');
escapeBy('standard input in two ways', 'import sys\nprint(sys.stdin.buffer.readline(), input())');

export const ESCAPES: readonly Escape[] = escapes;

/** What a program can observe of the interpreter without breaking the rules; the same for each program that runs alone. */
export const INSPECT = `import sys, math, heapq, random, re, copy, string, operator, functools, itertools, bisect
from collections import Counter, deque, defaultdict, OrderedDict, namedtuple
class A:
    def __init__(self, x): self.x = x
    def __lt__(self, other): return self.x < other.x
def depth(n):
    try: return depth(n + 1)
    except RecursionError: return n
print(input(), sys.stdin.read().split(), sys.getrecursionlimit())
print(math.sqrt(4), math.pi, heapq.nsmallest(2, [3, 1, 2]), list(heapq.merge([1], [0])), random.random(), random.randint(1, 9))
print(re.sub("a+", lambda m: str(len(m.group())), "aabaaa"), re.findall("[a-c]", "abcd", re.I), copy.deepcopy([[1]]))
print(Counter("abca").most_common(), Counter("ab") + Counter("b"), deque([1, 2], 1), defaultdict(int)[1], OrderedDict(a=1))
print(namedtuple("P", "x y")(1, 2), string.ascii_lowercase, operator.itemgetter(1)([1, 2]), functools.reduce(max, [1, 3]))
print(list(itertools.accumulate([1, 2])), bisect.bisect([1, 2], 1), sorted([A(2), A(1)])[0].x, min(A(3), A(1)).x)
print({"b": 1, "a": 2}, {"x", "y", "z"}, hash("x"), sum([1]), max(1, 2), print, len(repr(A)), "%s" % 1, f"{1:>3}", str(10 ** 4999)[:3])
print(type(1), isinstance(1, int), all([]), gcd(4, 6), Counter.__name__, callable(print), "{:.2f} {}".format(1, 2))
`;
