import { passAtK } from '../pass-at-k';

/** Bounds of the area under the DA@K curve, as in arXiv 2503.00691. */
const FIRST_K = 1;
const LAST_K = 25;

/**
 * DA@K: the expected number of different algorithms in K draws without replacement from clusters of these sizes; the
 * number of clusters if there are fewer than K programs (Lee et al., arXiv 2503.00691).
 */
export function distinctAlgorithms(sizes: readonly number[], k: number): number {
  const programs = sizes.reduce((sum, size) => sum + size, 0);
  if (k > programs) return sizes.length;
  // A cluster counts if one of the k draws is from it: the same formula as pass@k.
  return sizes.reduce((sum, size) => sum + (passAtK(programs, size, k) ?? 0), 0);
}

/**
 * EA, the effective number of algorithms: exp of the entropy of the clusters' shares; between 1 and the number of
 * clusters.
 */
export function effectiveAlgorithms(sizes: readonly number[]): number {
  const programs = sizes.reduce((sum, size) => sum + size, 0);
  const entropy = sizes.reduce((sum, size) => sum - (size / programs) * Math.log(size / programs), 0);
  return Math.exp(entropy);
}

/** NAUADC: the area under DA@K from K = 1 to 25 (trapezoids), over its width. */
export function areaUnderDistinct(sizes: readonly number[]): number {
  let area = 0;
  for (let k = FIRST_K; k < LAST_K; k++) {
    area += (distinctAlgorithms(sizes, k) + distinctAlgorithms(sizes, k + 1)) / 2;
  }
  return area / (LAST_K - FIRST_K);
}

/**
 * Names and keywords, numbers, string literals (one without an end continues to the end of its line or of the text),
 * then other signs; comments and spaces are no tokens.
 */
const TOKEN =
  /#[^\n]*|[\p{L}_][\p{L}\p{N}_]*|\d[\w.]*|"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|\*\*=?|\/\/=?|<<=?|>>=?|[-+*/%&|^=!<>:@]=|->|[^\s\w]/gu;

/** Counts of each token in each program, as vectors over their common vocabulary. */
export function tokenCounts(programs: readonly string[]): Float64Array[] {
  const vocabulary = new Map<string, number>();
  const indices = programs.map((program) => {
    const own: number[] = [];
    for (const [token] of program.matchAll(TOKEN)) {
      if (token.startsWith('#')) continue;
      let index = vocabulary.get(token);
      if (index === undefined) {
        index = vocabulary.size;
        vocabulary.set(token, index);
      }
      own.push(index);
    }
    return own;
  });
  return indices.map((own) => {
    const counts = new Float64Array(vocabulary.size);
    for (const index of own) counts[index] = (counts[index] as number) + 1;
    return counts;
  });
}
