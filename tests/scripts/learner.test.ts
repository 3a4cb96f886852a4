import { describe, expect, it } from 'vitest';
import { describeSize, packagesOf } from '../../scripts/ensure/learner-python.mjs';
import { countsOf, failuresOf } from '../../scripts/testing/learner.mjs';
import { tallyOfPytest } from '../../scripts/testing/tally.mjs';

// As pytest 9 writes it.
const report = `<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests">
<testsuite name="pytest" errors="1" failures="1" skipped="2" tests="9" time="3.2" timestamp="2026-11-24T13:00:00">
<testcase classname="test_engine" name="test_a[1.0-1]" time="0.1" />
<testcase classname="test_engine" name="test_b" time="0.1"><failure message="AssertionError: assert 1 &lt; 0&#10; +  where 1">long
text</failure></testcase>
<testcase classname="test_ranks" name="test_c" time="0.1"><error message="failed on setup with &quot;OSError&quot;">x</error></testcase>
<testcase classname="test_oracles" name="test_d" time="0.0"><skipped type="pytest.skip" message="not here">x</skipped></testcase>
</testsuite></testsuites>`;

describe("the step of the learner's tests", () => {
  it('takes the counts of pytest', () => {
    expect(countsOf(report)).toEqual({ tests: 9, failures: 1, errors: 1, skipped: 2 });
    expect(tallyOfPytest(countsOf(report), 1)).toEqual({ passed: 5, failed: 2, skipped: 2 });
  });

  it('counts a pytest that left no report, or ran nothing, as one failed test', () => {
    expect(tallyOfPytest(countsOf(''), 3)).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(tallyOfPytest({ tests: 2, failures: 0, errors: 0, skipped: 2 }, 0)).toMatchObject({ failed: 1 });
  });

  it('names failed tests with the first line of why', () => {
    expect(failuresOf(report)).toEqual([
      'tests/learner/test_engine.py: test_b\n    AssertionError: assert 1 < 0',
      'tests/learner/test_ranks.py: test_c\n    failed on setup with "OSError"',
    ]);
    expect(failuresOf('')).toEqual([]);
  });
});

describe("the learner's Python packages", () => {
  it("are read from pip's report, whatever pip says around it", () => {
    const install = [
      { metadata: { name: 'Torch', version: '2.13.0' }, download_info: { url: 'file:///wheels/torch.whl' } },
    ];
    const output = `WARNING: a folder is ignored\n${JSON.stringify({ version: '1', install })}\nWARNING: more`;
    expect(packagesOf(output)).toEqual([
      { name: 'torch', version: '2.13.0', url: 'file:///wheels/torch.whl' },
    ]);
  });

  it('have a size that is told before the download, with what is not known of it', () => {
    expect(describeSize({ bytes: 279_400_000, unknown: 0 })).toBe('279 MB');
    expect(describeSize({ bytes: 279_400_000, unknown: 2 })).toBe('279 MB and 2 of unknown size');
  });
});
