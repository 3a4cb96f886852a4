import { expect, test } from 'vitest';
import { noPublicTestsNote, problemsWithoutPublicTests } from '../../../preload/contract/plans';

test.each([0, 1, 89])('a benchmark of whose problems %i have no public tests is known by its note', (n) => {
  const notes =
    n === 0 ? ['2 rows repeat an earlier problem; the first of each is kept.'] : [noPublicTestsNote(n)];
  expect(problemsWithoutPublicTests({ notes })).toBe(n);
});

test('the note of one problem speaks of one, also where an earlier version spoke of several', () => {
  const note = '1 problem has no public tests: every candidate for it has the public score 0.';
  expect(noPublicTestsNote(1)).toBe(note);
  expect(problemsWithoutPublicTests({ notes: [note.replace('for it', 'for them')] })).toBe(1);
});

test('the note of data folders of earlier versions is read', () => {
  const notes = ['89 problems have no public tests: every candidate for them has the public score 0.'];
  expect(problemsWithoutPublicTests({ notes })).toBe(89);
});
