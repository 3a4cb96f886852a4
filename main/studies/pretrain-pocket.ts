import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { endOnUnhandledErrors } from '../base/index';
import {
  encodeRewardModel,
  isFamily,
  loadPolicy,
  makeBasePolicy,
  type PocketPolicy,
  parseCheckpoint,
  trainRewardModel,
} from '../pocket/index';
import { reasonOf, replaceSharedFile } from '../storage/index';

/** An own process: pre-trains one pocket policy, or trains a reward model, and writes it whole. Errors go to stderr. */
endOnUnhandledErrors(process, { program: 'The pre-training', next: () => 'Start what needed it again.' });
const { values } = parseArgs({
  options: {
    family: { type: 'string' },
    reward: { type: 'boolean', default: false },
    policy: { type: 'string', multiple: true, default: [] },
    seed: { type: 'string' },
    out: { type: 'string' },
  },
});

async function policyIn(path: string): Promise<PocketPolicy> {
  const checkpoint = parseCheckpoint(await readFile(path, 'utf8'));
  const policy = checkpoint.ok ? loadPolicy(checkpoint.value) : checkpoint;
  if (!policy.ok) throw new Error(`${policy.error.message} It was read from ${path}.`);
  return policy.value;
}

async function learned(seed: number): Promise<string> {
  if (values.reward) {
    if (values.policy.length === 0)
      throw new Error('--reward needs --policy FILE, once for each base policy');
    return encodeRewardModel(
      trainRewardModel({ seed, policies: await Promise.all(values.policy.map(policyIn)) }),
    );
  }
  if (values.family === undefined || !isFamily(values.family)) {
    throw new Error(`--family names a pocket family, not "${values.family}"`);
  }
  return makeBasePolicy({ family: values.family, seed });
}

const seed = Number(values.seed);
if (!Number.isSafeInteger(seed) || seed < 0)
  throw new Error(`--seed takes a whole number, not "${values.seed}"`);
if (values.out === undefined) throw new Error('--out FILE is missing');
const text = await learned(seed);
try {
  await replaceSharedFile(values.out, text);
} catch (error) {
  // People read this: a full disk needs no trace of calls.
  process.stderr.write(`${values.out} could not be written: ${reasonOf(error)}.\n`);
  process.exitCode = 1;
}
