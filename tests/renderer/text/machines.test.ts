import { describe, expect, test } from 'vitest';
import type { Connection } from '../../../preload/contract';
import {
  connectionStatus,
  doctorSummary,
  explainConnection,
  loginLabel,
} from '../../../renderer/text/machines';
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

  test('shows since when, the last answer, and the next retry', () => {
    const explanation = explained({ ...cut, nextTryAt: at(-0.5) });
    expect(explanation?.title).toBe('Unreachable since 14:02');
    expect(explanation?.message).toContain('It last answered at 14:01');
    expect(explanation?.message).toContain('Retrying in 30 s');
    expect(explanation?.help).toEqual(['connect', 'disconnect', 'edit']);
  });

  test('that never answered says just that, as it may be new', () => {
    expect(explained({ ...cut, lastSeenAt: null, nextTryAt: null })?.message).toContain(
      'It has not answered yet.',
    );
  });

  test('that answers and refuses is not called unreachable, nor silent', () => {
    const connection = { ...cut, lastSeenAt: null, nextTryAt: null, refusal: 'login-refused' } as const;
    expect(connectionStatus(connection, NOW).text).toBe('Login refused since 14:02');
    const explanation = explained({ ...connection, message: 'gpu-a refused the login.' });
    expect(explanation?.title).toBe('Login refused since 14:02');
    expect(explanation?.message).toBe('gpu-a refused the login. The workbench does not retry by itself.');
  });

  test('without a retry says so, and offers nothing to stop', () => {
    const explanation = explained({ ...cut, nextTryAt: null });
    expect(explanation?.message).toContain('does not retry by itself');
    expect(explanation?.help).toEqual(['connect', 'edit']);
  });
});

test('a login names what is asked', () => {
  const explanation = explained({
    kind: 'needs-login',
    since: at(1),
    terminalId: 't1',
    prompt: "user1@gpu-a's password:",
  });
  expect(explanation?.message).toContain("user1@gpu-a's password:");
  expect(explanation?.help).toEqual(['answer', 'disconnect']);
});

test('an unknown host key is shown with host and fingerprint, and is no login', () => {
  const hostKey = { host: '[10.0.0.5]:2222', fingerprint: 'ED25519 SHA256:abc' };
  const asking = {
    kind: 'needs-login',
    since: at(1),
    terminalId: 't1',
    prompt: 'Are you sure',
    hostKey,
  } as const;
  const explanation = explained(asking);
  expect(explanation?.title).toBe('The host key of [10.0.0.5]:2222 is not known yet: check it');
  expect(explanation?.message).toContain('[10.0.0.5]:2222 shows ED25519 SHA256:abc.');
  expect(connectionStatus(asking, NOW).text).toBe('Unknown host key');
  expect(loginLabel(asking)).toBe('Check the key');
});

test('a connected machine needs no explanation', () => {
  expect(explained({ kind: 'connected', since: at(1) })).toBeNull();
});

test('a time of another day has its day', () => {
  expect(clockTime(at(60), new Date(NOW))).toBe('13:30');
  expect(clockTime(at(26 * 60), new Date(NOW))).toBe('4 Jan 12:30');
});

test('the summary of the doctor starts with the problems', () => {
  const check = (state: 'good' | 'warning' | 'bad') =>
    ({ id: state, title: '', state, found: '', todo: null }) as const;
  expect(doctorSummary([check('good'), check('good')])).toBe('All 2 checks passed');
  expect(doctorSummary([check('good'), check('bad'), check('warning')])).toBe(
    '1 to fix, 1 warning, 1 passed',
  );
  expect(doctorSummary([check('good'), { ...check('good'), isAbsent: true }])).toBe('1 passed, 1 not there');
});
