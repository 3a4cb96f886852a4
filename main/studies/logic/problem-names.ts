import type { RunView, TreeView } from '../../../preload/contract/index';
import { treeKey } from '../../../preload/contract/index';

/** Equal for equal problems: title, platform, day and size. */
export type ProblemFingerprint = string;

export type NamedBenchmark = {
  readonly id: string;
  readonly digest: string;
  /** By problem id; null: the benchmark is not in the library any more. */
  readonly fingerprints: ReadonlyMap<string, ProblemFingerprint> | null;
};

/** The name of a run's problem, unique among all compared problems. */
export type NameProblem = (
  run: { readonly benchmarkId: string; readonly benchmarkDigest: string },
  problemId: string,
) => string;

/**
 * Two benchmarks may use one id for different problems, or share problems under one id. A problem keeps its id unless an
 * earlier benchmark has another problem of that id; then its benchmark's name and digest are appended, so that the two are
 * not paired.
 */
export function problemNames(benchmarks: readonly NamedBenchmark[]): NameProblem {
  const [first] = benchmarks;
  if (benchmarks.length < 2 || first === undefined) return (_run, problemId) => problemId;
  const seen: NamedBenchmark[] = [];
  const names = new Map<string, (problemId: string) => string>();
  for (const benchmark of benchmarks) {
    const before = [...seen];
    names.set(keyOf(benchmark.id, benchmark.digest), (problemId) => {
      const fingerprint = benchmark.fingerprints?.get(problemId);
      const other = before.find(({ fingerprints }) => fingerprints === null || fingerprints.has(problemId));
      if (
        other === undefined ||
        (fingerprint !== undefined && other.fingerprints?.get(problemId) === fingerprint)
      )
        return problemId;
      return `${problemId} (${benchmark.id}, ${benchmark.digest.slice(0, 8)})`;
    });
    seen.push(benchmark);
  }
  return ({ benchmarkId, benchmarkDigest }, problemId) =>
    names.get(keyOf(benchmarkId, benchmarkDigest))?.(problemId) ?? problemId;
}

function keyOf(id: string, digest: string): string {
  return JSON.stringify([id, digest]);
}

/** The view with its problems renamed; the same view where all keep their names. */
export function renamedView(view: RunView, name: NameProblem): RunView {
  const nameOf = (id: string): string => name(view.config, id);
  if (view.config.problemIds.every((id) => nameOf(id) === id)) return view;
  const trees = new Map<string, TreeView>();
  for (const tree of view.trees.values()) {
    const problemId = nameOf(tree.problemId);
    trees.set(treeKey(problemId, tree.part), { ...tree, problemId });
  }
  return { ...view, config: { ...view.config, problemIds: view.config.problemIds.map(nameOf) }, trees };
}
