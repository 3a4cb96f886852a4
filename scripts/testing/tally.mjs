// The results of the steps of `npm test`, as numbers. A check without a report of its own counts as one test.

export const emptyTally = { passed: 0, failed: 0, skipped: 0 };

export const add = (a, b) => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

/** The last line of `npm test`; others read it by this very form. */
export const formatTally = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;

export const tallyOfCheck = (exitCode) =>
  exitCode === 0 ? { ...emptyTally, passed: 1 } : { ...emptyTally, failed: 1 };

/** `report`: vitest's JSON report, or undefined when it left none. */
export function tallyOfVitest(report, exitCode) {
  // A file that cannot even be loaded has no tests in the report, but it did fail.
  const brokenFiles = (report?.testResults ?? []).filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  return withCrashes(exitCode, {
    passed: report?.numPassedTests ?? 0,
    failed: (report?.numFailedTests ?? 0) + brokenFiles.length,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
  });
}

/** `report`: Playwright's JSON report. A test that passes only when repeated ("flaky") is one that fails. */
export function tallyOfPlaywright(report, exitCode) {
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = report?.stats ?? {};
  // Errors outside of tests: a file that does not compile, a worker that died.
  const failed = unexpected + flaky + (report?.errors?.length ?? 0);
  return withCrashes(exitCode, { passed: expected, failed, skipped });
}

/** `counts`: { tests, failures, errors, skipped } of pytest's JUnit report, or undefined when it left none. */
export function tallyOfPytest(counts, exitCode) {
  const { tests = 0, failures = 0, errors = 0, skipped = 0 } = counts ?? {};
  const failed = failures + errors;
  return withCrashes(exitCode, { passed: Math.max(0, tests - failed - skipped), failed, skipped });
}

/** A runner that fails without a failed test has crashed, and one that ran nothing proves nothing. */
function withCrashes(exitCode, tally) {
  const ranNothing = tally.passed + tally.failed === 0;
  const unexplained = exitCode !== 0 && tally.failed === 0;
  return ranNothing || unexplained ? { ...tally, failed: tally.failed + 1 } : tally;
}
