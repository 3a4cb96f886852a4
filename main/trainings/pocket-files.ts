import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Refusal,
  type TrainingEvaluation,
  type TrainingOrder,
  trainingEvaluationSchema,
} from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { makeFolder, reasonOf, replaceFile } from '../storage';
import { trainingAgents } from './logic/titles';

/** What the pocket trainer reads: what is trained, and what its agents are called. Nothing for other kinds. */
export async function writeSpec(folder: string, { spec }: TrainingOrder): Promise<Result<null, Refusal>> {
  if (spec.kind !== 'pocket') return ok(null);
  try {
    await makeFolder(folder);
    const input = { spec, agents: trainingAgents(spec) };
    await replaceFile(join(folder, 'spec.json'), `${JSON.stringify(input, null, 1)}\n`);
    return ok(null);
  } catch (error) {
    return failed({ code: 'unavailable', message: `${folder} can not be written: ${reasonOf(error)}.` });
  }
}

/** What the pocket trainer writes at its end; null: not there. */
export async function readEvaluation(folder: string): Promise<Result<TrainingEvaluation | null, Refusal>> {
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
