import type { GradingCase } from '../../../support/grading-case';

type Test = readonly [input: string, expected: string];

const cases: GradingCase[] = [];

/** A program that reads stdin; several tests run in one process in the published grader. */
function stdin(id: string, program: string, ...tests: readonly Test[]): void {
  cases.push({
    id: `stdin/${id}`,
    rules: 'livecodebench',
    program,
    entryPoint: null,
    tests: tests.map(([input, expected]) => ({ kind: 'stdin', input, expected })),
  });
}

/** What is printed, next to what is expected: the comparison's rules. */
const outputs: readonly (readonly [name: string, printed: string, expected: string])[] = [
  ['same text', 'a b', 'a b'],
  ['trailing blanks', 'a b  ', 'a b'],
  ['leading blanks', '  a b', 'a b'],
  ['a trailing tab', 'a\t', 'a'],
  ['blanks at line ends', '1 \n2 \n', '1\n2'],
  ['no final newline expected', '1\n', '1'],
  ['two final newlines', '1\n\n\n', '1\n'],
  ['leading newlines', '\n\n1', '1'],
  ['an empty line inside', '1\n\n2', '1\n2'],
  ['an empty line expected inside', '1\n2', '1\n\n2'],
  ['empty lines on both sides', '1\n\n2', '1\n \n2'],
  ['two blanks inside, text', 'a  b', 'a b'],
  ['two blanks inside, numbers', '1  2', '1 2'],
  ['a tab inside, numbers', '1\t2', '1 2'],
  ['a tab inside, text', 'a\tb', 'a b'],
  ['a carriage return at the end', '1\r\n2\r\n', '1\n2\n'],
  ['a lone carriage return', '1\r2', '1\n2'],
  ['a form feed inside numbers', '1\x0c2', '1 2'],
  ['a vertical tab at the end', 'a\x0b', 'a'],
  ['a file separator at the end', 'a\x1c', 'a'],
  ['a no-break space at the end', 'a\xa0', 'a'],
  ['a zero width space at the end', 'a\u200b', 'a'],
  ['a byte order mark in front', '\ufeff1', '1'],
  ['a line separator inside', '1\u20282', '1 2'],
  ['a next line mark inside', '1\x852', '1 2'],
  ['more digits', '1.50 2', '1.5 2.0'],
  ['a float for an integer', '2.0', '2'],
  ['an integer for a float', '3', '3.000'],
  ['rounded one further', '0.3333', '0.333'],
  ['0.1 + 0.2', '0.30000000000000004', '0.3'],
  ['one apart in the 17th digit', '50000000000000001', '50000000000000000'],
  ['a plus sign', '+5', '5'],
  ['a minus zero', '-0', '0'],
  ['a minus zero float', '-0.0', '0.0'],
  ['leading zeros', '007', '7'],
  ['leading zeros in text', '007 a', '7 a'],
  ['an exponent', '1e3', '1000'],
  ['an upper case exponent', '1E3', '1000'],
  ['a negative exponent', '5e-1', '0.5'],
  ['an exponent with a sign', '1e+03', '1000'],
  ['a number without a whole part', '.5', '0.5'],
  ['a number without a fraction', '5.', '5'],
  ['thousands with commas', '1,000', '1000'],
  ['thousands with underscores', '1_000', '1000'],
  ['an underscore in front', '_1', '1'],
  ['underscores in a row', '1__0', '10'],
  ['only an underscore', '_', '0'],
  ['infinity in short', 'inf', 'Infinity'],
  ['infinity in upper case', 'INF', 'inf'],
  ['minus infinity', '-inf', '-Infinity'],
  ['infinity with the other sign', '-inf', 'inf'],
  ['equal text of nan', 'nan', 'nan'],
  ['nan in another case', 'NaN', 'nan'],
  ['nan and a number', 'nan', '1'],
  ['nan with a payload', 'nan12', 'NAN12'],
  ['a signalling nan', 'sNaN', 'snan'],
  ['hexadecimal', '0x10', '16'],
  ['a complex number', '1+0j', '1'],
  ['a fraction', '1/2', '0.5'],
  ['a percentage', '50%', '50'],
  ['brackets', '[1, 2]', '[1,2]'],
  ['quotes', "'a'", 'a'],
  ['upper case', 'YES', 'Yes'],
  ['Arabic digits', '\u0661\u0662', '12'],
  ['full width digits', '\uff11\uff12', '12'],
  ['mathematical digits', '\u{1d7d9}\u{1d7da}', '12'],
  ['a superscript digit', '\u00b2', '2'],
  ['Devanagari digits with a point', '\u0967.\u0968', '1.2'],
  ['composed and decomposed letters', 'e\u0301', '\u00e9'],
  ['the same emoji', '\u{1f600}', '\u{1f600}'],
  ['a huge integer with a point', `${'9'.repeat(60)}.0`, '9'.repeat(60)],
  ['a huge integer one off', `${'9'.repeat(59)}8.0`, '9'.repeat(60)],
  ['a huge exponent', '1e999', `1${'0'.repeat(999)}`],
  ['an exponent beyond the range', '1e9999999999999999999', '1e99999999999999999999'],
  ['a zero with a huge exponent', '0e999999999', '0'],
  ['a zero with an exponent beyond the range', '0e99999999999999999999', '0'],
  ['an exponent below the range', '1e-9999999999999999999', '0'],
  ['fewer numbers', '1 2', '1 2 3'],
  ['more numbers', '1 2 3', '1 2'],
  ['numbers in another order', '2 1', '1 2'],
  ['numbers on other lines', '1\n2', '1 2'],
  ['a word among numbers', '1 x 2.0', '1 x 2'],
  ['a number for a word', '1', 'one'],
  ['nothing printed', '', '1'],
  ['nothing expected', '1', ''],
  ['nothing at all', '', ''],
  ['only blanks', '  \n ', ''],
  ['a point alone', '.', '0'],
  ['a sign alone', '-', '0'],
  ['two signs', '--1', '1'],
  ['an exponent alone', 'e5', '0'],
  ['numbers over several lines', '1.0\n2.50\n3', '1\n2.5\n3.0'],
  ['one wrong line of three', '1\n2\n4', '1\n2\n3'],
];
for (const [name, printed, expected] of outputs) {
  stdin(`output/${name}`, `import sys\nsys.stdout.write(${pythonText(printed)})`, ['', expected]);
}

/** Ways to read two lines with numbers. */
const readers: readonly (readonly [name: string, program: string])[] = [
  ['input()', 'n = int(input())\nprint(sum(map(int, input().split())) + n)'],
  ['input with a prompt', 'n = int(input("n? "))\nprint(n)'],
  ['read', 'import sys\nd = sys.stdin.read().split()\nprint(sum(map(int, d)))'],
  ['read twice', 'import sys\na = sys.stdin.read()\nb = sys.stdin.read()\nprint(len(b))'],
  ['read some characters', 'import sys\nprint(sys.stdin.read(1))'],
  [
    'readline',
    'import sys\nn = int(sys.stdin.readline())\nprint(n + sum(map(int, sys.stdin.readline().split())))',
  ],
  ['readlines', 'import sys\nl = sys.stdin.readlines()\nprint(len(l))'],
  [
    'readlines without blanks',
    'import sys\nl = [x for x in sys.stdin.readlines() if x.strip()]\nprint(len(l))',
  ],
  ['readline and read', 'import sys\nn = sys.stdin.readline()\nprint(len(sys.stdin.read().split()))'],
  ['iteration', 'import sys\nprint(sum(int(x) for line in sys.stdin for x in line.split()))'],
  ['next', 'import sys\nprint(int(next(sys.stdin)))'],
  ['enumerate', 'import sys\nfor i, line in enumerate(sys.stdin):\n    print(i, line.strip())'],
  ['list of stdin', 'import sys\nprint(len(list(sys.stdin)))'],
  ['iter with a sentinel', 'import sys\nprint(len(list(iter(sys.stdin.readline, ""))))'],
  ['buffer.read', 'import sys\nprint(sum(map(int, sys.stdin.buffer.read().split())))'],
  ['buffer.readline once', 'import sys\nprint(int(sys.stdin.buffer.readline()))'],
  [
    'buffer.readline twice',
    'import sys\nr = sys.stdin.buffer.readline\nprint(int(r()) + sum(map(int, r().split())))',
  ],
  ['buffer.readlines', 'import sys\nprint(len(sys.stdin.buffer.readlines()))'],
  ['buffer iteration', 'import sys\nprint(sum(int(x) for l in sys.stdin.buffer for x in l.split()))'],
  ['open(0)', 'print(sum(map(int, open(0).read().split())))'],
  ['open(0) lines', 'for l in open(0):\n    print(l.strip())'],
  ['open(0, "rb")', 'print(sum(map(int, open(0, "rb").read().split())))'],
  ['open of /dev/stdin', 'print(sum(map(int, open("/dev/stdin").read().split())))'],
  ['builtins.open', 'import builtins\nprint(sum(map(int, builtins.open(0).read().split())))'],
  ['io.open', 'import io\nprint(sum(map(int, io.open(0).read().split())))'],
  ['os.read', 'import os\nprint(sum(map(int, os.read(0, 1 << 20).split())))'],
  ['os.fdopen', 'import os\nprint(sum(map(int, os.fdopen(0).read().split())))'],
  [
    'from sys import stdin, readline',
    'from sys import stdin\nn = int(stdin.readline())\nprint(n + sum(map(int, stdin.readline().split())))',
  ],
  ['from sys import stdin, read', 'from sys import stdin\nprint(sum(map(int, stdin.read().split())))'],
  [
    'from sys import stdin, readlines',
    'from sys import stdin\nprint(len([x for x in stdin.readlines() if x]))',
  ],
  [
    'from sys import stdin, iteration',
    'from sys import stdin\nprint(sum(int(x) for l in stdin for x in l.split()))',
  ],
  [
    'from sys import stdin, buffer',
    'from sys import stdin\nprint(sum(map(int, stdin.buffer.read().split())))',
  ],
  [
    'input = sys.stdin.readline',
    'import sys\ninput = sys.stdin.readline\nn = int(input())\nprint(n + sum(map(int, input().split())))',
  ],
  [
    'input = stdin.readline',
    'from sys import stdin\ninput = stdin.readline\nn = int(input())\nprint(n + sum(map(int, input().split())))',
  ],
  [
    'input is a lambda',
    'import sys\ninput = lambda: sys.stdin.readline().rstrip()\nn = int(input())\nprint(n + sum(map(int, input().split())))',
  ],
  ['star names of the prelude', 'n = int(stdin.readline())\nstdout.write(str(n))'],
  [
    'fileinput',
    'import fileinput\nimport sys\nsys.argv = ["p"]\nprint(sum(int(x) for l in fileinput.input() for x in l.split()))',
  ],
  ['io.TextIOWrapper', 'import io, sys\nsys.stdin = io.TextIOWrapper(sys.stdin.buffer)\nprint(int(input()))'],
  ['isatty', 'import sys\nprint(sys.stdin.isatty())'],
  ['fileno', 'import sys\nprint(sys.stdin.fileno())'],
  ['seek', 'import sys\nsys.stdin.readline()\nsys.stdin.seek(0)\nprint(int(sys.stdin.readline()))'],
  ['past the end by input', 'input()\ninput()\nprint(input())'],
  [
    'past the end with except EOFError',
    'n = 0\ntry:\n    while True:\n        input()\n        n += 1\nexcept EOFError:\n    print(n)',
  ],
  [
    'past the end by readline',
    'import sys\nsys.stdin.readline()\nsys.stdin.readline()\nsys.stdin.readline()\nprint(repr(sys.stdin.readline()))',
  ],
  [
    'past the end by stdin of sys',
    'from sys import stdin\nn = 0\nwhile True:\n    l = stdin.readline()\n    if not l:\n        break\n    n += 1\nprint(n)',
  ],
  [
    'past the end with bare except',
    'n = 0\nwhile True:\n    try:\n        input()\n        n += 1\n    except:\n        break\nprint(n)',
  ],
];
/** Of an input "3\n1 2\n": 6 is the sum, 2 the lines, 3 the first number. */
for (const expected of ['6', '2', '3']) {
  for (const [name, program] of readers)
    stdin(`reading ${expected}/${name}`, program, ['3\n1 2\n', expected]);
}
stdin('reading/the prompt is output', readers[1]?.[1] ?? '', ['3', 'n? 3']);
stdin('reading/an empty input', 'print(1)', ['', '1']);
stdin('reading/no newline at the end', 'print(input())', ['7', '7']);
stdin('reading/windows line ends', 'print(len(input()))', ['abc\r\n', '3']);
stdin('reading/windows line ends, stripped', 'print(input().strip())', ['abc\r\n', 'abc']);
stdin('reading/not ASCII', 'print(input()[::-1])', ['a\u00e9\u4e2d', '\u4e2d\u00e9a']);
stdin('reading/a nul', 'print(len(input()))', ['a\0b', '3']);

const endings: readonly (readonly [name: string, program: string])[] = [
  ['sys.exit()', 'import sys\nprint(1)\nsys.exit()'],
  ['sys.exit(0)', 'import sys\nprint(1)\nsys.exit(0)'],
  ['sys.exit(1)', 'import sys\nprint(1)\nsys.exit(1)'],
  ['sys.exit with a text', 'import sys\nprint(1)\nsys.exit("bad")'],
  ['exit()', 'print(1)\nexit()'],
  ['exit(3)', 'print(1)\nexit(3)'],
  ['quit()', 'print(1)\nquit()'],
  ['raise SystemExit', 'print(1)\nraise SystemExit'],
  ['os._exit(0)', 'import os\nprint(1, flush=True)\nos._exit(0)'],
  ['os._exit(1)', 'import os\nprint(1, flush=True)\nos._exit(1)'],
  ['os.abort', 'import os\nprint(1, flush=True)\nos.abort()'],
  ['os.kill of itself', 'import os\nprint(1, flush=True)\nos.kill(os.getpid(), 9)'],
  ['an error after the output', 'print(1)\n1 / 0'],
  ['an error in atexit', 'import atexit\natexit.register(lambda: 1 / 0)\nprint(1)'],
  ['output in atexit', 'import atexit\natexit.register(lambda: print(1))'],
  ['an error in __del__', 'class A:\n    def __del__(self):\n        1 / 0\na = A()\nprint(1)\ndel a'],
  ['exit inside try with bare except', 'try:\n    exit()\nexcept:\n    print(1)'],
  ['exit inside try and finally', 'import sys\ntry:\n    sys.exit()\nfinally:\n    print(1)'],
  ['KeyboardInterrupt', 'print(1)\nraise KeyboardInterrupt'],
  ['GeneratorExit', 'print(1)\nraise GeneratorExit'],
  ['BaseException', 'print(1)\nraise BaseException("x")'],
  ['StopIteration', 'print(1)\nnext(iter([]))'],
  [
    'an exception named like a time limit',
    'class TimeoutException(Exception):\n    pass\nprint(1)\nraise TimeoutException',
  ],
  ['an assertion', 'print(1)\nassert False'],
  ['output closed', 'import sys\nprint(1)\nsys.stdout.close()'],
  ['a warning', 'import warnings\nwarnings.warn("x")\nprint(1)'],
  ['output on stderr', 'import sys\nprint(2, file=sys.stderr)\nprint(1)'],
  ['a return at top level', 'print(1)\nreturn'],
  ['a yield at top level', 'print(1)\nyield 2'],
  ['an await at top level', 'print(1)\nawait x'],
  ['a break at top level', 'print(1)\nbreak'],
  ['a syntax error', 'print(1'],
  ['a syntax error at the end', 'print(1)\n)'],
  ['an indentation error', 'print(1)\n  print(2)'],
  ['tabs and blanks', 'if True:\n\tprint(1)\n        print(2)'],
  ['tabs alone', 'if True:\n\tprint(1)'],
  ['Python 2', 'print 1'],
  ['a nul in the program', 'print(1)\0'],
  ['a byte order mark in the program', '\ufeffprint(1)'],
  ['an encoding line', '# -*- coding: latin-1 -*-\nprint(1)'],
  ['windows line ends in the program', 'x = 1\r\nprint(x)\r\n'],
  ['a form feed in the program', 'x = 1\n\x0c\nprint(x)'],
  ['not ASCII names', '\u00e9 = 1\nprint(\u00e9)'],
  ['only a comment', '# nothing'],
  ['only an import', 'import sys'],
  ['only a docstring', '"""print(1)"""'],
];
for (const [name, program] of endings) stdin(`ending/${name}`, program, ['', '1']);

const shapes: readonly (readonly [name: string, program: string])[] = [
  ['a main block', 'def main():\n    print(1)\nif __name__ == "__main__":\n    main()'],
  ['a main block in single quotes', "if __name__ == '__main__':\n    print(1)"],
  ['a main block the other way round', "if '__main__' == __name__:\n    print(1)"],
  ['a main block with more behind it', 'if __name__ == "__main__":\n    print(1)\nx = 2'],
  ['a main block with else', 'if __name__ == "__main__":\n    print(1)\nelse:\n    print(2)'],
  ['a main block with a second condition', 'if __name__ == "__main__" and True:\n    print(1)'],
  ['a main block in brackets', 'if (__name__ == "__main__"):\n    print(1)'],
  ['two main blocks', 'if __name__ == "__main__":\n    print(1)\nif __name__ == "__main__":\n    pass'],
  ['the name printed', 'print(int(__name__ == "__main__"))'],
  ['a global that is set', 'c = 0\ndef f():\n    global c\n    c += 1\nf()\nprint(c)'],
  ['a global that is read', 'c = 1\ndef f():\n    print(c)\nf()'],
  ['a global made in a function', 'def f():\n    global c\n    c = 1\nf()\nprint(c)'],
  ['globals()', 'x = 1\nprint(globals()["x"])'],
  ['locals()', 'x = 1\nprint(locals()["x"])'],
  ['vars()', 'x = 1\nprint(vars()["x"])'],
  ['a builtin shadowed by itself', 'sum = sum([1])\nprint(sum)'],
  ['a builtin shadowed before use', 'print(max(1, 0))\nmax = 3'],
  ['a name of the prelude shadowed', 'pi = 1\nprint(pi)'],
  ['a module name as a variable', 'math = 1\nprint(math)'],
  ['names of the prelude', 'print(int(sqrt(Counter("a")["a"])))'],
  ['modules of the prelude', 'print(collections.Counter("a")["a"])'],
  ['heapq without import', 'h = []\nheappush(h, 1)\nprint(h[0])'],
  ['datetime of the prelude', 'print(datetime.datetime(2020, 1, 1).day)'],
  ['pow of the prelude', 'print(pow(3, 2, 8))'],
  ['copy of the prelude', 'print(copy.copy([1])[0])'],
  ['List without import', 'def f(a: List[int]) -> int:\n    return a[0]\nprint(f([1]))'],
  ['a future import', 'from __future__ import annotations\nprint(1)'],
  ['a star import', 'from math import *\nprint(int(sqrt(1)))'],
  ['a star import in try', 'try:\n    from math import *\nexcept ImportError:\n    pass\nprint(1)'],
  ['an import in a function', 'def f():\n    import math\n    return math.floor(1.5)\nprint(f())'],
  ['an import as', 'import collections as c\nprint(c.Counter("a")["a"])'],
  ['an import of what is missing', 'import not_a_module\nprint(1)'],
  [
    'an import of what is missing, in try',
    'try:\n    import not_a_module\nexcept ImportError:\n    print(1)',
  ],
  ['numpy or not', 'try:\n    import resource\n    print(1)\nexcept ImportError:\n    print(2)'],
  ['psutil is not there', 'try:\n    import psutil\n    print(2)\nexcept ImportError:\n    print(1)'],
  ['exec', 'exec("print(1)")'],
  ['exec that defines', 'exec("x = 1")\nprint(x)'],
  ['eval of a local', 'x = 1\nprint(eval("x"))'],
  ['eval in a comprehension', 'x = 1\nprint([eval("x") for _ in range(1)][0])'],
  ['a comprehension in a class', 'class A:\n    n = 1\n    l = [i for i in range(n)]\nprint(len(A.l))'],
  ['class scope reads outside', 'n = 1\nclass A:\n    m = n\nprint(A.m)'],
  ['class Solution', 'class Solution:\n    def f(self):\n        return 1\nprint(Solution().f())'],
  ['class Solution in a text', 'print(len("class Solution") - 13)'],
  ['class Solution in a comment', '# class Solution\nprint(1)'],
  ['a dataclass', 'from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\nprint(P(1).x)'],
  [
    'a dataclass with ordering',
    'from dataclasses import dataclass\n@dataclass(order=True)\nclass P:\n    x: int = 1\nprint(max(P(), P(0)).x)',
  ],
  ['a named tuple class', 'from typing import NamedTuple\nclass P(NamedTuple):\n    x: int\nprint(P(1).x)'],
  ['an enum', 'from enum import Enum\nclass E(Enum):\n    A = 1\nprint(E.A.value)'],
  ['a decorator', 'def twice(f):\n    return lambda: f() // 2\n@twice\ndef g():\n    return 2\nprint(g())'],
  [
    'lru_cache',
    'from functools import lru_cache\n@lru_cache(None)\ndef f(n):\n    return n if n < 2 else f(n - 1)\nprint(f(50))',
  ],
  ['cache without import', '@cache\ndef f(n):\n    return 1\nprint(f(3))'],
  ['a generator', 'def g():\n    yield 1\nprint(next(g()))'],
  ['a walrus', 'if (n := 1):\n    print(n)'],
  ['match', 'match 1:\n    case 1:\n        print(1)'],
  [
    'nonlocal',
    'def f():\n    x = 0\n    def g():\n        nonlocal x\n        x += 1\n    g()\n    return x\nprint(f())',
  ],
  ['nonlocal of a global', 'x = 0\ndef g():\n    nonlocal x\n    x += 1\ng()\nprint(x)'],
  ['an f-string with quotes', 'd = {"a": 1}\nprint(f"{d[\'a\']}")'],
  ['an f-string with a backslash', 'print(f"{1}\\x0a".strip())'],
  ['a raw text', 'print(len(r"\\n") - 1)'],
  ['an escape that is none', 'print(len("\\d") - 1)'],
  [
    'pickle of a local class',
    'import pickle\nclass A:\n    pass\nprint(len([pickle.loads(pickle.dumps(A()))]))',
  ],
  ['deepcopy', 'print(deepcopy([1])[0])'],
  ['asyncio', 'import asyncio\nasync def f():\n    print(1)\nasyncio.run(f())'],
  [
    'subprocess',
    'import subprocess\nprint(subprocess.run(["echo", "1"], capture_output=True, text=True).stdout)',
  ],
  ['os.system', 'import os\nos.system("true")\nprint(1)'],
  ['os.getcwd', 'import os\nos.getcwd()\nprint(1)'],
  ['os.fork', 'import os\nif os.fork() == 0:\n    os._exit(0)\nos.wait()\nprint(1)'],
  ['os.environ', 'import os\nos.environ["X"] = "1"\nprint(os.environ["X"])'],
  ['a file written and read', 'with open("x.txt", "w") as f:\n    f.write("1")\nprint(open("x.txt").read())'],
  ['help', 'print(1 if help else 2)'],
  ['__file__', 'try:\n    __file__\n    print(2)\nexcept NameError:\n    print(1)'],
  ['sys.argv', 'import sys\nprint(1 if isinstance(sys.argv, list) else 2)'],
  ['random with a seed', 'random.seed(1)\nprint(1 if 0 <= random.random() < 1 else 2)'],
  ['recursion of 900', 'def f(n):\n    return 1 if n == 0 else f(n - 1)\nprint(f(900))'],
  ['recursion of 20000', 'def f(n):\n    return 1 if n == 0 else f(n - 1)\nprint(f(20000))'],
  ['recursion without end', 'def f():\n    return f()\ntry:\n    f()\nexcept RecursionError:\n    print(1)'],
  [
    'recursion limit set low',
    'import sys\nsys.setrecursionlimit(200)\ndef f(n):\n    return 1 if n == 0 else f(n - 1)\ntry:\n    print(f(500))\nexcept RecursionError:\n    print(1)',
  ],
  ['an integer of 4400 digits', 'print(len(str(10 ** 4400)) - 4400)'],
  ['an integer of 4400 digits read', 'print(int("1" * 4400) % 10)'],
  [
    'an integer of 60000 digits',
    'try:\n    str(10 ** 60000)\n    print(2)\nexcept ValueError:\n    print(1)',
  ],
  ['decimal', 'from decimal import Decimal\nprint(Decimal("1.0").normalize())'],
  ['fractions', 'from fractions import Fraction\nprint(Fraction(2, 2))'],
  ['print with sep and end', 'print(1, sep="", end="")'],
  ['print with end of blanks', 'print(1, end="   ")'],
  ['print flush', 'print(1, flush=True)'],
  ['sys.stdout.write', 'import sys\nsys.stdout.write("1")'],
  ['sys.stdout.writelines', 'import sys\nsys.stdout.writelines(["1", "\\n"])'],
  ['sys.stdout.flush', 'import sys\nprint(1)\nsys.stdout.flush()'],
  ['sys.stdout.buffer.write', 'import sys\nsys.stdout.buffer.write(b"1")'],
  ['from sys import stdout', 'from sys import stdout\nstdout.write("1")'],
  ['print to stdout of sys', 'from sys import stdout\nprint(1, file=stdout)'],
  ['sys.__stdout__', 'import sys\nprint(1, file=sys.__stdout__)'],
  ['os.write', 'import os\nos.write(1, b"1")'],
  ['open(1)', 'open(1, "w", closefd=False).write("1")'],
  ['stdout replaced', 'import sys, io\nsys.stdout = io.StringIO()\nprint(1)'],
  [
    'stdout replaced and put back',
    'import sys, io\nold = sys.stdout\nsys.stdout = s = io.StringIO()\nprint(1)\nsys.stdout = old\nprint(s.getvalue())',
  ],
  [
    'redirect_stdout',
    'import contextlib, io\ns = io.StringIO()\nwith contextlib.redirect_stdout(s):\n    print(2)\nprint(1)',
  ],
  ['a lone surrogate printed', 'print("\\ud800" and 1)'],
  ['print replaced', 'import builtins\nold = print\nbuiltins.print = lambda *a: old(1)\nprint(2)'],
  [
    'a thread that is joined',
    'import threading\nt = threading.Thread(target=lambda: print(1))\nt.start()\nt.join()',
  ],
  [
    'a thread that is not joined and late',
    'import threading, time\ndef f():\n    time.sleep(0.3)\n    print(1)\nthreading.Thread(target=f).start()',
  ],
  [
    'a main thread with a larger stack',
    'import threading, sys\nsys.setrecursionlimit(10 ** 6)\nthreading.stack_size(1 << 26)\ndef main():\n    print(1)\nt = threading.Thread(target=main)\nt.start()\nt.join()',
  ],
  [
    'a daemon thread that is late',
    'import threading, time\ndef f():\n    time.sleep(0.3)\n    print(1)\nthreading.Thread(target=f, daemon=True).start()\nprint(1)',
  ],
  [
    'an error in a thread',
    'import threading\nt = threading.Thread(target=lambda: 1 / 0)\nt.start()\nt.join()\nprint(1)',
  ],
  [
    'exit in a thread',
    'import threading, sys\nt = threading.Thread(target=sys.exit)\nt.start()\nt.join()\nprint(1)',
  ],
  [
    'a thread pool',
    'from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor() as e:\n    print(e.submit(lambda: 1).result())',
  ],
];
for (const [name, program] of shapes) stdin(`program/${name}`, program, ['', '1']);

/** Several tests: in one process as published, so what one leaves the next one finds. */
const twice: readonly Test[] = [
  ['1', '1'],
  ['1', '1'],
];
const leaks: readonly (readonly [name: string, program: string])[] = [
  [
    'a global list grows',
    'import collections\ncollections.seen = getattr(collections, "seen", 0) + 1\nprint(collections.seen)',
  ],
  [
    'a global of a function',
    'def f():\n    global c\n    try:\n        c += 1\n    except NameError:\n        c = 1\nf()\nprint(c)',
  ],
  ['a default argument', 'def f(a=[]):\n    a.append(1)\n    return len(a)\nprint(f())'],
  ['a cache', 'n = 0\n@functools.lru_cache(None)\ndef f(x):\n    return 1\nprint(f(1))'],
  ['an attribute of sys', 'import sys\nsys.n = getattr(sys, "n", 0) + 1\nprint(sys.n)'],
  ['a builtin', 'import builtins\nbuiltins.n = getattr(builtins, "n", 0) + 1\nprint(n)'],
  [
    'a random state',
    'import random\nif not hasattr(random, "started"):\n    random.started = 1\n    random.seed(5)\n    random.first = random.random()\nprint(1 if random.first else 2)',
  ],
  ['stdout replaced for good', 'import sys, os\nsys.stdout = open(os.devnull, "w")\nprint(1)'],
  ['stdin closed', 'import sys\nprint(input())\nsys.stdin.close()'],
  ['exit each time', 'print(input())\nexit()'],
  ['a chdir', 'import os\nprint(1 if os.chdir is None or os.chdir("/") is None else 2)'],
  ['a file', 'import os.path\nprint(1 if not os.path.exists("seen") else 2)'],
  [
    'a recursion limit',
    'import sys\nprint(1 if sys.getrecursionlimit() == 50000 else 2)\nsys.setrecursionlimit(1000)',
  ],
  [
    'a thread that prints later',
    'import threading, time\ndef f():\n    time.sleep(0.2)\n    print(1)\nthreading.Thread(target=f).start()\nif input() == "1":\n    time.sleep(0.4)',
  ],
];
for (const [name, program] of leaks) stdin(`twice/${name}`, program, ...twice);
stdin('twice/right, wrong, right', 'print(input())', ['1', '1'], ['2', '1'], ['1', '1']);
stdin('twice/right, then an error', 'print(1 // int(input()))', ['1', '1'], ['0', '1']);

export const stdinPrograms: readonly GradingCase[] = cases;

/** A Python literal in ASCII. */
function pythonText(text: string): string {
  const escaped = [...text].map((character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 32 && code < 127 && character !== '"' && character !== '\\') return character;
    return `\\U${code.toString(16).padStart(8, '0')}`;
  });
  return `"${escaped.join('')}"`;
}
