import { describe, expect, it } from 'vitest';
import { MOST_NOTICES, noticesToHide } from '../../../renderer/shell/notice-limit';

describe('notices in the corner', () => {
  it('all stay while one more has room', () => {
    expect(noticesToHide(['a', 'b', 'c'])).toEqual([]);
  });

  it('the oldest are removed so that a new one never waits hidden behind failures', () => {
    const standing = ['a', 'b', 'c', 'd', 'e'];
    expect(noticesToHide(standing)).toEqual(['a', 'b']);
    expect(standing.length - noticesToHide(standing).length + 1).toBe(MOST_NOTICES);
  });
});
