import type { NodeView, RunView, SearchOptions, TreeView } from '../../preload/contract';
import { treeKey } from '../../preload/contract/folds';

/** What the first n nodes of a tree were worth; at [n - 1], 1 or 0. A tree that stopped early keeps its last value. */
export type TreeSeries = {
  /** Some node passes the private tests: Pass@n. */
  readonly found: Float64Array;
  /** Some node passes the public tests. */
  readonly foundPublic: Float64Array;
  /** The node that the search would choose passes the private tests: Pass@1(MCTS). */
  readonly chosen: Float64Array;
  /** Nodes that count. */
  readonly candidates: number;
  /** Nodes left out because the sandbox failed on them. */
  readonly faults: number;
};

/** Independent first attempts of one problem. */
export type SampleCounts = {
  readonly samples: number;
  readonly passed: number;
  readonly faults: number;
  /** Mean over the agents of the share of their samples that pass; 0 without samples. */
  readonly passRate: number;
};

export function isFault(node: NodeView): boolean {
  return node.privateVerdict === 'sandbox-fault';
}

/** Searched to its end, and all nodes graded. */
export function isDone(tree: TreeView | undefined): tree is TreeView {
  return tree !== undefined && tree.searched !== null && tree.graded === tree.nodes.length;
}

/** Where a run's independent samples are: beside the tree, in it (repeated sampling), or nowhere. */
export function samplesPart(search: SearchOptions): 'samples' | 'search' | null {
  if (search.samplesPerAgent > 0) return 'samples';
  return search.strategy.kind === 'repeated' ? 'search' : null;
}

/** Are all trees of this problem done? */
export function isProblemDone(run: RunView, problemId: string): boolean {
  const parts = new Set(['search', samplesPart(run.config.search) ?? 'search'] as const);
  return [...parts].every((part) => isDone(run.trees.get(treeKey(problemId, part))));
}

/**
 * The series of a done tree over prefixes of 1 to `limit` nodes. A node on which the sandbox failed is left out, as
 * if it had not been made.
 */
export function treeSeries(tree: TreeView, limit: number, tie: SearchOptions['tie']): TreeSeries {
  const found = new Float64Array(limit);
  const foundPublic = new Float64Array(limit);
  const chosen = new Float64Array(limit);
  let faults = 0;
  let anyFound = 0;
  let anyPublic = 0;
  let best: NodeView | null = null;
  for (let i = 0; i < limit; i++) {
    const node = tree.nodes[i];
    if (node !== undefined && isFault(node)) faults += 1;
    else if (node !== undefined) {
      if (node.privateVerdict === 'passed') anyFound = 1;
      // Without public tests nothing was passed, whatever the verdict over none of them is called.
      if (node.publicVerdict === 'passed' && node.publicVerdicts.length > 0) anyPublic = 1;
      if (best === null || node.score > best.score || (tie === 'latest' && node.score === best.score)) {
        best = node;
      }
    }
    found[i] = anyFound;
    foundPublic[i] = anyPublic;
    chosen[i] = best?.privateVerdict === 'passed' ? 1 : 0;
  }
  const candidates = Math.min(limit, tree.nodes.length) - faults;
  return { found, foundPublic, chosen, candidates, faults };
}

/** Counts over a done tree of first attempts. */
export function sampleCounts(tree: TreeView): SampleCounts {
  const perAgent = new Map<string, { samples: number; passed: number }>();
  let faults = 0;
  for (const node of tree.nodes) {
    if (isFault(node)) {
      faults += 1;
      continue;
    }
    const own = perAgent.get(node.agentId) ?? { samples: 0, passed: 0 };
    own.samples += 1;
    if (node.privateVerdict === 'passed') own.passed += 1;
    perAgent.set(node.agentId, own);
  }
  let samples = 0;
  let passed = 0;
  let rates = 0;
  for (const own of perAgent.values()) {
    samples += own.samples;
    passed += own.passed;
    rates += own.passed / own.samples;
  }
  return { samples, passed, faults, passRate: samples === 0 ? 0 : rates / perAgent.size };
}
