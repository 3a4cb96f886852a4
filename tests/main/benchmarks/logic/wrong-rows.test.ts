import { expect, it } from 'vitest';
import { PUBLISHED_FORMS } from '../../../../main/benchmarks/logic/row-formats';

type Fields = Readonly<Record<string, unknown>>;

const humanEval: Fields = {
  task_id: 'HumanEval/0',
  prompt: 'def f(x):\n',
  entry_point: 'f',
  canonical_solution: '    return x\n',
  test: 'def check(candidate):\n    assert candidate(1) == 1\n',
};
const evalPlus: Fields = { ...humanEval, base_input: [[1]], plus_input: [[2]], atol: 0 };
const mbpp: Fields = {
  task_id: 2,
  text: 'Give it back.',
  code: 'def f(x):\n  return x',
  test_list: ['assert f(1) == 1'],
};
const tests = { input: ['1'], output: ['1'] };

/** A right row of every form. */
const RIGHT: Readonly<Record<string, Fields>> = {
  LiveCodeBench: {
    question_title: 't',
    question_content: 'q',
    platform: 'atcoder',
    question_id: 'a',
    contest_date: '2024-01-01',
    starter_code: '',
    difficulty: 'easy',
    public_test_cases: '[]',
    metadata: '{}',
  },
  'MBPP+': { ...evalPlus, task_id: 'Mbpp/8' },
  'MBPP+ as a table': { ...mbpp, prompt: 'p', test: 'import numpy as np\nassert f(1) == 1' },
  'HumanEval+': evalPlus,
  'HumanEval+ (OriginFmt)': humanEval,
  MBPP: mbpp,
  'MBPP (CodeT)': { ...humanEval, task_id: 'MBPP/2', prompt: 'def f(x):\n  """Text."""\n' },
  'MBPP (InterCode)': { task_id: 2, query: 'q', gold: 'def f(x):\n  return x', tests: ['assert f(1) == 1'] },
  HumanEval: humanEval,
  APPS: { problem_id: 1, question: 'q', input_output: '', difficulty: 'interview' },
  "APPS (CodeTree's selection)": {
    name: 1,
    description: 'd',
    difficulty: 'interview',
    public_tests: tests,
    private_tests: tests,
  },
  "APPS (MapCoder's selection)": {
    name: 1,
    description: 'd',
    sample_io: [{ input: '1', output: ['1'] }],
    test_list: [],
  },
  CodeContests: { name: 'a', description: 'd', public_tests: tests },
  'the workbench': { id: 'a', statement: 's', privateTests: [{ kind: 'stdin', input: '1', expected: '1' }] },
};

function problemOf(form: string, changes: Fields): string {
  const read = PUBLISHED_FORMS.find(({ name }) => name === form)?.read(
    JSON.stringify({ ...RIGHT[form], ...changes }),
  );
  if (read === undefined) throw new Error(`There is no form "${form}"`);
  return read.ok ? 'is right' : read.error;
}

it.each(PUBLISHED_FORMS.map(({ name }) => name))('a right row of %s is read', (form) => {
  expect(problemOf(form, {})).toBe('is right');
});

/** Words of zod's own, of its types, and of nothing at all. */
const NO_SENTENCE =
  /Invalid|Unrecognized|[Ee]xpected|""|pattern|not a string|\barray\b|undefined|\ba "[aeio]/;
const WRONG_VALUES = [
  undefined,
  null,
  '',
  '\u0007',
  'x y',
  -1,
  1.5,
  true,
  [],
  [1],
  {},
  { kind: 'none' },
  [{ kind: 'stdin' }],
];

it.each(PUBLISHED_FORMS.map(({ name }) => name))('every wrong field of %s is told in a sentence', (form) => {
  const sentences = Object.keys(RIGHT[form] ?? {}).flatMap((field) =>
    WRONG_VALUES.map((value) => problemOf(form, { [field]: value })),
  );
  const wrong = sentences.filter((text) => text !== 'is right');
  expect(wrong.length).toBeGreaterThan(10);
  expect(wrong.filter((text) => NO_SENTENCE.test(text) || !/^(?:has|is) .*\.$/s.test(text))).toEqual([]);
});

it.each<[form: string, changes: Fields, sentence: string]>([
  ['MBPP', { task_id: 'MBPP-2' }, 'has a "task_id" that is not a number of a problem, like 11 or "Mbpp/11".'],
  ['MBPP', { task_id: {} }, 'has a "task_id" that is not a number of a problem, like 11 or "Mbpp/11".'],
  ['MBPP', { task_id: undefined }, 'has no "task_id".'],
  ['MBPP', { test_list: 'assert' }, 'has a "test_list" that is not a list.'],
  ['MBPP', { test_list: [1] }, 'has a "test_list" whose entry 1 is not text.'],
  ['HumanEval', { entry_point: 5 }, 'has an "entry_point" that is not text.'],
  ['HumanEval+', { atol: '0' }, 'has an "atol" that is not a number.'],
  ['LiveCodeBench', { difficulty: 'hardest' }, 'has a "difficulty" that is not "easy", "medium" or "hard".'],
  [
    'APPS',
    { problem_id: 'a b' },
    'has a "problem_id" that is not an id: a whole number, or letters, digits and . _ / -.',
  ],
  ['APPS', { problem_id: undefined }, 'has no "problem_id" (nor "id" or "name").'],
  [
    "APPS (CodeTree's selection)",
    { public_tests: { input: ['1'], output: [] } },
    'has a "public_tests" that does not have as many outputs as inputs.',
  ],
  [
    "APPS (CodeTree's selection)",
    { public_tests: { input: ['1'] } },
    'has a "public_tests" that has no "output".',
  ],
  ['CodeContests', { public_tests: 5 }, 'has a "public_tests" that has none of the forms that it may have.'],
  ['CodeContests', { public_tests: [{ input: '1' }] }, 'has a "public_tests" whose entry 1 has no "output".'],
  [
    'CodeContests',
    { public_tests: { input: ['1'], output: [] } },
    'has a "public_tests" that does not have as many outputs as inputs.',
  ],
  ['the workbench', { foo: 1 }, 'has an unknown field: "foo". Remove what is unknown, or correct its name.'],
  [
    'the workbench',
    { foo: 1, bar: 1 },
    'has unknown fields: "foo", "bar". Remove what is unknown, or correct its name.',
  ],
  [
    'the workbench',
    { privateTests: [{ kind: 'none' }] },
    'has a "privateTests" whose entry 1 has a "kind" that is not "stdin", "call", "check" or "reference".',
  ],
  ['the workbench', { privateTests: [{ input: '' }] }, 'has a "privateTests" whose entry 1 has no "kind".'],
])('a row of %s with %j is told as what is wrong', (form, changes, sentence) => {
  expect(problemOf(form, changes)).toBe(sentence);
});
