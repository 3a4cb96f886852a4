import {
  isFaultVerdict,
  type NodeView,
  type RunView,
  type SearchOptions,
  type TreeView,
} from '../../preload/contract';
import { type AnswerRule, isBetterAnswer, publicVerdictOf, treeKey } from '../../preload/contract/folds';
import { gpuHoursOf, moneyOf, type Rates } from './costs';

/** Results of the first n nodes of a tree; at [n - 1], 1 or 0. A tree that stopped early keeps its last value. */
export type TreeSeries = {
  /** Some node passes the private tests: Pass@n. */
  readonly found: Float64Array;
  /** Some node passes the public tests. */
  readonly foundPublic: Float64Array;
  /** The node that the search would choose passes the private tests: Pass@1(MCTS). */
  readonly chosen: Float64Array;
  /** Share of passing nodes among those with the chosen node's score: the expected value with random tie-breaking. */
  readonly overTies: number;
  /** Nodes that count. */
  readonly candidates: number;
  /** Nodes left out because the sandbox or the grader failed on them. */
  readonly faults: number;
};

/**
 * Resources that a tree had used after its first n nodes; at [n - 1]. One entry per node, including nodes that are left
 * out.
 */
export type TreeUse = {
  /** Prompt and completion tokens. */
  readonly tokens: Float64Array;
  /** Seconds of writing and public grading, added up over the nodes. */
  readonly seconds: Float64Array;
  /** GPU-hours and money, NaN from the first node with an unknown cost on; null: not requested. */
  readonly gpuHours: Float64Array | null;
  readonly money: Float64Array | null;
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
  return isFaultVerdict(node.privateVerdict);
}

/** Searched to its end, and all nodes graded. */
export function isDone(tree: TreeView | undefined): tree is TreeView {
  return tree !== undefined && tree.searched !== null && tree.graded === tree.nodes.length;
}

/** Which tree holds a run's independent samples: its own, the search tree (repeated sampling), or none. */
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
 * The series of a done tree over prefixes of 1 to `limit` nodes. A node on which the sandbox failed is left out, as if
 * it did not exist.
 */
export function treeSeries(tree: TreeView, limit: number, rule: AnswerRule): TreeSeries {
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
      if (publicVerdictOf(node) === 'passed') anyPublic = 1;
      if (best === null || isBetterAnswer(node, best, rule)) best = node;
    }
    found[i] = anyFound;
    foundPublic[i] = anyPublic;
    chosen[i] = best?.privateVerdict === 'passed' ? 1 : 0;
  }
  const nodes = tree.nodes.slice(0, limit).filter((node) => !isFault(node));
  return {
    found,
    foundPublic,
    chosen,
    overTies: shareOverTies(nodes, best, rule),
    candidates: nodes.length,
    faults,
  };
}

function shareOverTies(nodes: readonly NodeView[], best: NodeView | null, rule: AnswerRule): number {
  if (best === null) return 0;
  // Ties go to the earliest node, so only a better node wins; two nodes tie if neither wins over the other.
  const strict: AnswerRule = { ...rule, tie: 'earliest' };
  const tied = nodes.filter((node) => !isBetterAnswer(best, node, strict));
  return tied.filter((node) => node.privateVerdict === 'passed').length / tied.length;
}

/** Resources that a tree had used after each of its nodes; GPU-hours and money by `rates`. */
export function treeUse({ nodes }: TreeView, rates: Rates | null = null): TreeUse {
  return {
    tokens: cumulative(nodes, (node) => node.promptTokens + node.completionTokens),
    seconds: cumulative(nodes, (node) => node.generateMs + node.gradeMs).map((ms) => ms / 1000),
    gpuHours: rates === null ? null : cumulative(nodes, (node) => gpuHoursOf(node, rates)),
    money: rates === null ? null : cumulative(nodes, (node) => moneyOf(node, rates)),
  };
}

function cumulative(nodes: readonly NodeView[], amountOf: (node: NodeView) => number): Float64Array {
  const sums = new Float64Array(nodes.length);
  let sum = 0;
  for (const [i, node] of nodes.entries()) {
    sum += amountOf(node);
    sums[i] = sum;
  }
  return sums;
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
