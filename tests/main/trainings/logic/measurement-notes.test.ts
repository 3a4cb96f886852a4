import { describe, expect, test } from 'vitest';
import { choiceProblems, measurementNotes } from '../../../../main/trainings/logic/measurement-notes';
import { modelTrainingSchema } from '../../../../preload/contract';

function trainingWith(changes: Record<string, unknown>, choose?: Record<string, unknown>) {
  return modelTrainingSchema.parse({
    kind: 'model',
    method: 'heter-mars2',
    agents: ['one', 'two'].map((id) => ({ id, model: `/models/${id}` })),
    problems: { benchmarkId: 'mbpp', ...(choose === undefined ? {} : { choose }) },
    ...changes,
  });
}

describe('the plan of what is measured before a training', () => {
  test('tells the answers that the choice of problems costs', () => {
    expect(measurementNotes(trainingWith({}, { measured: 200, samples: 8 }))).toEqual([
      'Measures Pass@1 of at most 200 problems first, by 8 first attempts of each agent: 3,200 answers at most. Trains only on those with Pass@1 from 10 to 80 %, and ends with their counts if fewer than two are left.',
    ]);
  });

  test('tells the cost of the evaluation before the first update, where there is one', () => {
    const evaluation = { problems: 20, samples: 16 };
    const notesOf = (more: Record<string, unknown>) =>
      measurementNotes(trainingWith({ evaluation: { ...evaluation, ...more } }));
    const note =
      'Evaluates Pass@1 before the first update too, on the same problems as at the end: 640 answers.';
    expect([notesOf({}), notesOf({ before: true }), notesOf({ every: 5 })]).toEqual([[], [note], [note]]);
    expect(notesOf({ every: 5, before: false })).toEqual([]);
    expect(notesOf({ before: true, problems: 0 })).toEqual([]);
  });

  test('refuses a range that no count of passes is in, and a choice without updates', () => {
    // Of 2 × 2 attempts none gives a rate from 30 to 45 %.
    const narrow = trainingWith({}, { samples: 2, from: 0.3, to: 0.45 });
    expect(choiceProblems(narrow)).toEqual([
      'No count of passes among 2 first attempts gives a Pass@1 from 30 to 45 %. Use more attempts or a wider range.',
    ]);
    expect(choiceProblems(trainingWith({}, { samples: 4, from: 0.3, to: 0.45 }))).toEqual([]);
    expect(choiceProblems(trainingWith({}))).toEqual([]);
    const base = trainingWith({ method: 'base' }, {});
    expect(choiceProblems(base)).toHaveLength(1);
    expect(measurementNotes(base)).toEqual([]);
  });
});
