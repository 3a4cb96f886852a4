import { expect, it } from 'vitest';
import { extractProgram } from '../../../main/search';

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
