import { describe, expect, test } from 'vitest';
import type { StudyOutcomes, StudyView, StudyWarning } from '../../../preload/contract';
import { repairDialogText, studyWarnings } from '../../../renderer/text/studies';
import { sampleStudy } from '../../support/sample-study';

const warning = (text: string, configuration = 'single'): StudyWarning => ({
  id: `${configuration} ${text.length}`,
  configuration,
  text,
});

function viewWith(warnings: StudyWarning[]): StudyView {
  return {
    study: sampleStudy(),
    state: { kind: 'finished' },
    hues: [0],
    progress: {
      nodesDone: 0,
      nodesTotal: 0,
      gradedDone: 0,
      problemsDone: 0,
      problemsTotal: 0,
      elapsedMs: 0,
      remainingMs: null,
    },
    warnings,
    finishedAt: null,
  };
}

function storedWith(...warnings: StudyWarning[][]): StudyOutcomes {
  return {
    studyId: 's',
    runs: warnings.map((own, at) => ({
      runId: String(at),
      outcomes: [],
      nodes: [],
      firstPassing: [],
      failures: 0,
      warnings: own,
      finished: true,
      problem: null,
    })),
  };
}

describe('warnings', () => {
  test('appear once each', () => {
    const one = warning('3 answers are empty.');
    expect(studyWarnings(viewWith([one, { ...one }]), null)).toEqual([one]);
  });

  test('that every configuration has are one, about the study', () => {
    const names = [...new Set(sampleStudy().runs.map(({ configuration }) => configuration))];
    const all = names.map((name) => ({ ...warning('8 problems lack tests.', name), id: `${name}: tests` }));
    expect(studyWarnings(viewWith(all), null)).toEqual([
      { id: 'tests', configuration: null, text: '8 problems lack tests.' },
    ]);
    expect(studyWarnings(viewWith(all.slice(1)), null)).toEqual(all.slice(1));
  });

  test('come from the stored summaries for a study that has none of its own', () => {
    const stored = storedWith([warning('A.')], [warning('B.', 'heterogeneous')]);
    expect(studyWarnings(viewWith([]), stored).map(({ configuration }) => configuration)).toEqual([
      'single',
      'heterogeneous',
    ]);
    expect(studyWarnings(viewWith([warning('Own.')]), stored)).toHaveLength(1);
  });
});

test('a repair promises that the damaged file is kept', () => {
  expect(repairDialogText('single, seed 2')).toMatchObject({
    title: 'Repair the journal of single, seed 2?',
    about: expect.stringContaining('The damaged file is kept next to it'),
  });
});
