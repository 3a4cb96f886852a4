import type { Contribution, NodeView, RunView } from '../../../preload/contract';
import { selectedNode } from '../../../preload/contract/folds';
import { isFault } from '../run-metrics';
import { finishedSeeds, seedSpreads } from '../seed-spread';
import { finishedTrees } from './tree-shapes';

const COUNTED = [
  'firstAttempts',
  'refinements',
  'firstAttemptsPassed',
  'refinementsPassed',
  'solved',
  'childSolved',
  'tokens',
] as const;

type Counts = Record<(typeof COUNTED)[number], number>;

type Transition = { count: number; repaired: number };

/**
 * Each agent's contributions to the finished search trees of one configuration: programs written, refinements by author
 * and author of the parent, and chosen answers. Trees of all seeds count. A node on which the sandbox failed passes
 * nothing.
 */
export function contributionOf(configuration: string, runs: readonly RunView[]): Contribution {
  const { agents, transitions } = countsOf(configuration, runs);
  // Runs of one configuration have the same agents in the same order.
  const bySeed = finishedSeeds(runs).map((run) => countsOf(configuration, [run]));
  return {
    configuration,
    agents: agents.map((agent, at) => ({
      ...agent,
      ...seedSpreads(
        bySeed.flatMap((own) => own.agents[at] ?? []),
        COUNTED,
      ),
    })),
    transitions: transitions.map((row, from) =>
      row.map((transition, to) => ({
        ...transition,
        ...seedSpreads(
          bySeed.flatMap((own) => own.transitions[from]?.[to] ?? []),
          ['count', 'repaired'],
        ),
      })),
    ),
  };
}

function countsOf(configuration: string, runs: readonly RunView[]): Contribution {
  const names = new Map(
    runs.flatMap(({ config }) => config.team.agents.map(({ id, name }) => [id, name] as const)),
  );
  const counts = new Map<string, Counts>([...names.keys()].map((id) => [id, emptyCounts()]));
  const transitions = new Map<string, Map<string, Transition>>();
  const between = (parent: string, child: string): Transition => {
    const children = transitions.get(parent) ?? new Map<string, Transition>();
    const transition = children.get(child) ?? { count: 0, repaired: 0 };
    transitions.set(parent, children.set(child, transition));
    return transition;
  };
  const of = (agentId: string): Counts => {
    const contribution = counts.get(agentId) ?? emptyCounts();
    counts.set(agentId, contribution);
    return contribution;
  };
  for (const { run, tree } of finishedTrees(runs)) {
    for (const node of tree.nodes) {
      countNode(of(node.agentId), node);
      const parent = tree.nodes[node.parent];
      if (parent === undefined) continue;
      const transition = between(parent.agentId, node.agentId);
      transition.count += 1;
      if (!passed(parent) && passed(node)) transition.repaired += 1;
    }
    const counted = tree.nodes.filter((node) => !isFault(node));
    const answer = selectedNode(counted, run.config.search);
    if (answer === null || !passed(answer)) continue;
    of(answer.agentId).solved += 1;
    const parent = tree.nodes[answer.parent];
    if (parent !== undefined) of(parent.agentId).childSolved += 1;
  }
  const agents = [...counts.keys()];
  return {
    configuration,
    agents: agents.map((agentId) => ({ agentId, name: names.get(agentId) ?? agentId, ...of(agentId) })),
    transitions: agents.map((parent) => agents.map((child) => between(parent, child))),
  };
}

function emptyCounts(): Counts {
  return Object.fromEntries(COUNTED.map((name) => [name, 0])) as Counts;
}

function countNode(counts: Counts, node: NodeView): void {
  if (node.parent === -1) {
    counts.firstAttempts += 1;
    if (passed(node)) counts.firstAttemptsPassed += 1;
  } else {
    counts.refinements += 1;
    if (passed(node)) counts.refinementsPassed += 1;
  }
  counts.tokens += node.promptTokens + node.completionTokens;
}

function passed({ privateVerdict }: NodeView): boolean {
  return privateVerdict === 'passed';
}
