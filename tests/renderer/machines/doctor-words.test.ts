import { expect, test } from 'vitest';
import { inOrder, typedParts, whatToType } from '../../../renderer/machines/doctor-words';

test('only what stands between backquotes is copied, a line each', () => {
  expect(whatToType('Ask for more quota: `quota -s`, `du -xsh ~/* | sort -h`.')).toBe(
    'quota -s\ndu -xsh ~/* | sort -h',
  );
  expect(whatToType('Ask an administrator.')).toBe('');
});

test('a sentence stays whole', () => {
  const todo = '`a` then `b`.';
  expect(
    typedParts(todo)
      .map(({ text }) => text)
      .join(''),
  ).toBe('a then b.');
});

test('what needs a hand stands first, the rest keeps the order of the doctor', () => {
  const check = (id: string, state: 'good' | 'warning' | 'bad' | 'unknown') =>
    ({ id, title: id, state, found: '', todo: null }) as const;
  const checks = [check('1', 'good'), check('2', 'unknown'), check('3', 'bad'), check('4', 'good')];
  expect(inOrder(checks).map(({ id }) => id)).toEqual(['3', '2', '1', '4']);
});
