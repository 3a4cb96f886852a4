import { join } from 'node:path';
import {
  type Refusal,
  type TrainingEvaluation,
  type TrainingRequest,
  type TrainingSpec,
  trainingEvaluationSchema,
} from '../../preload/contract';
import { isEvaluatedAtEnd, isOwnTraining } from '../../preload/contract/plans';
import { assertNever, failed, ok, type Result } from '../base';
import { readJson, reasonOf, writeJson } from '../storage';
import { trainingAgents } from './logic/titles';
import { type ProblemSource, writeProblems } from './problem-files';

/** Writes our trainer's input: its spec, the names of its agents, and the problems of a model training. */
export async function writeSpec(
  folder: string,
  { spec }: TrainingRequest,
  benchmarks: ProblemSource,
): Promise<Result<null, Refusal>> {
  if (!isOwnTraining(spec)) return ok(null);
  const parts = spec.kind === 'model' ? await writeProblems(folder, spec, benchmarks) : ok({});
  if (!parts.ok) return parts;
  try {
    await writeJson(join(folder, 'spec.json'), { spec, agents: trainingAgents(spec), ...parts.value }, 1);
    return ok(null);
  } catch (error) {
    return failed({ code: 'unavailable', message: `Cannot write to ${folder}: ${reasonOf(error)}.` });
  }
}

/** The evaluation that the pocket trainer writes at its end; null: not yet, or too small to be meaningful. */
export async function readEvaluation(
  folder: string,
  spec: TrainingSpec,
): Promise<Result<TrainingEvaluation | null, Refusal>> {
  if (!isEvaluatedAtEnd(spec)) return ok(null);
  const path = join(folder, 'evaluation.json');
  const evaluation = await readJson(path, trainingEvaluationSchema);
  switch (evaluation.kind) {
    case 'read':
      return ok(evaluation.value);
    case 'missing':
      return ok(null);
    case 'unreadable':
      return failed({ code: 'unavailable', message: `Cannot read ${path}: ${evaluation.why}.` });
    case 'damaged':
      return failed({
        code: 'bad-input',
        message: `${path} is damaged: ${evaluation.why}.`,
        hint: 'Delete it and train again.',
      });
    default:
      return assertNever(evaluation);
  }
}
