import type { GradingCase } from '../../../support/grading-case';

const cases: GradingCase[] = [];

function call(
  id: string,
  program: string,
  ...tests: readonly (readonly [input: string, expected: string])[]
): void {
  cases.push({
    id: `call/${id}`,
    rules: 'livecodebench',
    program,
    entryPoint: 'f',
    tests: tests.map(([input, expected]) => ({ kind: 'call', input, expected })),
  });
}

/** What is returned, as Python, next to what is expected, as JSON. */
const returned: readonly (readonly [name: string, expression: string, expected: string])[] = [
  ['an integer', '1', '1'],
  ['a float for an integer', '1.0', '1'],
  ['an integer for a float', '1', '1.0'],
  ['True for 1', 'True', '1'],
  ['1 for true', '1', 'true'],
  ['0 for false', '0', 'false'],
  ['0 for null', '0', 'null'],
  ['None', 'None', 'null'],
  ['None for an empty list', 'None', '[]'],
  ['False for an empty list', 'False', '[]'],
  ['a text', '"a"', '"a"'],
  ['a text for a number', '"1"', '1'],
  ['bytes for a text', 'b"a"', '"a"'],
  ['text that is not ASCII', '"\\u00e9"', '"\\u00e9"'],
  ['a lone surrogate', '"\\ud800"', '"\\ud800"'],
  ['a tuple', '(1, 2)', '[1, 2]'],
  ['an empty tuple', '()', '[]'],
  ['a list of tuples', '[(1, 2)]', '[[1, 2]]'],
  ['a tuple of tuples', '((1,), (2,))', '[[1], [2]]'],
  ['a tuple of lists', '([1], [2])', '[[1], [2]]'],
  ['a named tuple', 'namedtuple("P", "x y")(1, 2)', '[1, 2]'],
  ['a set', '{1}', '[1]'],
  ['a frozenset', 'frozenset([1])', '[1]'],
  ['a generator', '(i for i in [1])', '[1]'],
  ['a range', 'range(2)', '[0, 1]'],
  ['a map', 'map(int, "1")', '[1]'],
  ['dict keys', '{"a": 1}.keys()', '["a"]'],
  ['a deque', 'deque([1])', '[1]'],
  ['a Counter', 'Counter("a")', '{"a": 1}'],
  ['a default dict', 'defaultdict(int, a=1)', '{"a": 1}'],
  ['an ordered dict in another order', 'OrderedDict([("b", 2), ("a", 1)])', '{"a": 1, "b": 2}'],
  ['a dict', '{"a": [1, None]}', '{"a": [1, null]}'],
  ['a dict with integer keys', '{1: 2}', '{"1": 2}'],
  ['a dict with more keys', '{"a": 1, "b": 2}', '{"a": 1}'],
  ['0.1 + 0.2', '0.1 + 0.2', '0.3'],
  ['0.1 + 0.2 exactly', '0.1 + 0.2', '0.30000000000000004'],
  ['a float of many digits', '0.1', '0.1000000000000000055511151231257827'],
  ['minus zero', '-0.0', '0'],
  ['nan', 'float("nan")', 'NaN'],
  ['infinity', 'float("inf")', 'Infinity'],
  ['minus infinity', '-float("inf")', '-Infinity'],
  ['infinity by overflow', 'float("inf")', '1e999'],
  ['a huge integer', '10 ** 30', '1000000000000000000000000000000'],
  ['a huge integer one off', '10 ** 30 + 1', '1000000000000000000000000000000'],
  ['a huge integer and a float', '10 ** 22', '1e22'],
  ['2 ** 53 + 1 and a float', '2 ** 53 + 1', '9007199254740992.0'],
  ['an integer of 5000 digits', '10 ** 5000', `1${'0'.repeat(5000)}`],
  ['a complex number', 'complex(1, 0)', '1'],
  ['a complex number that is none', 'complex(1, 1)', '1'],
  ['a fraction', '__import__("fractions").Fraction(1, 2)', '0.5'],
  ['a fraction that no float equals', '__import__("fractions").Fraction(1, 10)', '0.1'],
  ['a whole fraction', '__import__("fractions").Fraction(4, 2)', '2'],
  ['a decimal', '__import__("decimal").Decimal("0.5")', '0.5'],
  ['a decimal that no float equals', '__import__("decimal").Decimal("0.1")', '0.1'],
  ['a whole decimal in a list', '[__import__("decimal").Decimal(3)]', '[3]'],
  ['a decimal nan', '__import__("decimal").Decimal("nan")', 'NaN'],
  ['a function', 'f', '1'],
  ['an object', 'object()', '1'],
  ['an enum member', '__import__("enum").IntEnum("E", "A").A', '1'],
  ['a nested list', '[[[1]]]', '[[[1]]]'],
  ['lists of other lengths', '[1, 2]', '[1]'],
  ['lists in another order', '[2, 1]', '[1, 2]'],
  ['an empty text', '""', '""'],
  ['an empty text for null', '""', 'null'],
  ['a bytearray', 'bytearray(b"a")', '"a"'],
  ['an array', '__import__("array").array("i", [1])', '[1]'],
  ['not implemented', 'NotImplemented', '1'],
  ['ellipsis', '...', '1'],
];
for (const [name, expression, expected] of returned) {
  call(`returns ${name}`, `def f(*a):\n    return ${expression}`, ['1', expected]);
}
call('returns a list that holds itself', 'def f(a):\n    l = []\n    l.append(l)\n    return l', ['1', '[]']);
call(
  'returns a list of 3000 levels',
  'def f(a):\n    l = []\n    for _ in range(3000):\n        l = [l]\n    return 1',
  ['1', '1'],
);

const functions: readonly (readonly [name: string, program: string])[] = [
  ['a method of Solution', 'class Solution:\n    def f(self, a):\n        return a'],
  ['a static method', 'class Solution:\n    @staticmethod\n    def f(a):\n        return a'],
  ['a class method', 'class Solution:\n    @classmethod\n    def f(cls, a):\n        return a'],
  [
    'Solution with another base',
    'class Base:\n    def f(self, a):\n        return a\nclass Solution(Base):\n    pass',
  ],
  [
    'Solution with a constructor',
    'class Solution:\n    def __init__(self):\n        self.n = 0\n    def f(self, a):\n        return a',
  ],
  [
    'Solution that needs an argument',
    'class Solution:\n    def __init__(self, x):\n        pass\n    def f(self, a):\n        return a',
  ],
  ['Solution without the method', 'class Solution:\n    def g(self, a):\n        return a'],
  ['a function beside Solution', 'class Solution:\n    pass\ndef f(a):\n    return a'],
  ['a class of another name', 'class Answer:\n    def f(self, a):\n        return a'],
  ['Solution in a text', 'text = "class Solution"\ndef f(a):\n    return a'],
  ['Solution as an alias', 'class Answer:\n    def f(self, a):\n        return a\nSolution = Answer'],
  ['Solutions', 'class Solutions:\n    def f(self, a):\n        return a\ndef f(a):\n    return a'],
  ['a lambda', 'f = lambda a: a'],
  ['a partial', 'f = functools.partial(lambda b, a: a, 0)'],
  ['a callable object', 'class A:\n    def __call__(self, a):\n        return a\nf = A()'],
  ['no function', 'def g(a):\n    return a'],
  ['a variable', 'f = 1'],
  ['an async function', 'async def f(a):\n    return a'],
  ['a generator function', 'def f(a):\n    yield a'],
  ['too few parameters', 'def f():\n    return 1'],
  ['an optional parameter', 'def f(a, b=2):\n    return a'],
  ['a keyword parameter', 'def f(a, *, b):\n    return a'],
  ['nested in a main block', 'if __name__ == "__main__":\n    def f(a):\n        return a'],
  [
    'a main block that prints',
    'def f(a):\n    return a\nif __name__ == "__main__":\n    print(f(int(input())))',
  ],
  ['input at top level', 'x = input()\ndef f(a):\n    return a'],
  [
    'input at top level in try',
    'try:\n    x = input()\nexcept EOFError:\n    x = 0\ndef f(a):\n    return a',
  ],
  ['exit at top level', 'def f(a):\n    return a\nexit()'],
  ['exit in the function', 'def f(a):\n    exit()'],
  ['exit caught', 'def f(a):\n    try:\n        exit()\n    except SystemExit:\n        return a'],
  [
    'quit in the function, caught',
    'def f(a):\n    try:\n        quit()\n    except SystemExit:\n        return a',
  ],
  ['an error at top level', 'def f(a):\n    return a\n1 / 0'],
  ['an error in the function', 'def f(a):\n    return a / 0'],
  ['KeyboardInterrupt', 'def f(a):\n    raise KeyboardInterrupt'],
  ['a print', 'def f(a):\n    print("x")\n    return a'],
  ['print to buffer', 'def f(a):\n    import sys\n    sys.stdout.buffer.write(b"x")\n    return a'],
  ['a syntax error', 'def f(a:\n    return a'],
  ['a future import', 'from __future__ import annotations\ndef f(a):\n    return a'],
  ['names of the prelude', 'def f(a: List[int]) -> Optional[int]:\n    return max(a, -inf)'],
  [
    'a dataclass',
    'from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\ndef f(a):\n    return P(a).x',
  ],
  [
    'a thread that is not joined',
    'def f(a):\n    import threading\n    threading.Thread(target=print).start()\n    return a',
  ],
  ['recursion of 20000', 'def f(a, n=20000):\n    return a if n == 0 else f(a, n - 1)'],
  ['the argument changed', 'def f(a):\n    a += 0\n    return a'],
  ['os._exit', 'def f(a):\n    import os\n    os._exit(0)'],
  [
    'an object that equals all',
    'class A:\n    def __eq__(self, o):\n        return True\ndef f(a):\n    return A()',
  ],
  [
    'an object whose comparison fails',
    'class A:\n    def __eq__(self, o):\n        raise ValueError\ndef f(a):\n    return A()',
  ],
];
for (const [name, program] of functions) call(`function/${name}`, program, ['1', '1'], ['1', '1']);

call('arguments/two', 'def f(a, b):\n    return a + b', ['1\n2', '3']);
call('arguments/a blank line', 'def f(a):\n    return a', ['1\n', '1']);
call('arguments/none', 'def f():\n    return 1', ['', '1']);
call('arguments/no JSON', 'def f(a):\n    return a', ["'x'", '1']);
call('arguments/expected is no JSON', 'def f(a):\n    return a', ['1', 'x']);
call('arguments/the second expected is no JSON', 'def f(a):\n    return a', ['1', '1'], ['1', 'x']);
call('arguments/a list that is changed and returned', 'def f(a):\n    a.append(1)\n    return a', [
  '[0]',
  '[0, 1]',
]);
call('arguments/nan', 'def f(a):\n    return a != a', ['NaN', 'true']);
call(
  'state/a global counter',
  'n = 0\ndef f(a):\n    global n\n    n += 1\n    return n',
  ['1', '1'],
  ['1', '1'],
);
call('state/a default list', 'def f(a, l=[]):\n    l.append(a)\n    return l', ['1', '[1]'], ['1', '[1]']);
call(
  'state/an attribute',
  'class Solution:\n    n = 0\n    def f(self, a):\n        self.n += 1\n        return self.n',
  ['1', '1'],
  ['1', '1'],
);
call('state/a cache', '@cache\ndef f(a):\n    return [a]', ['1', '[1]'], ['1', '[1]']);
call(
  'state/a cached list that is changed',
  '@cache\ndef g():\n    return []\ndef f(a):\n    l = g()\n    l.append(a)\n    return l',
  ['1', '[1]'],
  ['1', '[1]'],
);
call(
  'state/a list returned before',
  'r = []\ndef f(a):\n    r.append(a)\n    return r',
  ['1', '[1]'],
  ['2', '[1, 2]'],
);

function check(id: string, program: string, source: string, rules: 'humaneval' | 'mbpp' = 'humaneval'): void {
  const tests = [{ kind: 'check' as const, source: `${source}\ncheck(f)` }];
  cases.push({ id: `${rules}/${id}`, rules, program, entryPoint: 'f', tests });
}

const ADDS_ONE = 'def check(candidate):\n    assert candidate(1) == 2';
const checked: readonly (readonly [name: string, program: string, source?: string])[] = [
  ['right', 'def f(a):\n    return a + 1'],
  ['wrong', 'def f(a):\n    return a'],
  ['an error', 'def f(a):\n    raise ValueError'],
  ['missing', 'def g(a):\n    return a + 1'],
  ['a syntax error', 'def f(a):\nreturn 2'],
  ['a print', 'def f(a):\n    print(a)\n    return a + 1'],
  ['a print to buffer', 'import sys\ndef f(a):\n    sys.stdout.buffer.write(b"x")\n    return a + 1'],
  ['input at top level', 'x = input()\ndef f(a):\n    return a + 1'],
  [
    'input with except EOFError',
    'try:\n    x = input()\nexcept EOFError:\n    x = ""\ndef f(a):\n    return a + 1',
  ],
  [
    'input with except OSError',
    'try:\n    x = input()\nexcept OSError:\n    x = ""\ndef f(a):\n    return a + 1',
  ],
  ['stdin read', 'import sys\nx = sys.stdin.read()\ndef f(a):\n    return a + 1'],
  ['a main block', 'def f(a):\n    return a + 1\nif __name__ == "__main__":\n    1 / 0'],
  ['exit at top level', 'def f(a):\n    return a + 1\nexit()'],
  ['sys.exit at top level', 'import sys\ndef f(a):\n    return a + 1\nsys.exit(0)'],
  ['sys.exit in the function', 'import sys\ndef f(a):\n    sys.exit(0)'],
  ['exit is not there', 'def f(a):\n    return 2 if exit is None else 1'],
  ['quit caught', 'def f(a):\n    try:\n        quit()\n    except SystemExit:\n        return 2'],
  ['os._exit', 'import os\ndef f(a):\n    os._exit(0)'],
  ['os.getcwd', 'import os\ndef f(a):\n    os.getcwd()\n    return a + 1'],
  ['os.remove is not there', 'import os\ndef f(a):\n    return 2 if os.remove is None else 1'],
  ['subprocess', 'import subprocess\ndef f(a):\n    subprocess.run(["true"])\n    return a + 1'],
  ['open of a file', 'def f(a):\n    open("x", "w").close()\n    return a + 1'],
  ['shutil.move', 'import shutil\ndef f(a):\n    return 2 if shutil.move is None else 1'],
  ['resource', 'def f(a):\n    import resource\n    return a + 1'],
  ['numbers of the prelude', 'def f(a):\n    return int(sqrt(a)) + 1'],
  ['List without import', 'def f(a: List[int]):\n    return a + 1'],
  ['its own check', 'def check(candidate):\n    pass\ndef f(a):\n    return a'],
  [
    'an object that equals all',
    'class A:\n    def __eq__(self, o):\n        return True\ndef f(a):\n    return A()',
  ],
  ['AssertionError of its own', 'def f(a):\n    raise AssertionError'],
  [
    'an error caught by the test',
    'def f(a):\n    raise ValueError',
    'def check(candidate):\n    try:\n        candidate(1)\n    except ValueError:\n        return\n    assert False',
  ],
  [
    'a float close by',
    'def f(a):\n    return 0.1 + 0.2',
    'def check(candidate):\n    assert abs(candidate(1) - 0.3) < 1e-6',
  ],
  [
    'a dataclass',
    'from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\ndef f(a):\n    return P(a + 1).x',
  ],
  ['__name__', 'def f(a):\n    return 2 if __name__ == "builtins" else 1'],
  ['__file__', 'def f(a):\n    try:\n        return __file__\n    except NameError:\n        return 2'],
  ['recursion of 900', 'def f(a, n=900):\n    return a + 1 if n == 0 else f(a, n - 1)'],
  ['recursion of 5000', 'def f(a, n=5000):\n    return a + 1 if n == 0 else f(a, n - 1)'],
  ['an integer of 4400 digits', 'def f(a):\n    return len(str(10 ** 4400)) - 4399'],
  [
    'a thread that is not joined',
    'import threading\ndef f(a):\n    threading.Thread(target=lambda: 1 / 0).start()\n    return a + 1',
  ],
  ['a warning', 'import warnings\ndef f(a):\n    warnings.warn("x")\n    return a + 1'],
  ['a global', 'n = 0\ndef f(a):\n    global n\n    n += 1\n    return n + 1'],
  [
    'an argument that is changed',
    'def f(a):\n    a.append(1)\n    return a',
    'def check(candidate):\n    l = [0]\n    assert candidate(l) == [0, 1]\n    assert l == [0, 1]',
  ],
  [
    'a generator',
    'def f(a):\n    yield a + 1',
    'def check(candidate):\n    assert list(candidate(1)) == [2]',
  ],
  ['KeyboardInterrupt', 'def f(a):\n    raise KeyboardInterrupt'],
  ['an endless loop', 'def f(a):\n    while True:\n        pass'],
  [
    'an endless loop that catches all',
    'def f(a):\n    while True:\n        try:\n            while True:\n                pass\n        except Exception:\n            return 2',
  ],
];
for (const [name, program, source] of checked) check(name, program, source ?? ADDS_ONE);
check('right', 'def f(a):\n    return a + 1', ADDS_ONE, 'mbpp');
check('wrong', 'def f(a):\n    return a', ADDS_ONE, 'mbpp');
check('missing', 'def g(a):\n    return a', ADDS_ONE, 'mbpp');
check('a syntax error', 'def f(a):\nreturn 2', ADDS_ONE, 'mbpp');
check('an error at top level', 'def f(a):\n    return a\n1 / 0', ADDS_ONE, 'mbpp');

export const functionPrograms: readonly GradingCase[] = cases;
