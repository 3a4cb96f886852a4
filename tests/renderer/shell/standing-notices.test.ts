import { describe, expect, it } from 'vitest';
import { leavingNotices, MOST_NOTICES } from '../../../renderer/shell/standing-notices';

describe('notices in the corner', () => {
  it('all stay while one more has room', () => {
    expect(leavingNotices(['a', 'b', 'c'])).toEqual([]);
  });

  it('the oldest leave so that a new one never waits unseen behind failures', () => {
    const standing = ['a', 'b', 'c', 'd', 'e'];
    expect(leavingNotices(standing)).toEqual(['a', 'b']);
    expect(standing.length - leavingNotices(standing).length + 1).toBe(MOST_NOTICES);
  });
});
