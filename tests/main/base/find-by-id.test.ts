import { expect, test } from 'vitest';
import { findById } from '../../../main/base';

const ALL = { ok: true as const, value: ['ab', 'abc', 'abd', 'x1'].map((id) => ({ id })) };
const found = (id: string) => findById(ALL, id, { noun: 'job', list: 'jobs list' });

test('first letters are enough where only one begins so, and a whole id wins over longer ones', () => {
  expect(found('x')).toEqual({ ok: true, value: { id: 'x1' } });
  expect(found('ab')).toEqual({ ok: true, value: { id: 'ab' } });
});

test.each([
  ['a', '3 jobs begin with "a".'],
  ['y', 'There is no job "y".'],
])('"%s" is refused with why, and where to see them', (id, message) => {
  expect(found(id)).toEqual({
    ok: false,
    error: { code: 'not-found', message, hint: 'See them with: jobs list' },
  });
});

test('a name is enough where only one has it, and an id that begins so wins', () => {
  const named = [
    { id: 'b1', name: 'counter' },
    { id: 'b2', name: 'twice' },
    { id: 'b3', name: 'twice' },
    { id: 'c1', name: 'b3' },
  ];
  const byName = (id: string) =>
    findById({ ok: true, value: named }, id, { noun: 'job', list: 'jobs list', nameOf: ({ name }) => name });
  expect(byName('counter')).toMatchObject({ value: { id: 'b1' } });
  expect(byName('b3')).toMatchObject({ value: { id: 'b3' } });
  expect(byName('twice')).toMatchObject({
    error: { message: '2 jobs are called "twice".', hint: 'Name one by its id: b2, b3' },
  });
});

test('a list that could not be had stays the refusal it is', () => {
  const refused = { ok: false as const, error: { code: 'internal' as const, message: 'No.' } };
  expect(findById(refused, 'a', { noun: 'job', list: 'jobs list' })).toBe(refused);
});
