import { expect, test } from 'vitest';
import { readVisit, visitAt } from '../../../renderer/state/last-visit';

const MINUTE = 60_000;

test('who comes back after half an hour is told what ended since the last use', () => {
  const evening = visitAt(null, 1_000 * MINUTE);
  expect(evening.since).toBeNull();
  const pause = visitAt(evening, 1_029 * MINUTE);
  expect(pause.since).toBeNull();
  const morning = visitAt(pause, 1_700 * MINUTE);
  expect(morning.since).toBe(1_029 * MINUTE);
  expect(visitAt(morning, 1_710 * MINUTE).since).toBe(1_029 * MINUTE);
});

test.each([
  ['nothing is stored', null, null],
  ['it is no visit', 'yesterday', null],
  ['it lies in the future of a clock that was set back', '0 5000', null],
  ['it is the first visit', '0 900', { since: null, usedAt: 900 }],
  ['it is a later visit', '500 900', { since: 500, usedAt: 900 }],
])('what is stored is read with care: %s', (_what, text, visit) => {
  expect(readVisit(text, 1_000)).toEqual(visit);
});
