import { describe, expect, it } from 'vitest';
import { promptFor } from '../../../main/search';
import { agentNamed, problemWith } from '../../support/search-world';

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

describe('a refinement', () => {
  it('is asked with the program, a verdict per public test and their sum', () => {
    const parent = { program: 'print(1)', publicVerdicts: ['passed', 'time-limit'] as const };
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
    const parent = { program: 'print(1)', publicVerdicts: ['passed', 'passed', 'passed'] as const };
    expect(userText(problemWith(), agentNamed('a'), parent)).toContain('Passed 3 of 3.\n\nLook for cases');
  });

  it('of an answer without code says so, and nothing of tests', () => {
    const text = userText(problemWith(), agentNamed('a'), { program: null, publicVerdicts: [] });
    expect(text).toBe(
      `${FORMAT}\n\nAn earlier answer held no program. Write a whole program and put it in a python fence.`,
    );
  });

  it('starts with the text of the first attempt', () => {
    const parent = { program: 'print(1)', publicVerdicts: [] };
    const first = userText(problemWith(), agentNamed('a'), null);
    expect(userText(problemWith(), agentNamed('a'), parent).startsWith(first)).toBe(true);
  });

  it('keeps a program with a fence in it whole', () => {
    const parent = { program: 'text = """\n```\n"""', publicVerdicts: [] };
    expect(userText(problemWith(), agentNamed('a'), parent)).toContain(
      '````python\ntext = """\n```\n"""\n````',
    );
  });
});
