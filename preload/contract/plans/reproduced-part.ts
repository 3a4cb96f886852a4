import type { ReproductionRequest } from '../reproduction';
import { counted } from './number-text';

/** The requested part of an exhibit, if it is not all: "10 problems, 1 seed, a part of the table"; empty: all of it. */
export function reproducedPart({ problems, seeds, only }: ReproductionRequest): string {
  return [
    ...(problems === undefined ? [] : [counted(problems, 'problem')]),
    ...(seeds === undefined ? [] : [counted(seeds.length, 'seed')]),
    ...(only === undefined ? [] : ['a part of the table']),
  ].join(', ');
}
