import { describe, expect, test } from 'vitest';
import type { Connection } from '../../../preload/contract';
import { doctorSummary, explainConnection } from '../../../renderer/text/machines';
import { clockTime } from '../../../renderer/widgets/format';
import { sampleMachine } from '../../support/sample-machines';

const NOW = new Date(2026, 0, 5, 14, 30).getTime();
const at = (minutesAgo: number): string => new Date(NOW - minutesAgo * 60_000).toISOString();
const explained = (connection: Connection) =>
  explainConnection(sampleMachine({ kind: 'ssh', id: 'a', name: 'gpu-a', host: 'a' }, connection), NOW);

describe('an unreachable machine', () => {
  const cut = {
    kind: 'unreachable',
    since: at(28),
    lastSeenAt: at(29),
    message: 'gpu-a does not answer.',
  } as const;

  test('says since when, what it last said, and when it is tried again', () => {
    const words = explained({ ...cut, nextTryAt: at(-0.5) });
    expect(words?.title).toBe('Unreachable since 14:02');
    expect(words?.message).toContain('It answered last at 14:01');
    expect(words?.message).toContain('tried again in 30 s');
    expect(words?.help).toEqual(['connect', 'disconnect']);
  });

  test('that is not tried again says so, and that there is nothing to stop', () => {
    const words = explained({ ...cut, nextTryAt: null });
    expect(words?.message).toContain('not tried again by itself');
    expect(words?.help).toEqual(['connect']);
  });
});

test('a login names what is asked', () => {
  const words = explained({
    kind: 'needs-login',
    since: at(1),
    terminalId: 't1',
    prompt: "user1@gpu-a's password:",
  });
  expect(words?.message).toContain("user1@gpu-a's password:");
  expect(words?.help).toEqual(['answer', 'disconnect']);
});

test('a connected machine needs no explanation', () => {
  expect(explained({ kind: 'connected', since: at(1) })).toBeNull();
});

test('a time of another day has its day', () => {
  expect(clockTime(at(60), new Date(NOW))).toBe('13:30');
  expect(clockTime(at(26 * 60), new Date(NOW))).toBe('4 Jan 12:30');
});

test('the doctor is summed up by what needs a hand', () => {
  const check = (state: 'good' | 'warning' | 'bad') =>
    ({ id: state, title: '', state, found: '', todo: null }) as const;
  expect(doctorSummary([check('good'), check('good')])).toBe('All 2 checks are good');
  expect(doctorSummary([check('good'), check('bad'), check('warning')])).toBe(
    '1 to mend, 1 to look at, 1 good',
  );
});
