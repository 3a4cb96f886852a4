import { parseArgs } from 'node:util';
import { encodeCheckpoint, isFamily, pretrain } from '../pocket/index';
import { reasonOf, replaceFile } from '../store/index';

/** An own process: pre-trains one pocket policy and writes its checkpoint whole. Errors go to stderr. */
const { values } = parseArgs({
  options: { family: { type: 'string' }, seed: { type: 'string' }, out: { type: 'string' } },
});
const seed = Number(values.seed);
if (values.family === undefined || !isFamily(values.family)) {
  throw new Error(`--family names a pocket family, not "${values.family}"`);
}
if (!Number.isSafeInteger(seed) || seed < 0)
  throw new Error(`--seed takes a whole number, not "${values.seed}"`);
if (values.out === undefined) throw new Error('--out FILE is missing');
const checkpoint = encodeCheckpoint(pretrain({ family: values.family, seed }));
try {
  await replaceFile(values.out, checkpoint);
} catch (error) {
  // People read this: a full disk needs no trace of calls.
  process.stderr.write(`${values.out} could not be written: ${reasonOf(error)}.\n`);
  process.exitCode = 1;
}
