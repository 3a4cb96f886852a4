import { describe, expect, it } from 'vitest';
import { programChange, testRows, testsSummary } from '../../../renderer/run/inspector/test-rows';
import { sampleDetail } from '../../support/preview-tree/sample-data';

describe('the tests of a node', () => {
  it('number from 1 and keep tests that were not run', () => {
    const rows = testRows(sampleDetail.publicTests);
    expect(rows.map((row) => row.number)).toEqual([1, 2, 3]);
    expect(rows[2]).toMatchObject({ result: null, actual: null, expected: '0\n' });
  });

  it('are summed up with those that were not run', () => {
    expect(testsSummary(testRows(sampleDetail.publicTests))).toBe('1 of 3 passed, 1 not run');
    expect(testsSummary([])).toBe('none');
    expect(testsSummary(testRows(sampleDetail.publicTests.slice(2)))).toBe('1 not run');
  });

  it('show the code of a checking test, which has no expected value', () => {
    const [row] = testRows([{ test: { kind: 'check', source: 'assert f(1) == 2' }, result: null }]);
    expect(row).toMatchObject({ input: { name: 'Check', text: 'assert f(1) == 2' }, expected: null });
  });

  it('write a returned list in one way, whoever wrote it, and leave texts as they are', () => {
    const result = { verdict: 'wrong-answer', cpuMs: 1, wallMs: 1, error: null } as const;
    const shown = (expected: string, actual: string) => {
      const [row] = testRows([
        { test: { kind: 'call', input: '[1]', expected }, result: { ...result, actual } },
      ]);
      return [row?.expected, row?.actual];
    };
    expect(shown('[-1,-3]', '[-1, -3, 2]')).toEqual(['[-1, -3]', '[-1, -3, 2]']);
    expect(shown('["a,b"]', '["a, b"]')).toEqual(['["a,b"]', '["a, b"]']);
  });
});

describe('the change to the parent', () => {
  it.each([
    ['a first attempt has no parent', -1, {}, 'no-parent'],
    ['an answer without program has nothing to compare', 2, { program: null }, 'no-program'],
    ['a parent without program is said so', 2, { parentProgram: null }, 'parent-without-program'],
    ['equal programs differ from changed ones', 2, { program: 'a', parentProgram: 'a' }, 'same'],
    ['other programs are compared', 2, {}, 'changed'],
  ])('%s', (_, parent, change, kind) => {
    expect(programChange(parent, { ...sampleDetail, ...change }).kind).toBe(kind);
  });
});
