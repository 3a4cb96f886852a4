import type { ModelTraining } from '../../../preload/contract';
import { canReachRange, passRangeText } from '../../../preload/contract/plans';
import { counted } from '../../base/index';

/** What a training measures with its untrained agents, and the answers that it costs. */
export function measurementNotes({ method, agents, problems, evaluation }: ModelTraining): string[] {
  if (method === 'base') return [];
  const notes: string[] = [];
  const { choose } = problems;
  if (choose !== undefined) {
    const answers = choose.measured * choose.samples * agents.length;
    notes.push(
      `Measures Pass@1 of at most ${problemCount(choose.measured)} first, by ${counted(choose.samples, 'first attempt')} of each agent: ${answers.toLocaleString('en')} answers at most. Trains only on those with Pass@1 from ${passRangeText(choose.from, choose.to)}, and ends with their counts if fewer than two are left.`,
    );
  }
  const { before = evaluation.every > 0 } = evaluation;
  if (before && evaluation.problems > 0) {
    const answers = evaluation.problems * evaluation.samples * agents.length;
    notes.push(
      `Evaluates Pass@1 before the first update too, on the same problems as at the end: ${answers.toLocaleString('en')} answers.`,
    );
  }
  return notes;
}

/** Why no problem could be chosen. */
export function choiceProblems({ method, agents, problems }: ModelTraining): string[] {
  const { choose } = problems;
  if (choose === undefined) return [];
  if (method === 'base') {
    return ['Without updates there is nothing to choose problems for: leave out the choice by Pass@1.'];
  }
  if (canReachRange(choose.samples * agents.length, choose)) return [];
  return [
    `No count of passes among ${counted(choose.samples, 'first attempt')} gives a Pass@1 from ${passRangeText(choose.from, choose.to)}. Use more attempts or a wider range.`,
  ];
}

function problemCount(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'problem' : 'problems'}`;
}
