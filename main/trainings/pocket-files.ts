import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Refusal,
  type TrainingEvaluation,
  type TrainingRequest,
  type TrainingSpec,
  trainingEvaluationSchema,
} from '../../preload/contract';
import { isEvaluatedAtEnd } from '../../preload/contract/plans';
import { failed, ok, type Result } from '../base';
import { makeFolder, reasonOf, replaceFile } from '../storage';
import { trainingAgents } from './logic/titles';

/** Writes the pocket trainer's input: its spec and the names of its agents. Nothing for other kinds. */
export async function writeSpec(folder: string, { spec }: TrainingRequest): Promise<Result<null, Refusal>> {
  if (spec.kind !== 'pocket') return ok(null);
  try {
    await makeFolder(folder);
    const input = { spec, agents: trainingAgents(spec) };
    await replaceFile(join(folder, 'spec.json'), `${JSON.stringify(input, null, 1)}\n`);
    return ok(null);
  } catch (error) {
    return failed({ code: 'unavailable', message: `Cannot write to ${folder}: ${reasonOf(error)}.` });
  }
}

/** What the pocket trainer writes at its end; null: not there, or of a single program, which says nothing. */
export async function readEvaluation(
  folder: string,
  spec: TrainingSpec,
): Promise<Result<TrainingEvaluation | null, Refusal>> {
  if (!isEvaluatedAtEnd(spec)) return ok(null);
  const path = join(folder, 'evaluation.json');
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return ok(null);
  const evaluation = trainingEvaluationSchema.safeParse(jsonOf(text));
  if (evaluation.success) return ok(evaluation.data);
  return failed({ code: 'bad-input', message: `${path} is damaged.`, hint: 'Delete it and train again.' });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
