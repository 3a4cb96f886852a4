import type { TreeView } from '../../../preload/contract/index';

/** What one agent did in one tree, or in many, as far as it tells of trouble. */
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
  rewardFailures: number;
  lastRewardFailure: string;
  /** Trees in which it wrote enough programs to compare, and those of them where all are equal. */
  compared: number;
  equal: number;
};

export type TreeStats = {
  readonly agents: ReadonlyMap<string, AgentStats>;
  /** There are programs, and no public test was there to run. */
  readonly withoutTests: boolean;
  /** The tree ended without a single candidate, because no agent had anything to give. */
  readonly withoutAnswers: boolean;
  readonly graded: number;
  /** Nodes whose verdict depends on the reading. */
  readonly differing: number;
};

/** Equal programs of fewer than these may be chance, or an easy problem. */
const FEWEST_COMPARED = 6;

export function emptyAgentStats(): AgentStats {
  return {
    answers: 0,
    withoutProgram: 0,
    empty: 0,
    cut: 0,
    failed: 0,
    lastFailure: '',
    faults: 0,
    rewardFailures: 0,
    lastRewardFailure: '',
    compared: 0,
    equal: 0,
  };
}

/** A tree's view is another object when the tree has changed, so what is known of it stays true. */
const known = new WeakMap<TreeView, TreeStats>();

export function treeStats(tree: TreeView): TreeStats {
  let signs = known.get(tree);
  if (signs === undefined) {
    signs = countTree(tree);
    known.set(tree, signs);
  }
  return signs;
}

function countTree(tree: TreeView): TreeStats {
  const agents = new Map<string, AgentStats>();
  const digests = new Map<string, Map<string, number>>();
  const of = (agentId: string): AgentStats => {
    const signs = agents.get(agentId) ?? emptyAgentStats();
    agents.set(agentId, signs);
    return signs;
  };
  let withoutTests = false;
  let differing = 0;
  for (const node of tree.nodes) {
    const signs = of(node.agentId);
    signs.answers += 1;
    if (node.answerEnd === 'empty') signs.empty += 1;
    else if (node.answerEnd === 'length') signs.cut += 1;
    if (node.publicVerdict === 'no-code') signs.withoutProgram += 1;
    if (node.privateVerdict === 'sandbox-fault') signs.faults += 1;
    if (node.otherVerdict !== null) differing += 1;
    if (node.programDigest === null) continue;
    if (node.publicVerdicts.length === 0) withoutTests = true;
    const own = digests.get(node.agentId) ?? new Map<string, number>();
    own.set(node.programDigest, (own.get(node.programDigest) ?? 0) + 1);
    digests.set(node.agentId, own);
  }
  for (const { agentId, reason, message } of tree.failures) {
    const signs = of(agentId);
    if (reason === 'server') {
      signs.failed += 1;
      signs.lastFailure = message;
    } else if (reason === 'reward') {
      signs.answers += 1;
      signs.rewardFailures += 1;
      signs.lastRewardFailure = message;
    } else if (reason === 'sandbox-fault') {
      signs.answers += 1;
      signs.faults += 1;
    }
    // A recording that has nothing more to give is in the nature of recordings.
  }
  for (const [agentId, own] of digests) {
    const programs = [...own.values()].reduce((sum, count) => sum + count, 0);
    if (programs < FEWEST_COMPARED) continue;
    const signs = of(agentId);
    signs.compared += 1;
    if (own.size === 1) signs.equal += 1;
  }
  const withoutAnswers = tree.searched === 'exhausted' && tree.nodes.length === 0;
  return { agents, withoutTests, withoutAnswers, graded: tree.graded, differing };
}
