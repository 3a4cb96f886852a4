import { join } from 'node:path';
import {
  LOCAL_MACHINE,
  type Refusal,
  type TrainingEvaluation,
  type TrainingRequest,
  trainingEvaluationSchema,
} from '../../preload/contract';
import { isEvaluatedAtEnd, isOwnTraining } from '../../preload/contract/plans';
import { assertNever, failed, ok, type Result } from '../base';
import { readSealed, reasonOf, writeJson } from '../storage';
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

/** The evaluation that our trainer writes at its end; null: not yet, or too small to be meaningful. */
export async function readEvaluation(
  folder: string,
  { name, spec, machineId }: Pick<TrainingRequest, 'name' | 'spec' | 'machineId'>,
): Promise<Result<TrainingEvaluation | null, Refusal>> {
  if (!isEvaluatedAtEnd(spec)) return ok(null);
  const path = join(folder, 'evaluation.json');
  const evaluation = await readSealed(path, trainingEvaluationSchema);
  switch (evaluation.kind) {
    case 'read':
      return ok(evaluation.value);
    case 'missing':
      return ok(null);
    case 'unreadable':
      return failed({
        code: 'unavailable',
        message: `The evaluation of "${name}" cannot be read (${path}: ${evaluation.why}).`,
      });
    case 'damaged':
      return failed({
        code: 'bad-input',
        message: `The evaluation of "${name}" is damaged (${path}: ${evaluation.why}).`,
        hint:
          machineId === LOCAL_MACHINE
            ? 'Restore the file from a backup, or train again: what was measured cannot be told from what is left of it.'
            : `Delete this copy: it is then copied again from ${machineId}.`,
      });
    default:
      return assertNever(evaluation);
  }
}
