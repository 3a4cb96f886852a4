import type { PocketTraining, TrainingRequest } from '../../../preload/contract';
import { checkpointNotes, graderNotes, type OwnProgram, startOf } from './own-program';
import type { PreparedTraining } from './prepared';

export type PocketProgram = OwnProgram & {
  /** Names of all pocket families. */
  readonly families: readonly string[];
};

/** A pocket training as a job of its machine. */
export function preparePocket(
  request: TrainingRequest,
  spec: PocketTraining,
  program: PocketProgram,
): PreparedTraining {
  return {
    ...startOf(request, program),
    resources: { ...request.resources, gpus: 0, gpuIds: null },
    gpus: 0,
    notes: [
      'Pocket policies train on the processor of their machine, on programs that really run in the sandbox. Their results are labelled pocket.',
      'Stopping saves its state; resuming continues from it with the same results as without the stop.',
      ...checkpointNotes(spec),
      ...graderNotes(request),
    ],
    problems: pocketProblems(spec, program.families),
  };
}

function pocketProblems(spec: PocketTraining, known: readonly string[]): string[] {
  const problems: string[] = [];
  for (const family of new Set(spec.families)) {
    if (!known.includes(family)) {
      problems.push(`There is no pocket family "${family}". There are: ${known.join(', ')}.`);
    }
  }
  const sharesTrees = spec.method === 'heter-mars2' || spec.method === 'mixed-groups';
  if (sharesTrees && spec.families.length < 2) {
    problems.push('This method needs two or more agents that share their trees: add another family.');
  }
  return problems;
}
