import { type Fragments, fragmentsOf, jaccard, type ParsePython } from './python-fragments';

/** Do two programs use the same algorithm? */
export type SameAlgorithm = (first: string, second: string) => boolean | Promise<boolean>;

/**
 * From this Jaccard similarity of their syntax trees' fragments on, two programs are one algorithm (docs/metrics.md).
 */
const SAME_FROM = 0.7;

/**
 * Judges by structure, so every run gives the same result. A program that does not parse is the same only as itself.
 * The judge remembers all programs that it has seen, so make one per problem.
 */
export function structureJudge(parse: ParsePython): SameAlgorithm {
  const fragmentsByProgram = new Map<string, Fragments | null>();
  const read = (program: string): Fragments | null => {
    let fragments = fragmentsByProgram.get(program);
    if (fragments === undefined) {
      const tree = parse(program);
      fragments = tree === null ? null : fragmentsOf(tree);
      fragmentsByProgram.set(program, fragments);
    }
    return fragments;
  };
  return (first, second) => {
    if (first === second) return true;
    const [a, b] = [read(first), read(second)];
    return a !== null && b !== null && jaccard(a, b) >= SAME_FROM;
  };
}

/**
 * Sizes of the clusters of programs, in the order of their creation. A program joins the first cluster whose first
 * member has the same algorithm by the judge, else it starts a new one (Lee et al., arXiv 2503.00691). Equal programs
 * are judged once. `yieldControl` is awaited before every judgement of a new program.
 */
export async function clusterSizes(
  programs: readonly string[],
  same: SameAlgorithm,
  yieldControl: () => Promise<void>,
): Promise<number[]> {
  const sizes: number[] = [];
  const firsts: string[] = [];
  const clusterOf = new Map<string, number>();
  for (const program of programs) {
    let cluster = clusterOf.get(program);
    if (cluster === undefined) {
      await yieldControl();
      cluster = 0;
      while (cluster < firsts.length && !(await same(firsts[cluster] as string, program))) cluster += 1;
      if (cluster === firsts.length) firsts.push(program);
      clusterOf.set(program, cluster);
    }
    sizes[cluster] = (sizes[cluster] ?? 0) + 1;
  }
  return sizes;
}
