import { parseArgs } from 'node:util';
import { encodeCheckpoint, isFamily, pretrain } from '../pocket/index';
import { replaceFile } from '../store/index';

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
await replaceFile(values.out, encodeCheckpoint(pretrain({ family: values.family, seed })));
