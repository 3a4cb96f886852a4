import { expect, test } from 'vitest';
import { bestFirst, choiceOf, firstCause } from '../../../../main/grading/logic/choose-python';

const python = (path: string, ...names: string[]) => ({
  path,
  packages: names.map((name) => ({ name, version: '1.0' })),
});
const system = python('/usr/bin/python3');
const lab = python('/opt/lab/bin/python3', 'numpy', 'scipy');
const many = python('/opt/many/bin/python3', 'scipy', 'pandas', 'sympy');

test('a Python with numpy comes before one with more of the other packages, and equal ones stay in their order', () => {
  const twin = python('/opt/twin/bin/python3');
  expect(bestFirst([system, twin, many, lab])).toEqual([lab, many, system, twin]);
});

test('the choice says what the others lack', () => {
  expect(choiceOf(lab, [lab, system], [])).toEqual({
    path: '/opt/lab/bin/python3',
    reason:
      'It has more of the packages that programs import than the others here. /usr/bin/python3 has none of the packages.',
  });
});

test('the choice says why a better one cannot grade', () => {
  const why = 'the user "nobody" cannot read /root';
  expect(choiceOf(system, [lab, system], [{ python: lab, why }]).reason).toBe(
    'It is the only Python 3 here that can grade. /opt/lab/bin/python3 has numpy 1.0, scipy 1.0, but cannot grade: the user "nobody" cannot read /root.',
  );
});

test('the only one, and the first of equal ones, say so', () => {
  expect(choiceOf(system, [system], []).reason).toBe('It is the only Python 3 here.');
  const twin = python('/opt/twin/bin/python3');
  expect(choiceOf(system, [system, twin], []).reason).toMatch(/^No other .* has more .* comes first\./);
});

test('where none can grade, the cause of the system’s own says most', () => {
  const broken = { kind: 'broken-sandbox' };
  const closed = { kind: 'closed-python' };
  const none = { kind: 'no-python' };
  expect(
    firstCause([
      { path: '/root/py', problem: closed },
      { path: '/usr/bin/python3', problem: broken },
    ]),
  ).toBe(broken);
  expect(
    firstCause([
      { path: '/usr/bin/python3', problem: none },
      { path: '/root/py', problem: closed },
    ]),
  ).toBe(closed);
  expect(firstCause([])).toBeNull();
});
