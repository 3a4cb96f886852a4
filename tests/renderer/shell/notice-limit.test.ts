import { describe, expect, it } from 'vitest';
import {
  closesAfterMs,
  leavesWithScreen,
  MAX_NOTICES,
  noticesToHide,
} from '../../../renderer/shell/notice-limit';

describe('notices in the corner', () => {
  it('all stay while one more has room', () => {
    expect(noticesToHide(['a', 'b', 'c'])).toEqual([]);
  });

  it('the oldest are removed so that a new one never waits hidden behind failures', () => {
    const standing = ['a', 'b', 'c', 'd', 'e'];
    expect(noticesToHide(standing)).toEqual(['a', 'b']);
    expect(standing.length - noticesToHide(standing).length + 1).toBe(MAX_NOTICES);
  });
});

it('only a failure that nothing else says stays until it is closed', () => {
  expect(closesAfterMs({ level: 'error' })).toBe(false);
  expect(closesAfterMs({ level: 'error', path: '/jobs/1', action: { label: 'Open', run: () => {} } })).toBe(
    12_000,
  );
  expect(closesAfterMs({ level: 'info' })).toBe(6_000);
});

it('a refusal of a press leaves with the screen of the press; what can be reported stays', () => {
  expect(leavesWithScreen({ level: 'error' })).toBe(true);
  expect(leavesWithScreen({ level: 'error', action: { label: 'Report a problem…', run: () => {} } })).toBe(
    false,
  );
  expect(leavesWithScreen({ level: 'warning' })).toBe(false);
});
