import type { Agent, NodeView, Verdict } from '../../../preload/contract';
import {
  type AnswerRule,
  publicVerdictOf,
  selectedNode,
  type TreeView,
} from '../../../preload/contract/folds';

/** A verdict inside a sentence: "wrong answer". */
export function verdictText(verdict: Verdict): string {
  return verdict.replaceAll('-', ' ');
}

export function agentName(agents: readonly Agent[], agentId: string): string {
  return agents.find((agent) => agent.id === agentId)?.name ?? agentId;
}

/** "2 of 3", or the verdict if no test was run. */
export function publicText(node: NodeView): string {
  const verdict = publicVerdictOf(node);
  if (verdict === null) return 'tests: none';
  if (node.publicVerdicts.length === 0) return verdictText(verdict);
  const passed = node.publicVerdicts.filter((verdict) => verdict === 'passed').length;
  return `${passed} of ${node.publicVerdicts.length}`;
}

export function originText(node: NodeView): string {
  return node.parent === -1 ? 'new' : `refines node ${node.parent}`;
}

/**
 * A node's name for screen readers, tooltips and tests; it changes only with the node itself:
 * "node 3, reader, refines node 1, public 2 of 2, private passed".
 */
export function nodeLabel(node: NodeView, agents: readonly Agent[]): string {
  const privateText = node.privateVerdict === null ? 'not known yet' : verdictText(node.privateVerdict);
  return [
    `node ${node.index}`,
    agentName(agents, node.agentId),
    originText(node),
    `public ${publicText(node)}`,
    `private ${privateText}`,
    ...(node.reward === null ? [] : [`reward ${node.reward.toFixed(2)}`]),
    ...(node.answerEnd === 'length' ? ['answer cut'] : node.answerEnd === 'empty' ? ['answer empty'] : []),
  ].join(', ');
}

/** Summary of the tree: "24 nodes, depth 5, 2 failed trials". */
export function treeSummary(nodes: readonly NodeView[], failures: number): string {
  let depth = 0;
  for (const node of nodes) depth = Math.max(depth, node.depth);
  const parts = [`${nodes.length.toLocaleString('en')} ${nodes.length === 1 ? 'node' : 'nodes'}`];
  if (depth > 0) parts.push(`depth ${depth.toLocaleString('en')}`);
  if (failures > 0) parts.push(`${failures} failed ${failures === 1 ? 'trial' : 'trials'}`);
  return parts.join(', ');
}

/** Index of the node that the search selects; null without one. Independent samples have no answer. */
export function answerOf(tree: Pick<TreeView, 'nodes' | 'part'>, rule: AnswerRule): number | null {
  return tree.part === 'samples' ? null : (selectedNode(tree.nodes, rule)?.index ?? null);
}
