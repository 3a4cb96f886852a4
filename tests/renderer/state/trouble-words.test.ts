import { describe, expect, test } from 'vitest';
import type { StudyOutcomes, StudyView } from '../../../preload/contract';
import { repairWords, toldWarnings } from '../../../renderer/state';
import { sampleStudy } from '../../support/sample-study';

function viewWith(warnings: string[]): StudyView {
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

function keptWith(...warnings: string[][]): StudyOutcomes {
  return {
    studyId: 's',
    runs: warnings.map((told, at) => ({
      runId: String(at),
      outcomes: [],
      nodes: [],
      firstPassing: [],
      failures: 0,
      warnings: told,
      finished: true,
      trouble: null,
    })),
  };
}

describe('warnings', () => {
  test('are told by configuration, each once', () => {
    const told = toldWarnings(
      viewWith(['single: 3 answers are empty.', 'single: 3 answers are empty.']),
      null,
    );
    expect(told).toEqual([{ configuration: 'single', text: '3 answers are empty.' }]);
  });

  test('of nobody known stand as they are', () => {
    expect(toldWarnings(viewWith(['the disk is nearly full: 1 GB']), null)).toEqual([
      { configuration: null, text: 'The disk is nearly full: 1 GB' },
    ]);
  });

  test('of a study that has none of its own are those of its kept summaries', () => {
    const kept = keptWith(['single: a'], ['heterogeneous: b']);
    expect(toldWarnings(viewWith([]), kept).map(({ configuration }) => configuration)).toEqual([
      'single',
      'heterogeneous',
    ]);
    expect(toldWarnings(viewWith(['single: own']), kept)).toHaveLength(1);
  });
});

test('a repair promises that the damaged file is kept', () => {
  expect(repairWords('single, seed 2')).toMatchObject({
    title: 'Repair the journal of single, seed 2?',
    about: expect.stringContaining('The damaged file is kept beside it'),
  });
});
