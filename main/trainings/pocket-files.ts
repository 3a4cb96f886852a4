import { join } from 'node:path';
import {
  type Refusal,
  type TrainingEvaluation,
  type TrainingRequest,
  type TrainingSpec,
  trainingEvaluationSchema,
} from '../../preload/contract';
import { isEvaluatedAtEnd } from '../../preload/contract/plans';
import { assertNever, failed, ok, type Result } from '../base';
import { readJson, reasonOf, writeJson } from '../storage';
import { trainingAgents } from './logic/titles';

/** Writes the pocket trainer's input: its spec and the names of its agents. Nothing for other kinds. */
export async function writeSpec(folder: string, { spec }: TrainingRequest): Promise<Result<null, Refusal>> {
  if (spec.kind !== 'pocket') return ok(null);
  try {
    await writeJson(join(folder, 'spec.json'), { spec, agents: trainingAgents(spec) }, 1);
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
