import type { GradingCase } from '../../../support/grading-case';

const cases: GradingCase[] = [];

function reference(
  id: string,
  program: string,
  truth: string,
  inputs: string,
  { tolerance = 0, entryPoint = 'f' } = {},
): void {
  cases.push({
    id: `evalplus/${id}`,
    rules: 'evalplus',
    program,
    entryPoint,
    tests: [{ kind: 'reference', inputs, reference: truth, tolerance }],
  });
}

/** What is returned, next to what the reference returns, both as Python. */
const pairs: readonly (readonly [name: string, given: string, wanted: string, tolerance?: number])[] = [
  ['equal integers', '1', '1'],
  ['an integer for a float', '1', '1.0'],
  ['a float for an integer', '1.0', '1'],
  ['True for 1', 'True', '1'],
  ['floats within 1e-6', '1.0000005', '1.0'],
  ['floats beyond 1e-6', '1.000002', '1.0'],
  ['large floats within 1e-7 of each other', '1e9 + 50', '1e9'],
  ['floats with a wider tolerance', '1.0005', '1.0', 1e-3],
  ['an integer near a float', '1', '1.0000001'],
  ['integers with a tolerance', '1000000001', '1000000000', 1e-6],
  ['integers beyond a tolerance', '3', '1', 1e-6],
  ['lists of floats', '[1.0, 2.0000001]', '[1.0, 2.0]'],
  ['lists of floats of other lengths', '[1.0]', '[1.0, 2.0]'],
  ['lists of integers near floats', '[1, 2]', '[1.0, 2.0000001]'],
  ['lists of mixed numbers', '[1, 2.0000001]', '[1, 2.0]'],
  ['lists of mixed numbers with a tolerance', '[1, 2.0000001]', '[1, 2.0]', 1e-6],
  ['a tuple for a list of floats', '(1.0,)', '[1.0]'],
  ['a tuple for a list of floats nearly', '(1.0000001,)', '[1.0]'],
  ['tuples of floats', '(1.0000001,)', '(1.0,)'],
  ['nested lists of floats', '[[1.0000001]]', '[[1.0]]'],
  ['nested lists of floats with a tolerance', '[[1.0000001, 2.0]]', '[[1.0, 2.0]]', 1e-6],
  ['ragged lists with a tolerance', '[[1.0000001], [1, 2]]', '[[1.0], [1, 2]]', 1e-6],
  ['broadcast lists with a tolerance', '[[1.0], [1.0]]', '[[1.0, 1.0], [1.0, 1.0]]', 1e-6],
  ['a text with a tolerance', '"a"', '"b"', 1e-6],
  ['None with a tolerance', 'None', '0', 1e-6],
  ['a text', '"a"', '"a"'],
  ['bytes', 'b"a"', 'b"a"'],
  ['bytes for a text', 'b"a"', '"a"'],
  ['None', 'None', 'None'],
  ['a tuple for a list', '(1, 2)', '[1, 2]'],
  ['a list for a tuple', '[1, 2]', '(1, 2)'],
  ['sets', '{1, 2}', '{2, 1}'],
  ['sets of floats and integers', '{1, 2.0}', '{2, 1.0}'],
  ['a frozenset for a set', 'frozenset([1])', '{1}'],
  ['other sets', '{1}', '{2}'],
  ['dicts in another order', '{"b": 1, "a": 2}', '{"a": 2, "b": 1}'],
  ['a Counter for a dict', '__import__("collections").Counter("a")', '{"a": 1}'],
  ['a named tuple for a tuple', '__import__("collections").namedtuple("P", "x")(1)', '(1,)'],
  ['a deque for a list', '__import__("collections").deque([1])', '[1]'],
  ['a range for a list', 'range(2)', '[0, 1]'],
  ['equal ranges', 'range(2)', 'range(2)'],
  ['nan', 'float("nan")', 'float("nan")'],
  ['infinity', 'float("inf")', 'float("inf")'],
  ['infinity for a float', 'float("inf")', '1.0'],
  ['a list with infinity', '[float("inf"), 1.0000001]', '[float("inf"), 1.0]'],
  ['complex numbers', '1 + 2j', '1 + 2j'],
  ['complex numbers near', '1 + 2.00000001j', '1 + 2j', 1e-6],
  ['minus zero', '-0.0', '0.0'],
  ['a huge integer', '10 ** 40', '10 ** 40'],
  ['a huge integer one off', '10 ** 40 + 1', '10 ** 40'],
  ['a huge integer one off with a tolerance', '10 ** 40 + 1', '10 ** 40', 1e-6],
  ['an integer of 5000 digits', '10 ** 5000', '10 ** 5000'],
  ['lists that hold None', '[None, 1]', '[None, 1]'],
  ['keys of several types', '{1: "a", (1, 2): None}', '{1.0: "a", (1, 2): None}'],
  ['booleans', 'True', 'False'],
  ['booleans with a tolerance', 'True', 'False', 1e-6],
  ['an empty list for an empty tuple', '[]', '()'],
  ['a lone surrogate', '"\\ud800"', '"\\ud800"'],
];
for (const [name, given, wanted, tolerance] of pairs) {
  reference(`returns ${name}`, `def f(a):\n    return ${given}`, `def f(a):\n    return ${wanted}`, '[[1]]', {
    tolerance: tolerance ?? 0,
  });
}

const SAME = 'def f(a):\n    return a';
const behaviours: readonly (readonly [name: string, program: string, inputs: string])[] = [
  ['all inputs', SAME, '[[1], [2], ["x"], [[1, 2]]]'],
  ['wrong on the last input', 'def f(a):\n    return a if a != 3 else 4', '[[1], [2], [3]]'],
  ['an error on the last input', 'def f(a):\n    return 6 // (3 - a) and a', '[[1], [2], [3]]'],
  ['the argument changed', 'def f(a):\n    a.append(1)\n    return a[:-1]', '[[[1]], [[2]]]'],
  ['a global counter', 'n = 0\ndef f(a):\n    global n\n    n += 1\n    return a + n - 1', '[[1], [1]]'],
  ['a default list', 'def f(a, l=[]):\n    l.append(a)\n    return len(l)', '[[1], [2]]'],
  ['no function', 'def g(a):\n    return a', '[[1]]'],
  ['a syntax error', 'def f(a):\nreturn a', '[[1]]'],
  ['too few parameters', 'def f():\n    return 1', '[[1]]'],
  ['a print', 'def f(a):\n    print(a)\n    return a', '[[1]]'],
  ['a print to buffer', 'import sys\ndef f(a):\n    sys.stdout.buffer.write(b"x")\n    return a', '[[1]]'],
  ['input', 'def f(a):\n    input()\n    return a', '[[1]]'],
  [
    'input with except EOFError',
    'def f(a):\n    try:\n        input()\n    except EOFError:\n        pass\n    return a',
    '[[1]]',
  ],
  ['open', 'def f(a):\n    open("x", "w").close()\n    return a', '[[1]]'],
  ['exit', 'def f(a):\n    exit()', '[[1]]'],
  ['exit at top level', 'def f(a):\n    return a\nexit()', '[[1]]'],
  ['sys.exit', 'import sys\ndef f(a):\n    sys.exit()', '[[1]]'],
  ['os.getcwd', 'import os\ndef f(a):\n    os.getcwd()\n    return a', '[[1]]'],
  ['KeyboardInterrupt', 'def f(a):\n    raise KeyboardInterrupt', '[[1]]'],
  ['a main block', 'def f(a):\n    return a\nif __name__ == "__main__":\n    1 / 0', '[[1]]'],
  ['a lambda', 'f = lambda a: a', '[[1]]'],
  ['a generator', 'def f(a):\n    yield a', '[[1]]'],
  ['os._exit', 'import os\ndef f(a):\n    os._exit(0)', '[[1]]'],
  ['an error at top level', 'def f(a):\n    return a\n1 / 0', '[[1]]'],
  [
    'an object that equals all',
    'class A:\n    def __eq__(self, o):\n        return True\ndef f(a):\n    return A()',
    '[[1]]',
  ],
  [
    'a float among integers first',
    'def f(a):\n    return a + 1 if a > 10 ** 7 else a',
    '[[0.5], [20000000]]',
  ],
  ['a float among integers last', 'def f(a):\n    return a + 1 if a > 10 ** 7 else a', '[[20000000], [0.5]]'],
  ['nan as an input', 'def f(a):\n    return 1 if a != a else a', '[[NaN]]'],
  ['no inputs', SAME, '[]'],
];
for (const [name, program, inputs] of behaviours) reference(name, program, SAME, inputs);

const zero = { entryPoint: 'find_zero', tolerance: 1e-4 };
const ZERO = 'def find_zero(xs):\n    return -xs[0] / xs[1]';
reference(
  'find_zero: another zero',
  'def find_zero(xs):\n    return 1.0',
  'def find_zero(xs):\n    return -1.0',
  '[[[-1, 0, 1]]]',
  zero,
);
reference('find_zero: no zero', 'def find_zero(xs):\n    return 2.0', ZERO, '[[[1, 2]]]', zero);
reference('find_zero: near a zero', 'def find_zero(xs):\n    return -0.50001', ZERO, '[[[1, 2]]]', zero);
reference('find_zero: None', 'def find_zero(xs):\n    return None', ZERO, '[[[1, 2]]]', zero);
const named = (name: string, body: string) => `def ${name}(*a):\n    return ${body}`;
const special = (name: string, id: string, given: string, wanted: string, inputs: string) =>
  reference(`${name}: ${id}`, named(name, given), named(name, wanted), inputs, { entryPoint: name });
special('similar_elements', 'another order', '[2, 1]', '(1, 2)', '[[1]]');
special('similar_elements', 'repeated', '[1, 1, 2]', '(1, 2)', '[[1]]');
special('similar_elements', 'other elements', '[1, 3]', '(1, 2)', '[[1]]');
special('similar_elements', 'no list', '5', '(1, 2)', '[[1]]');
special('check_str', 'found', '"yes"', '"match"', '[["a"]]');
special('check_str', 'a boolean', 'True', '"match"', '[["a"]]');
special('check_str', 'not found', 'None', '"match"', '[["a"]]');
special('check_str', 'not found by both', 'None', 'None', '[["a"]]');
special('are_equivalent', 'anything', '5', 'True', '[[1, 2]]');
special('sum_div', 'zero', '0', '7', '[[8]]');
special('sum_div', 'another', '1', '7', '[[8]]');
special('digit_distance_nums', 'by digits', '6', '1', '[[123, 256]]');
special('digit_distance_nums', 'as the reference', '1', '1', '[[123, 256]]');
special('digit_distance_nums', 'wrong', '2', '1', '[[123, 256]]');
special('surface_Area', 'by the height', '33', '1', '[[3, 4]]');
special('surface_Area', 'wrong', '34', '1', '[[3, 4]]');

export const referencePrograms: readonly GradingCase[] = cases;
