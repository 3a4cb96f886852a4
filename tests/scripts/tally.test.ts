import { describe, expect, it } from 'vitest';
import { formatTally, tallyOfPlaywright, tallyOfVitest } from '../../scripts/testing/tally.mjs';

const vitestReport = (passed: number, failed: number, pending = 0) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: pending,
  numTodoTests: 0,
  testResults: [],
});

describe('the tally of npm test', () => {
  it('ends in the line that others read', () => {
    expect(formatTally({ passed: 12, failed: 0, skipped: 3 })).toBe('12 passed, 0 failed, 3 skipped');
  });

  it('takes the counts of vitest as they are', () => {
    expect(tallyOfVitest(vitestReport(5, 2, 1), 1)).toEqual({ passed: 5, failed: 2, skipped: 1 });
  });

  it('counts a test file that cannot be loaded as one failed test', () => {
    const report = { ...vitestReport(5, 0), testResults: [{ status: 'failed', assertionResults: [] }] };
    expect(tallyOfVitest(report, 1)).toEqual({ passed: 5, failed: 1, skipped: 0 });
  });

  it('counts a runner that left no report as one failed test', () => {
    expect(tallyOfVitest(undefined, 134)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  it('counts a runner that ran no test as one failed test', () => {
    expect(tallyOfVitest(vitestReport(0, 0, 4), 0)).toEqual({ passed: 0, failed: 1, skipped: 4 });
  });

  it('counts a bad exit without a failed test as one failed test', () => {
    expect(tallyOfVitest(vitestReport(9, 0), 1)).toEqual({ passed: 9, failed: 1, skipped: 0 });
  });

  it('counts a flaky window test as failed', () => {
    const report = { stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 2 }, errors: [] };
    expect(tallyOfPlaywright(report, 1)).toEqual({ passed: 3, failed: 2, skipped: 2 });
  });

  it('counts an error outside of the window tests as failed', () => {
    const report = {
      stats: { expected: 3, unexpected: 0, flaky: 0, skipped: 0 },
      errors: [{ message: 'boom' }],
    };
    expect(tallyOfPlaywright(report, 1)).toEqual({ passed: 3, failed: 1, skipped: 0 });
  });
});
