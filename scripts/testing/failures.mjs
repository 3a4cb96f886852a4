// The failed tests, a line or two each, for the end of a long output, so that nobody has to scroll and a shortened
// output still has them.
import { relative } from 'node:path';
import { inProject } from '../project.mjs';

/** What vitest's JSON report has in place of "Test timed out". */
const OUT_OF_TIME = 'Error: STACK_TRACE_ERROR';

const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

const line = (file, title, message = '') => {
  const place = relative(inProject(), file);
  const firstLine = message.replaceAll(COLOURS, '').trim().split('\n')[0];
  const why = firstLine === OUT_OF_TIME ? 'It did not end in time.' : firstLine;
  return `${place}: ${title}${why === '' ? '' : `\n    ${why}`}`;
};

/** `report`: vitest's JSON report, or undefined when it left none. */
export function failuresOfVitest(report) {
  return (report?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    if (status !== 'failed') return [];
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0) return [line(name, 'the file could not be run', message)];
    return failed.map((test) => line(name, test.fullName, test.failureMessages[0]));
  });
}

/** `report`: Playwright's JSON report. */
export function failuresOfPlaywright(report) {
  const failures = (report?.errors ?? []).map(({ message }) => `outside of tests\n    ${message}`);
  const suites = [...(report?.suites ?? [])];
  for (let suite = suites.shift(); suite !== undefined; suite = suites.shift()) {
    suites.push(...(suite.suites ?? []));
    for (const spec of suite.specs ?? []) {
      const wrong = spec.tests.find(({ status }) => status === 'unexpected' || status === 'flaky');
      const error = wrong?.results.find((result) => result.error !== undefined)?.error;
      if (wrong !== undefined)
        failures.push(line(inProject('tests', 'e2e', spec.file), spec.title, error?.message));
    }
  }
  return failures;
}
