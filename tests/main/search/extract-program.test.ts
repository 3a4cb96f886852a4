import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutAtStop, extractProgram, programOf } from '../../../main/search';

it.each([
  ['the lines between two fences', 'Text\n```python\nprint(1)\n```\nMore', 'print(1)'],
  ['the last of two blocks', '```\na = 1\n```\nthen\n```py\nb = 2\n```', 'b = 2'],
  ['what is between the last two fence lines, even prose', '```\na\n```\nprose\n```', 'prose'],
  ['fences inside a line', 'x ``` y\ncode\n    ```', 'code'],
  ['every line of a longer program', '```python\na\n\n  b\n```', 'a\n\n  b'],
  ['nothing without a fence', 'print(1)', null],
  ['nothing with one fence', '```python\nprint(1)', null],
  ['nothing from an empty block', '```python\n```', null],
  ['nothing from a blank block', '```python\n  \n```', null],
  ['nothing from an empty answer', '', null],
])('the last-fence rule gives %s', (_, answer, program) => {
  expect(extractProgram(answer, 'last-fence')).toBe(program);
});

it.each([
  ['the answer itself', '    return 1\n', '    return 1\n'],
  ['nothing from a blank answer', ' \n', null],
])('the whole rule gives %s', (_, answer, program) => {
  expect(extractProgram(answer, 'whole')).toBe(program);
});

const long = 'def f(a):\n    return a + 1';
it.each([
  [
    'the last block that is Python',
    `\`\`\`python\n${long}\n\`\`\`\n\`\`\`js\nconst f = (a) => a + 1;\n\`\`\``,
    long,
  ],
  ['a block without a name', `\`\`\`\n${long}\n\`\`\``, long],
  ['a block with another case', `\`\`\`PyThOn\n${long}\n\`\`\``, long],
  ['no block under 20 characters', `\`\`\`py\n${long}\n\`\`\`\nuse\n\`\`\`py\nprint(f(1))\n\`\`\``, long],
  [
    'no block that does not parse',
    `\`\`\`\n${long}\n\`\`\`\n\`\`\`\nHere is how this works: well.\n\`\`\``,
    long,
  ],
  ['trimmed code', `\`\`\`python\n\n  ${long}  \n\n\`\`\``, long],
  ['nothing without a closing fence', `\`\`\`python\n${long}`, null],
  ['nothing without Python', '```\nHere is how this works: well.\n```', null],
])('the python-fence rule gives %s', (_, answer, program) => {
  expect(extractProgram(answer, 'python-fence')).toBe(program);
});

it('the python-fence rule parses only so much: a block of 64,000 characters, and 75,000 of an answer', () => {
  const block = (lines: number) => 'x = 1\n'.repeat(lines).trim();
  const fence = (code: string) => `\`\`\`python\n${code}\n\`\`\`\n`;
  expect(extractProgram(fence(block(10_000)), 'python-fence')).toBe(block(10_000));
  expect(extractProgram(fence(block(11_000)), 'python-fence')).toBeNull();
  const broken = `${block(5_000)} (`;
  expect(extractProgram(fence(long) + fence(broken), 'python-fence')).toBe(long);
  expect(extractProgram(fence(long) + fence(broken).repeat(3), 'python-fence')).toBeNull();
});

const prompt = 'import math\n\ndef helper(x):\n    return x\n\ndef f(a):\n    """Adds one."""\n';
const check = { kind: 'check', source: 'check(f)' } as const;
const problem = { starterCode: prompt, entryPoint: 'f', publicTests: [], privateTests: [check] };
const preamble = prompt.slice(0, prompt.indexOf('def f'));
const fenced = (code: string) => `\`\`\`python\n${code}\n\`\`\``;
it.each([
  ['a whole function behind the imports and helpers', 'last-fence', fenced(long), preamble + long],
  ['a bare body behind the prompt', 'last-fence', fenced('    return a + 1'), `${prompt}    return a + 1`],
  ['a completion behind the prompt', 'completion', '    return a + 1\n', `${prompt}    return a + 1\n`],
  ['a whole program as it is', 'whole', long, long],
  ['nothing from an answer without code', 'last-fence', 'I do not know.', null],
] as const)('an answer to a function benchmark gives %s', (_, extraction, answer, program) => {
  expect(programOf(answer, { extraction, sampling: {} }, problem)).toBe(program);
});

it('a completion is cut where a stop text begins, also where the server went on; other formats are not', () => {
  const [answer, stop] = ['    return a + 1\n\ndef g():\n    pass\nprint(1)', ['\nprint', '\ndef']];
  const agent = { extraction: 'completion', sampling: { stop } } as const;
  expect(programOf(answer, { ...agent, promptFormat: { kind: 'completion' } }, problem)).toBe(
    `${prompt}    return a + 1\n`,
  );
  expect(programOf(answer, agent, problem)).toBe(prompt + answer);
  const promptFormat = { kind: 'completion', isTrimmed: true } as const;
  expect(programOf(`\n${answer}`, { ...agent, promptFormat }, problem)).toBe(`${prompt}    return a + 1\n`);
});

it('a cut answer is a beginning of the answer, without any stop text, and the longest such one', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '\n') });
  const stops = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\n'), minLength: 1 }), {
    maxLength: 4,
  });
  fc.assert(
    fc.property(letters, stops, (answer, texts) => {
      const cut = cutAtStop(answer, texts);
      expect(answer.startsWith(cut)).toBe(true);
      expect(texts.some((text) => cut.includes(text))).toBe(false);
      const next = answer.slice(cut.length);
      expect(next === '' || texts.some((text) => next.startsWith(text))).toBe(true);
    }),
  );
});

it('leaves a program for call tests unchanged, with any starter code', () => {
  const call = { kind: 'call', input: '1', expected: '2' } as const;
  expect(
    programOf(fenced(long), { extraction: 'last-fence', sampling: {} }, { ...problem, privateTests: [call] }),
  ).toBe(long);
});
