import type { TreeView } from '../../../preload/contract/index';

/** Counts of one agent in one tree, or in many, that may show a problem. */
export type AgentStats = {
  answers: number;
  withoutProgram: number;
  empty: number;
  /** Cut by the limit on tokens. */
  cut: number;
  /** Calls that gave no answer, and the last reason. */
  failed: number;
  lastFailure: string;
  /** Programs on which the sandbox failed, public and private tests together. */
  faults: number;
  /** The same of the grader. */
  graderFaults: number;
  rewardFailures: number;
  lastRewardFailure: string;
  /** Trees in which it wrote enough programs to compare, and those of them where all are equal. */
  compared: number;
  equal: number;
};

export type TreeStats = {
  readonly agents: ReadonlyMap<string, AgentStats>;
  /** There are programs, but no public tests. */
  readonly withoutTests: boolean;
  /** The tree ended without a candidate, because no agent had an answer. */
  readonly withoutAnswers: boolean;
  readonly graded: number;
  /** Nodes whose verdict depends on the grading mode. */
  readonly differing: number;
  /** Programs that failed for the lack of a package, by its name. */
  readonly missing: ReadonlyMap<string, number>;
};

/** Fewer equal programs than this may be chance, or an easy problem. */
const MIN_COMPARED = 6;

export function emptyAgentStats(): AgentStats {
  return {
    answers: 0,
    withoutProgram: 0,
    empty: 0,
    cut: 0,
    failed: 0,
    lastFailure: '',
    faults: 0,
    graderFaults: 0,
    rewardFailures: 0,
    lastRewardFailure: '',
    compared: 0,
    equal: 0,
  };
}

/** By identity: a tree that has changed is another object. */
const cache = new WeakMap<TreeView, TreeStats>();

export function treeStats(tree: TreeView): TreeStats {
  let stats = cache.get(tree);
  if (stats === undefined) {
    stats = countTree(tree);
    cache.set(tree, stats);
  }
  return stats;
}

function countTree(tree: TreeView): TreeStats {
  const agents = new Map<string, AgentStats>();
  const digests = new Map<string, Map<string, number>>();
  const of = (agentId: string): AgentStats => {
    const stats = agents.get(agentId) ?? emptyAgentStats();
    agents.set(agentId, stats);
    return stats;
  };
  let withoutTests = false;
  let differing = 0;
  const missing = new Map<string, number>();
  for (const node of tree.nodes) {
    const stats = of(node.agentId);
    stats.answers += 1;
    if (node.answerEnd === 'empty') stats.empty += 1;
    else if (node.answerEnd === 'length') stats.cut += 1;
    if (node.publicVerdict === 'no-code') stats.withoutProgram += 1;
    if (node.privateVerdict === 'sandbox-fault') stats.faults += 1;
    else if (node.privateVerdict === 'grader-fault') stats.graderFaults += 1;
    if (node.otherVerdict !== null) differing += 1;
    const { missingPackage } = node;
    if (missingPackage !== undefined) missing.set(missingPackage, (missing.get(missingPackage) ?? 0) + 1);
    if (node.programDigest === null) continue;
    if (node.publicVerdicts.length === 0) withoutTests = true;
    const own = digests.get(node.agentId) ?? new Map<string, number>();
    own.set(node.programDigest, (own.get(node.programDigest) ?? 0) + 1);
    digests.set(node.agentId, own);
  }
  for (const { agentId, reason, message } of tree.failures) {
    const stats = of(agentId);
    if (reason === 'server') {
      stats.failed += 1;
      stats.lastFailure = message;
    } else if (reason === 'reward') {
      stats.answers += 1;
      stats.rewardFailures += 1;
      stats.lastRewardFailure = message;
    } else if (reason === 'sandbox-fault') {
      stats.answers += 1;
      stats.faults += 1;
    } else if (reason === 'grader-fault') {
      stats.answers += 1;
      stats.graderFaults += 1;
    }
    // That a recording runs out of answers is no problem.
  }
  for (const [agentId, own] of digests) {
    const programs = [...own.values()].reduce((sum, count) => sum + count, 0);
    if (programs < MIN_COMPARED) continue;
    const stats = of(agentId);
    stats.compared += 1;
    if (own.size === 1) stats.equal += 1;
  }
  const withoutAnswers = tree.searched === 'exhausted' && tree.nodes.length === 0;
  return { agents, withoutTests, withoutAnswers, graded: tree.graded, differing, missing };
}
