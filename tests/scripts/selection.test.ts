import { describe, expect, it } from 'vitest';
import { parseSelection, purposesOf, stepNames } from '../../scripts/testing/selection.mjs';

describe('the selection of steps', () => {
  it('is all of them when none is named', () => {
    expect(parseSelection([])).toEqual({
      kind: 'selected',
      steps: stepNames,
      filters: [],
      since: null,
    });
  });

  it('keeps the order in which steps build on each other', () => {
    expect(parseSelection(['e2e', 'build'])).toMatchObject({ steps: ['build', 'e2e'] });
  });

  it('hands what follows -- to the runners', () => {
    expect(parseSelection(['unit', '--', 'tests/main', '-t', 'torn'])).toMatchObject({
      steps: ['unit'],
      filters: ['tests/main', '-t', 'torn'],
    });
  });

  it('refuses a step that there is not', () => {
    expect(parseSelection(['units'])).toEqual({ kind: 'unknown', name: 'units' });
  });

  it('runs the tests of pure code with --quick', () => {
    const quick = parseSelection(['--quick']);
    expect(quick).toMatchObject({ steps: ['unit'], since: null });
    expect(quick.filters).toContain('tests/main/search/');
    expect(purposesOf(quick.steps, quick.quick)).toEqual([]);
  });

  it('runs what changed since a commit with --changed, since the last one when none is named', () => {
    expect(parseSelection(['--changed'])).toMatchObject({ since: 'HEAD' });
    const selection = parseSelection(['--changed', 'abc123']);
    expect(selection).toMatchObject({ since: 'abc123' });
    expect(selection.steps).not.toContain('e2e');
    expect(parseSelection(['unit', '--changed'])).toEqual({ kind: 'unknown', name: '--changed' });
  });

  it('asks for no display where no window is tested', () => {
    expect(purposesOf(['lint', 'types', 'unit'])).toEqual(['sandbox', 'machines']);
  });

  it('tests the learner with everything else and with what changed, and asks for no sandbox for it', () => {
    expect(parseSelection([])).toMatchObject({ steps: expect.arrayContaining(['learner']) });
    expect(parseSelection(['--changed']).steps).toContain('learner');
    expect(purposesOf(['learner'])).toEqual(['sandbox']);
  });

  it('asks for nothing at all for lint and types', () => {
    expect(purposesOf(['lint', 'types', 'walls'])).toEqual([]);
  });
});
