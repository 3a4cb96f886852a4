import { expect, test } from 'vitest';
import { byUrgency, todoCommands, todoParts } from '../../../renderer/machines/doctor-text';

test('only text between backquotes is copied, a line each', () => {
  expect(todoCommands('Ask for more quota: `quota -s`, `du -xsh ~/* | sort -h`.')).toBe(
    'quota -s\ndu -xsh ~/* | sort -h',
  );
  expect(todoCommands('Ask an administrator.')).toBe('');
});

test('a sentence stays whole', () => {
  const todo = '`a` then `b`.';
  expect(
    todoParts(todo)
      .map(({ text }) => text)
      .join(''),
  ).toBe('a then b.');
});

test('what needs action comes first, the rest keeps the order of the doctor', () => {
  const check = (id: string, state: 'good' | 'warning' | 'bad' | 'unknown') =>
    ({ id, title: id, state, found: '', todo: null }) as const;
  const checks = [check('1', 'good'), check('2', 'unknown'), check('3', 'bad'), check('4', 'good')];
  expect(byUrgency(checks).map(({ id }) => id)).toEqual(['3', '2', '1', '4']);
});
