import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { BenchmarkImport } from '../../../main/benchmarks';
import { temporaryFolder } from '../../support/temporary-folder';
import { hasRealFiles, humanEvalRow, libraryIn, realFiles, unwrapped } from './sample-files';

async function imported(content: string | Buffer, order: Partial<BenchmarkImport> = {}, name = 'made.jsonl') {
  const folder = await temporaryFolder();
  const path = join(folder, name);
  await writeFile(path, content);
  const library = libraryIn(join(folder, 'data'));
  const result = await library.importBenchmark({ path, ...order });
  if (!result.ok) return { refusal: result.error.message, benchmark: null, problems: [] };
  const benchmark = result.value.value;
  return { refusal: '', benchmark, problems: unwrapped(await library.problems(benchmark.id)) };
}

const json = JSON.stringify;

describe('HumanEval+', () => {
  const row = (changes = '') =>
    `{"task_id": "HumanEval/7", "prompt": "def f(x):\\n", "entry_point": "f", "canonical_solution": "    return x\\n", "contract": "", "base_input": [[1.0], [12345678901234567890], ["]\\"["]], "plus_input": [[1e400], [NaN], [-Infinity], [[0.10]]], "atol": 1e-06${changes}}`;

  it('is graded by its base inputs in public and by both in private, digit by digit as they are written', async () => {
    const { benchmark, problems } = await imported(row(', "test": "def check(candidate): pass"'));
    const base = {
      kind: 'reference',
      inputs: '[[1.0],[12345678901234567890],["]\\"["]]',
      reference: 'def f(x):\n    return x\n',
      tolerance: 1e-6,
    };
    expect(benchmark).toMatchObject({ rules: 'evalplus', notes: [] });
    expect(problems).toMatchObject([
      {
        id: 'HumanEval/7',
        entryPoint: 'f',
        publicTests: [base],
        privateTests: [base, { ...base, inputs: '[[1e400],[NaN],[-Infinity],[[0.10]]]' }],
      },
    ]);
  });

  it('in its OriginFmt is graded by its own check, and says that this needs numpy', async () => {
    const test = 'import numpy as np\n\ndef check(candidate):\n    assert candidate(1) == 2\n';
    const { benchmark, problems } = await imported(humanEvalRow(1, { test }));
    expect(benchmark).toMatchObject({ rules: 'humaneval', limits: { cpuSeconds: 3 } });
    expect(benchmark?.notes).toEqual([
      'The tests of 1 problem import numpy: where the grading Python has none, every candidate fails.',
    ]);
    expect(problems[0]?.privateTests).toEqual([{ kind: 'check', source: `${test}\ncheck(add_1)` }]);
  });

  it.each([
    ['"plus_input": [[1e400]', '"plus_input": [[01]', 'whose entry 1 is not a list of arguments'],
    ['"plus_input": [[1e400]', '"plus_input": [5', 'whose entry 1 is not a list of arguments'],
    ['"base_input": [', '"base_input": 5, "old": [', 'has a "base_input" that is not a list'],
    ['"atol": 1e-06', '"atol": -1', 'has an "atol" that is negative'],
    ['"atol": 1e-06', '"atol_": 1', 'has no "atol"'],
  ])('with %s as %s is refused', async (from, to, message) => {
    const { refusal } = await imported(`${row()}\n${row().replace(from, to)}`);
    expect(refusal).toContain('line 2 ');
    expect(refusal).toContain(message);
  });
});

describe('MBPP+', () => {
  const row = (task: number, base: string, plus: string) =>
    `{"task_id": "Mbpp/${task}", "prompt": "\\"\\"\\"\\nDo it.\\n\\"\\"\\"\\n", "entry_point": "f", "canonical_solution": "def f(*all):\\n    return all\\n", "contract": "", "base_input": ${base}, "plus_input": ${plus}, "atol": 0, "assertion": ""}`;

  it.each([
    [2, '[[[3, 4], [5, null]]]', '[[(3, 4,), (5, None,)]]'],
    [63, '[[[[1, 2], [true, "a\\u00e9"]]]]', '[[[(1, 2,), (True, "aé",)]]]'],
    [75, '[[[[6, 24.0]], 6]]', '[[[(6, 24.0,)], 6]]'],
    [106, '[[[5], [9, 10]]]', '[[[5], (9, 10,)]]'],
    [115, '[[[[1, 2], []]]]', '[[[{1, 2}, {}]]]'],
    [124, '[["1", "2j"]]', '[[1.0, 2j]]'],
    [252, '[["(1+2j)"], ["5"]]', '[[(1+2j)], [5+0j]]'],
    [259, '[[[[1, 3]], [[6, 7]]]]', '[[((1, 3,),), ((6, 7,),)]]'],
    [278, '[[[1, [2, 3], 4]]]', '[[(1, (2, 3,), 4,)]]'],
    [307, '[[["a", []], 1, 50]]', '[[("a", [],), 1, 50]]'],
    [722, '[[{"Ann": [6.2, 70]}, 6.0]]', '[[{"Ann": (6.2, 70,)}, 6.0]]'],
    [580, '[[[4, [7, [1]]]]]', '[((4, (7, (1,),),),)]'],
  ])('problem %i gets its arguments back as Python means them', async (task, base, python) => {
    const { problems } = await imported(row(task, base, '[]'));
    expect(problems[0]?.publicTests).toMatchObject([
      { kind: 'reference', inputs: python, inputsForm: 'python' },
    ]);
  });

  it('leaves all other arguments as JSON, and takes an empty object for no inputs', async () => {
    const { benchmark, problems } = await imported(row(3, '[[10], [1.50]]', '{}'));
    expect(benchmark?.rules).toBe('evalplus');
    expect(problems[0]).toMatchObject({
      starterCode: '',
      canonicalProgram: '"""\nDo it.\n"""\ndef f(*all):\n    return all\n',
      publicTests: [{ inputs: '[[10],[1.50]]' }],
    });
    expect(problems[0]?.publicTests[0]).not.toHaveProperty('inputsForm');
    expect(problems[0]?.privateTests).toHaveLength(1);
  });

  it('with arguments that its rules do not know is refused', async () => {
    expect((await imported(row(2, '[[5]]', '[]'))).refusal).toContain(
      "whose entry 1 is not what problem 2 takes by EvalPlus' own rules.",
    );
  });

  it('as a table of programs is graded by its assertions and its own test', async () => {
    const test = 'import numpy as np\nassert f(1) == 1\n';
    const table = json({
      task_id: 5,
      prompt: 'Do it.',
      code: 'def f(x):\n  return x',
      test_imports: [],
      test_list: ['assert f(2) == 2'],
      test,
    });
    const { benchmark, problems } = await imported(table);
    expect(benchmark).toMatchObject({ rules: 'mbpp' });
    expect(problems[0]).toMatchObject({
      id: 'Mbpp/5',
      publicTests: [{ source: 'assert f(2) == 2' }],
      privateTests: [{ source: 'assert f(2) == 2' }, { source: test }],
    });
  });
});

describe('MBPP', () => {
  it("in Google's sanitized form shows the first assertion and is graded by all", async () => {
    const rows = [
      {
        source_file: 'a.ipynb',
        task_id: 11,
        prompt: 'Do it.',
        code: 'def helper(x):\r\n  return x\r\ndef f(x):\r\n  return helper(x)',
        test_imports: ['import math'],
        test_list: ['assert math.isclose(f(1), 1)', 'assert f(2) == 2'],
      },
    ];
    const { benchmark, problems } = await imported(json(rows, null, 2), {}, 'sanitized-mbpp.json');
    expect(benchmark).toMatchObject({ id: 'sanitized-mbpp', rules: 'mbpp' });
    expect(problems).toMatchObject([
      {
        id: 'Mbpp/11',
        entryPoint: 'f',
        statement:
          'Do it.\n\nYour code should pass this test:\n\n```python\nassert math.isclose(f(1), 1)\n```',
        publicTests: [{ kind: 'check', source: 'import math\nassert math.isclose(f(1), 1)' }],
        privateTests: [
          { source: 'import math\nassert math.isclose(f(1), 1)' },
          { source: 'import math\nassert f(2) == 2' },
        ],
        canonicalProgram: 'def helper(x):\n  return x\ndef f(x):\n  return helper(x)',
      },
    ]);
  });

  it("in Google's whole form has a setup instead of imports", async () => {
    const row = json({
      text: 'Do it.',
      code: 'class T: pass\ndef f(t):\n  return 1',
      task_id: 12,
      test_setup_code: 'root = T()',
      test_list: ['assert f(root) == 1'],
      challenge_test_list: [],
    });
    const { problems } = await imported(row);
    expect(problems[0]).toMatchObject({
      entryPoint: 'f',
      publicTests: [{ source: 'root = T()\nassert f(root) == 1' }],
    });
  });

  it('of CodeT gets the call of check that its file lacks, and the imports that its tests use', async () => {
    const row = {
      task_id: 'MbppEval/1',
      prompt: "def f(x):\n    '''\n    Do it.\n    '''\n",
      entry_point: 'f ',
      canonical_solution: '  return x\n',
      test: 'def check(candidate):\n    assert math.isclose(f(1), 1)\n',
    };
    const { problems } = await imported(json(row));
    expect(problems[0]).toMatchObject({
      publicTests: [{ source: 'import math\nassert math.isclose(f(1), 1)' }],
      privateTests: [
        { source: 'import math\ndef check(candidate):\n    assert math.isclose(f(1), 1)\ncheck(f)' },
      ],
      canonicalProgram: 'def f(x):\n  return x\n',
    });
  });
});

describe('APPS', () => {
  const statement =
    'Add.\n\n-----Examples-----\nInput\n1 2\n\nOutput\n3\n\nInput\n5 5\n\nOutput\n11\n\n-----Note-----\nNone.\n';
  const row = (changes: object) =>
    json({
      problem_id: 3,
      question: statement,
      solutions: '[]',
      difficulty: 'interview',
      url: '',
      starter_code: '',
      ...changes,
    });

  it('of programs that read stdin takes the examples of the statement that its tests do not contradict', async () => {
    const input_output = json({
      inputs: ['1 2\n', '5 5\n', ['7', '8']],
      outputs: ['3\n', '10\n', ['15', '']],
    });
    const { benchmark, problems } = await imported(row({ input_output }));
    expect(benchmark).toMatchObject({ rules: 'plain', limits: { cpuSeconds: 4 } });
    expect(problems).toMatchObject([
      {
        id: '3',
        difficulty: 'medium',
        entryPoint: null,
        publicTests: [{ kind: 'stdin', input: '1 2\n', expected: '3\n' }],
        privateTests: [
          { input: '1 2\n' },
          { input: '5 5\n', expected: '10\n' },
          { input: '7\n8', expected: '15\n' },
        ],
      },
    ]);
  });

  it('of functions has calls with their numbers as they are written', async () => {
    const input_output =
      '{"fn_name": "add", "inputs": [[1, 2.50], ["a", [1]]], "outputs": [[12345678901234567890], [[1, 2]]]}';
    const { benchmark, problems } = await imported(row({ input_output, starter_code: 'def add(a, b):' }));
    expect(problems[0]).toMatchObject({
      entryPoint: 'add',
      publicTests: [],
      privateTests: [
        { kind: 'call', input: '1\n2.50', expected: '12345678901234567890' },
        { input: '"a"\n[1]', expected: '[1, 2]' },
      ],
    });
    expect(benchmark?.notes).toEqual([
      '1 problem has no public tests: every candidate for it has the public score 0.',
    ]);
  });

  it('leaves out problems without tests, and says so', async () => {
    const rows = [
      row({ input_output: '' }),
      row({ problem_id: 4, input_output: '{"inputs": ["1"], "outputs": ["1"]}' }),
    ];
    const { benchmark, problems } = await imported(rows.join('\n'));
    expect(problems.map(({ id }) => id)).toEqual(['4']);
    expect(benchmark?.notes).toContain('1 problem without any test was left out.');
  });

  it("in MapCoder's selection tells text from lists by all of a parameter's values, and marks what stays doubtful", async () => {
    const row = (id: number, starter_code: string, inputs: readonly string[], output: unknown) =>
      json({
        name: String(id),
        id,
        description: 'Do it.',
        difficulty: 'introductory',
        starter_code,
        sample_io: [],
        test_list: inputs.map((input) => ({ input, output: [output] })),
      });
    const rows = [
      row(1, '\ndef f(words, list):\n\t', ["a\n['x', (1, True)]", "12\n['y']"], 'x'),
      row(2, '\ndef f(n):\n\t', ['1', '2'], 2.5),
      row(2, '\ndef f(n):\n\t', ['1'], 1),
      row(3, '\ndef f(a, b):\n\t', ['1\n2\n3', 'x\ny'], null),
    ];
    const { benchmark, problems } = await imported(rows.join('\n'));
    expect(problems.map(({ privateTests }) => privateTests)).toEqual([
      [
        { kind: 'call', input: '"a"\n["x",[1,true]]', expected: '"x"' },
        { kind: 'call', input: '"12"\n["y"]', expected: '"x"' },
      ],
      [
        { kind: 'call', input: '1', expected: '2.5' },
        { kind: 'call', input: '2', expected: '2.5' },
      ],
      [{ kind: 'call', input: '"x"\n"y"', expected: 'null' }],
    ]);
    expect(benchmark?.marks).toEqual([
      { problemId: '2', exclude: true, reason: expect.stringContaining('numbers or text') },
    ]);
    expect(benchmark?.notes).toContain('1 row repeats an earlier problem; the first of each is kept.');
    expect(benchmark?.notes).toContain(
      '1 test was left out because the arguments of the call are ambiguous.',
    );
  });
});

it('CodeContests: generated tests count as private ones, and the longest time is the limit', async () => {
  const row = (name: string, seconds: number) =>
    json({
      name,
      description: 'Do it.',
      public_tests: { input: ['1\n'], output: ['2\n'] },
      private_tests: { input: [], output: [] },
      generated_tests: { input: ['3\n', '1\n'], output: ['4\n', '2\n'] },
      source: 2,
      difficulty: 8,
      cf_tags: ['dp', ''],
      time_limit: { seconds, nanos: 500_000_000 },
      solutions: { language: [2, 3], solution: ['int main', 'print(1)'] },
    });
  const { benchmark, problems } = await imported(gzipSync(`${row('1_A', 1)}\n${row('1_B', 4)}`), {
    licence: 'CC-BY-4.0',
    version: '1',
  });
  expect(benchmark).toMatchObject({
    limits: { cpuSeconds: 13.5, wallSeconds: 54 },
    licence: 'CC-BY-4.0',
    version: '1',
  });
  expect(problems[0]).toMatchObject({
    id: '1_A',
    platform: 'codeforces',
    skills: ['dp'],
    publicTests: [{ kind: 'stdin', input: '1\n', expected: '2\n' }],
    privateTests: [{ input: '1\n' }, { input: '3\n', expected: '4\n' }],
    canonicalProgram: 'print(1)',
  });
});

describe("the workbench's own form", () => {
  it('needs no more than an id, a statement and private tests', async () => {
    const row = {
      id: 'a',
      statement: 'Print 1.',
      privateTests: [{ kind: 'stdin', input: '', expected: '1\n' }],
    };
    const { benchmark, problems } = await imported(json(row));
    expect(benchmark).toMatchObject({ rules: 'plain', notes: [expect.stringContaining('no public tests')] });
    expect(problems[0]).toMatchObject({ title: 'a', entryPoint: null, starterCode: '', publicTests: [] });
  });

  it.each([
    [{ privatTests: [] }, 'has an unknown field: "privatTests"'],
    [
      { privateTests: [{ kind: 'call', input: '1', expected: '1' }] },
      'whose test 1 is a call, but the problem has no "entryPoint"',
    ],
    [
      { entryPoint: 'f', privateTests: [{ kind: 'call', input: 'x', expected: '1' }] },
      'whose test 1 has an "input" that is not one JSON value a line',
    ],
    [
      { privateTests: [{ kind: 'stdin', input: '1' }] },
      'has a "privateTests" whose entry 1 has no "expected"',
    ],
    [{ date: 'soon' }, 'has a "date" that is not a date like 2025-01-31'],
    [{ statement: undefined }, 'has no "statement"'],
  ])('refuses %j', async (changes, message) => {
    const good = {
      id: 'a',
      statement: 'Print 1.',
      privateTests: [{ kind: 'stdin', input: '', expected: '1\n' }],
    };
    const { refusal } = await imported(`${json(good)}\n${json({ ...good, id: 'b', ...changes })}`);
    expect(refusal).toContain('line 2 ');
    expect(refusal).toContain(message);
  });
});

it('a named format overrides the one guessed from the first row', async () => {
  const { refusal } = await imported(humanEvalRow(1), { format: 'livecodebench' });
  expect(refusal).toContain('line 1 has no "question_title"');
});

describe.skipIf(!hasRealFiles)('real files (skipped where ../shared/data is not there)', () => {
  const cases: ReadonlyArray<readonly [string, string, number, number, number, number]> = [
    ['HumanEval+ mini', realFiles.humanEvalPlus, 164, 164, 328, 0],
    ['MBPP of CodeT', realFiles.mbpp, 427, 427, 427, 0],
    ['MBPP of InterCode', realFiles.interCode, 974, 974, 2938, 0],
    ["CodeTree's selection of APPS", realFiles.codeTree, 150, 390, 3127, 0],
    ["MapCoder's selection of APPS", realFiles.mapCoder, 128, 352, 1677, 35],
  ];
  it.each(cases)('%s', async (_, path, count, publicTests, privateTests, marks) => {
    const library = libraryIn(await temporaryFolder());
    const { value } = unwrapped(await library.importBenchmark({ path }));
    const problems = unwrapped(await library.problems(value.id));
    expect(problems).toHaveLength(count);
    expect(problems.reduce((sum, problem) => sum + problem.publicTests.length, 0)).toBe(publicTests);
    expect(problems.reduce((sum, problem) => sum + problem.privateTests.length, 0)).toBe(privateTests);
    expect(value.marks).toHaveLength(marks);
  });

  it("MapCoder's repeated rows are reported", async () => {
    const library = libraryIn(await temporaryFolder());
    const { value } = unwrapped(await library.importBenchmark({ path: realFiles.mapCoder }));
    expect(value.notes).toContain('22 rows repeat an earlier problem; the first of each is kept.');
  });
});

it('the examples of docs/benchmarks.md can be imported as they stand there', async () => {
  const docs = await readFile(join(import.meta.dirname, '..', '..', '..', 'docs', 'benchmarks.md'), 'utf8');
  const [problem = '', header = ''] = [...docs.matchAll(/```json\n(.*)\n```/g)].map(
    ([, example]) => example ?? '',
  );
  expect((await imported(problem)).problems[0]?.privateTests).toHaveLength(2);
  const { benchmark } = await imported(`${header}\n${problem}\n`);
  expect(benchmark).toMatchObject({ name: 'Sums', licence: 'MIT', marks: [{ problemId: 'sum' }] });
});
