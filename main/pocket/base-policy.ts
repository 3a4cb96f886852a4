import type { Refusal } from '../../preload/contract';
import { failed, type Result } from '../base';
import { encodeCheckpoint, loadPolicy, parseCheckpoint } from './checkpoint';
import type { Family } from './families';
import type { PocketPolicy } from './policy';
import { pretrain } from './pretrain';

/** A base policy is determined by its family and the seed of its pre-training. */
export type BasePolicyId = { readonly family: Family; readonly seed: number };

/** Its file name in the folder of base policies, which trainings and studies share. */
export function basePolicyFile({ family, seed }: { readonly family: string; readonly seed: number }): string {
  return `pocket-${family}-base-${seed}.json`;
}

/** Pre-trains a base policy, which takes seconds, and returns the text of its file. */
export function makeBasePolicy(id: BasePolicyId): string {
  return encodeCheckpoint(pretrain(id));
}

/** Reads the text of a base policy's file; refuses a damaged file, or one of another policy. */
export function readBasePolicy(
  text: string,
  { family, seed }: { readonly family: string; readonly seed: number },
): Result<PocketPolicy, Refusal> {
  const checkpoint = parseCheckpoint(text);
  const policy = checkpoint.ok ? loadPolicy(checkpoint.value) : checkpoint;
  if (!policy.ok || (policy.value.family === family && policy.value.seed === seed)) return policy;
  return failed({
    code: 'bad-input',
    message: `The file contains a policy of the family ${policy.value.family} with the seed ${policy.value.seed}.`,
  });
}
