import { join } from 'node:path';
import {
  basePolicyFile,
  type Family,
  isFamily,
  makeBasePolicy,
  type PocketPolicy,
  readBasePolicy,
} from '../../pocket/index';
import { makeFolder, reasonOf, replaceSharedFile } from '../../storage/index';
import { readOptional } from '../run-folder';
import { TrainerError } from '../trainer-error';
import { pretrainingSeed } from './pocket-learning';
import type { TrainingInput } from './training-input';

/** The initial policies, one per learner: read from `folder`, or pre-trained and saved there if missing. */
export async function basePolicies(
  { spec }: TrainingInput,
  folder: string,
): Promise<readonly PocketPolicy[]> {
  const policies: PocketPolicy[] = [];
  for (const [learner, family] of spec.families.entries()) {
    if (!isFamily(family)) {
      throw new TrainerError({ code: 'bad-input', message: `There is no pocket family "${family}".` });
    }
    policies.push(await basePolicy(family, pretrainingSeed(spec, learner), folder));
  }
  return policies;
}

async function basePolicy(family: Family, seed: number, folder: string): Promise<PocketPolicy> {
  const path = join(folder, basePolicyFile({ family, seed }));
  const text = (await readOptional(path)) ?? (await pretrained(family, seed, folder, path));
  const policy = readBasePolicy(text, { family, seed });
  if (policy.ok) return policy.value;
  throw new TrainerError({
    ...policy.error,
    message: `${policy.error.message} It was read from ${path}.`,
    hint: `Delete ${path}: the policy is then pre-trained again, which takes a few seconds.`,
  });
}

async function pretrained(family: Family, seed: number, folder: string, path: string): Promise<string> {
  const text = makeBasePolicy({ family, seed });
  try {
    await makeFolder(folder);
    // Trainings that start together may pre-train the same policy.
    await replaceSharedFile(path, text);
  } catch (error) {
    throw new TrainerError({ code: 'unavailable', message: `Cannot write ${path}: ${reasonOf(error)}.` });
  }
  return text;
}
