import { describe, expect, it } from 'vitest';
import { type ParentProgram, promptFor, searchTree } from '../../../main/search';
import type { NodeAdded, TestResult, Verdict } from '../../../preload/contract';
import {
  agentNamed,
  answerOf,
  configWith,
  problemWith,
  recordingOptions,
} from '../../support/search-fixture';

function resultOf(verdict: Verdict, texts: { actual?: string; error?: string } = {}): TestResult {
  return { verdict, actual: texts.actual ?? null, error: texts.error ?? null, cpuMs: 1, wallMs: 1 };
}

/** A parent whose tests gave these results. */
function parentWith(program: string | null, results: readonly TestResult[]): ParentProgram {
  const publicVerdicts = results.map(({ verdict }) => verdict);
  const answer = program === null ? 'I do not know.' : `\`\`\`python\n${program}\n\`\`\``;
  return { program, answer, publicVerdicts, publicResults: results };
}

const parentOf = (program: string | null, publicVerdicts: readonly Verdict[]): ParentProgram =>
  parentWith(
    program,
    publicVerdicts.map((verdict) => resultOf(verdict)),
  );

const FORMAT = `Print the number that you read.

### Format
The program reads its input from stdin and writes its answer to stdout. Give the whole program in one fence.
\`\`\`python
\`\`\``;

function userText(...args: Parameters<typeof promptFor>): string {
  return promptFor(...args).at(-1)?.content ?? '';
}

describe('the first attempt', () => {
  it('is asked with the statement and what to deliver', () => {
    expect(promptFor(problemWith(), agentNamed('a'), null)).toEqual([{ role: 'user', content: FORMAT }]);
  });

  it('shows the starter code where there is some', () => {
    const problem = problemWith({ starterCode: 'def f(x):\n    pass' });
    expect(userText(problem, agentNamed('a'), null)).toContain('```python\ndef f(x):\n    pass\n```');
  });

  it('puts the role in front as a system message', () => {
    const agent = agentNamed('a', { role: { name: 'solver', systemPrompt: 'Plan, then write.' } });
    expect(promptFor(problemWith(), agent, null)[0]).toEqual({
      role: 'system',
      content: 'Plan, then write.',
    });
  });
});

describe('a format by name', () => {
  const role = { name: 'solver', systemPrompt: 'Plan.' };
  const problem = problemWith({ starterCode: 'def f(x):\n    "{statement} $&"\n' });

  it('bare: the statement alone, also before what a refinement is told', () => {
    const agent = agentNamed('a', { role, promptFormat: { kind: 'bare' } });
    expect(promptFor(problem, agent, null)).toEqual([{ role: 'user', content: problem.statement }]);
    const refined = promptFor(problem, agent, parentOf('x = 1', ['passed']));
    expect(refined).toHaveLength(1);
    expect(refined[0]?.content).toMatch(/^Print the number that you read\.\n\n### Earlier program\n/);
  });

  it('completion: the starter code to the last character, and no system prompt', () => {
    const agent = agentNamed('a', { role, promptFormat: { kind: 'completion' } });
    expect(promptFor(problem, agent, null)).toEqual([{ role: 'user', content: problem.starterCode }]);
    const trimmed = agentNamed('a', { promptFormat: { kind: 'completion', isTrimmed: true } });
    expect(userText(problem, trimmed, null)).toBe(problem.starterCode.trimEnd());
  });

  it('file: its texts with the problem filled in once, and the role behind the system text', () => {
    const user = 'A {statement} B {starter} C {other}';
    const agent = agentNamed('a', {
      role,
      promptFormat: { kind: 'file', system: 'You write code.', user, digest: '' },
    });
    expect(promptFor(problem, agent, null)).toEqual([
      { role: 'system', content: 'You write code.\n\nPlan.' },
      { role: 'user', content: `A ${problem.statement} B ${problem.starterCode} C {other}` },
    ]);
  });
});

describe('a refinement', () => {
  it('is asked with the program, a verdict per public test and their sum', () => {
    const parent = parentOf('print(1)', ['passed', 'time-limit']);
    expect(userText(problemWith(), agentNamed('a'), parent)).toBe(`${FORMAT}

### Earlier program
\`\`\`python
print(1)
\`\`\`

### Results on the public tests
Test 1: passed
Test 2: time limit
Test 3: not run
Passed 1 of 3.

Find the fault in the earlier program, and write a corrected whole program. Put it in one python fence.`);
  });

  it('of a program that passes all tests asks for the cases that it misses', () => {
    const parent = parentOf('print(1)', ['passed', 'passed', 'passed']);
    expect(userText(problemWith(), agentNamed('a'), parent)).toContain('Passed 3 of 3.\n\nLook for cases');
  });

  it('of an answer without code says so, and nothing of tests', () => {
    const text = userText(problemWith(), agentNamed('a'), parentOf(null, []));
    expect(text).toBe(
      `${FORMAT}\n\nAn earlier answer held no program. Write a whole program and put it in a python fence.`,
    );
  });

  it('starts with the text of the first attempt', () => {
    const parent = parentOf('print(1)', []);
    const first = userText(problemWith(), agentNamed('a'), null);
    expect(userText(problemWith(), agentNamed('a'), parent).startsWith(first)).toBe(true);
  });

  it('keeps a program with a fence in it whole', () => {
    const parent = parentOf('text = """\n```\n"""', []);
    expect(userText(problemWith(), agentNamed('a'), parent)).toContain(
      '````python\ntext = """\n```\n"""\n````',
    );
  });
});

describe('a refinement with errors', () => {
  const errors = (parent: ParentProgram, problem = problemWith()) =>
    userText(problem, agentNamed('a'), parent, 'errors');

  it('has input, output and expected output of the first failing test, and of no other', () => {
    const results = [
      resultOf('passed'),
      resultOf('wrong-answer', { actual: '7' }),
      resultOf('wrong-answer', { actual: '8' }),
    ];
    expect(errors(parentWith('print(1)', results))).toBe(`${FORMAT}

### Earlier program
\`\`\`python
print(1)
\`\`\`

### Results on the public tests
Test 1: passed
Test 2: wrong answer
Test 3: wrong answer
Passed 1 of 3.
Of these, test 2 is the first that it does not pass: it gives a wrong answer.
Input:
\`\`\`
2
\`\`\`
Output:
\`\`\`
7
\`\`\`
Expected:
\`\`\`
2
\`\`\`

Find the fault in the earlier program, and write a corrected whole program. Put it in one python fence.`);
  });

  it('has the last twenty lines of the traceback of an error', () => {
    const error = [...Array.from({ length: 40 }, (_, i) => `line ${i}`), 'IndexError: out of range'].join(
      '\n',
    );
    const text = errors(parentWith('print(1)', [resultOf('runtime-error', { error })]));
    expect(text).toContain('it ends with an error.');
    expect(text).toContain('line 21\n');
    expect(text).toContain('IndexError: out of range\n');
    expect(text).not.toContain('line 20\n');
    expect(text).not.toContain('Expected:');
  });

  it('has no more than 2,000 characters of an error', () => {
    const error = `ValueError: ${'x'.repeat(9_000)} end`;
    const text = errors(parentWith('print(1)', [resultOf('runtime-error', { error })]));
    expect(/Error:\n```\n([\s\S]*?)\n```/.exec(text)?.[1]).toHaveLength(2_000);
    expect(text).toContain('ValueError: xxx');
    expect(text).toContain('x end\n');
  });

  it('has the time limit in seconds', () => {
    const error = 'Stopped at the limit of 4 s of CPU time (12 s by the clock).';
    const text = errors(parentWith('print(1)', [resultOf('time-limit', { error })]));
    expect(text).toContain('it takes too long.');
    expect(text).toContain('4 s of CPU time');
  });

  it.each([300, 301, 5_000])(
    'keeps both ends of %i characters of input, output and expected output',
    (length) => {
      const long = (mark: string) => `${mark}${'x'.repeat(length - 2)}${mark}`;
      const problem = problemWith({
        publicTests: [{ kind: 'stdin', input: long('i'), expected: long('e') }],
      });
      const text = errors(parentWith('print(1)', [resultOf('wrong-answer', { actual: long('o') })]), problem);
      for (const [name, mark] of [
        ['Input', 'i'],
        ['Output', 'o'],
        ['Expected', 'e'],
      ]) {
        const shown = new RegExp(`${name}:\\n\`\`\`\\n([\\s\\S]*?)\\n\`\`\``).exec(text)?.[1] ?? '';
        expect(shown).toHaveLength(300);
        expect([shown.at(0), shown.at(-1)]).toEqual([mark, mark]);
      }
    },
  );

  it('of a program that passes all tests says so and asks for the cases that it misses', () => {
    const all = ['passed', 'passed', 'passed'] as const;
    expect(errors(parentOf('print(1)', all))).toContain('Passed 3 of 3.\n\nLook for cases');
  });

  it('of an answer without code says so', () => {
    expect(errors(parentOf(null, []))).toBe(userText(problemWith(), agentNamed('a'), parentOf(null, [])));
  });

  it('shows a call by its arguments and a check by its source, but never a reference program', () => {
    const failing = parentWith('def f(x):\n    return 0', [resultOf('wrong-answer', { actual: '0' })]);
    const call = problemWith({ publicTests: [{ kind: 'call', input: '[1, 2]\n3', expected: '6' }] });
    expect(errors(failing, call)).toContain('Arguments, one a line:\n```\n[1, 2]\n3\n```');
    const check = problemWith({ publicTests: [{ kind: 'check', source: 'assert f(1) == 2' }] });
    expect(errors(failing, check)).toContain('assert f(1) == 2');
    const reference = problemWith({
      publicTests: [{ kind: 'reference', inputs: '[[1]]', reference: 'SECRET', tolerance: 0 }],
    });
    expect(errors(failing, reference)).toContain('[[1]]');
    expect(errors(failing, reference)).not.toContain('SECRET');
  });
});

describe('a refinement as MARTI asks for it', () => {
  const marti = (parent: ParentProgram, problem = problemWith()) =>
    userText(problem, agentNamed('a'), parent, 'marti');

  it('leaves the statement out where code was found, and counts all tests as one example', () => {
    const text = marti(parentOf('print(1)', ['passed', 'wrong-answer', 'passed']));
    expect(text).not.toContain(problemWith().statement);
    expect(text).toContain('print(1)');
    expect(text).toContain('### Example 1\nWrong.\n\nCorrect for 0 of 1 examples.');
    expect(text).not.toContain('Example 2');
    expect(marti(parentOf('print(1)', ['passed', 'passed', 'passed']))).toContain(
      'Correct for 1 of 1 examples.',
    );
  });

  it('counts tests that were not run as not passed', () => {
    expect(marti(parentOf('print(1)', ['passed']))).toContain('Correct for 0 of 1');
  });

  it('puts the word None for code where no fence was found, and the statement nowhere', () => {
    const text = marti(parentOf(null, []));
    expect(text).toContain('```python\nNone\n```');
    expect(text).not.toContain(problemWith().statement);
  });

  it.each([
    ['an empty fence', { ...parentOf(null, []), answer: '```python\n```' }, problemWith()],
    ['no public tests', parentOf('print(1)', []), problemWith({ publicTests: [] })],
  ])('repeats the statement after %s', (_, parent, problem) => {
    const text = marti(parent, problem);
    expect(text).toContain(problem.statement);
    expect(text).toContain('held no code');
  });

  it('takes everything from the first python fence to the last fence, with tabs as four spaces', () => {
    const answer = 'A:\n```python\nif x:\n\tprint(1)\n```\nand\n```\nprint(2)\n```\nend';
    const text = marti({ ...parentOf('print(2)', ['wrong-answer']), answer });
    expect(text).toContain('if x:\n    print(1)\n```\nand\n```\nprint(2)');
  });
});

describe('any feedback on a program', () => {
  it.each(['verdicts', 'errors', 'marti'] as const)(
    'nothing of the private tests or of the known-good program enters a prompt (%s)',
    async (feedback) => {
      const secret = [
        'TRIPWIRE-INPUT',
        'TRIPWIRE-EXPECTED',
        'TRIPWIRE-CHECK',
        'TRIPWIRE-REFERENCE',
        'TRIPWIRE-PROGRAM',
      ];
      const problem = problemWith({
        privateTests: [
          { kind: 'stdin', input: 'TRIPWIRE-INPUT', expected: 'TRIPWIRE-EXPECTED' },
          { kind: 'check', source: 'TRIPWIRE-CHECK' },
          { kind: 'reference', inputs: '[]', reference: 'TRIPWIRE-REFERENCE', tolerance: 0 },
        ],
        canonicalProgram: 'TRIPWIRE-PROGRAM',
      });
      let prompts = '';
      const { events, options } = recordingOptions({
        problem,
        config: configWith({ nodes: 40, feedback }),
        generate: (request) => {
          prompts += JSON.stringify(request.messages);
          return answerOf(request);
        },
      });
      expect(await searchTree(options)).toEqual({ kind: 'searched' });
      const nodes = events.filter((event): event is NodeAdded => event.kind === 'node-added');
      expect(nodes.some(({ parent }) => parent >= 0)).toBe(true);
      for (const word of secret) expect(prompts).not.toContain(word);
    },
  );
});
