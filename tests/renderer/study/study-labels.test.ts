import { describe, expect, it } from 'vitest';
import { studyLabels } from '../../../renderer/study/study-labels';

describe('studies to choose from', () => {
  it('carry their names, and their ids only where a name does not tell them apart', () => {
    const studies = [
      { id: '1', name: 'Quickstart' },
      { id: '2', name: 'HumanEval' },
      { id: '3', name: 'Quickstart' },
    ];
    expect(studyLabels(studies)).toEqual(['Quickstart (1)', 'HumanEval', 'Quickstart (3)']);
  });
});
