import type { Objective, Rollout } from '../../preload/contract/index';
import { keepsTree, type TreeSignal, treeSignals } from '../objective/index';
import { type Encoded, type Family, type Program, type Trace, traceOf } from '../pocket/index';
import type { GrownNode, GrownTree } from './grow-tree';

/** A node as its learner learns from it. */
export type Sample = {
  readonly trace: Trace;
  readonly encoded: Encoded;
  /** The program the policy chose; the answer's text may differ (a simulated slip). */
  readonly written: Program;
  /** Natural logs of each symbol's probability at temperature 1 when written, i.e. of the old policy. */
  readonly logProbabilities: readonly number[];
  readonly raw: number;
  readonly shaped: number;
  readonly advantage: number;
  readonly isFirstAttempt: boolean;
  /** No node of its tree passes. */
  readonly isAllWrong: boolean;
  readonly problemId: string;
  /** null: the answer contains none. */
  readonly program: string | null;
};

/** A sample as plain data: its trace can be recomputed. */
export type SavedSample = Omit<Sample, 'trace'>;

export function toSavedSample({ trace: _, ...saved }: Sample): SavedSample {
  return saved;
}

export function fromSavedSample(family: Family, saved: SavedSample): Sample {
  return { ...saved, trace: traceOf(family, saved.encoded, saved.written) };
}

/** A tree of a round with its learning signal; `signal` null: excluded by the filter. */
export type CreditedTree = { readonly tree: GrownTree; readonly signal: TreeSignal | null };

/** Computes the learning signal of a group's trees in a round: filter, shaping, penalty, advantages. */
export function creditTrees(trees: readonly GrownTree[], objective: Objective): readonly CreditedTree[] {
  const raw = trees.map(({ nodes }) => nodes.map(({ passes }) => (passes ? 1 : 0)));
  const kept = [...trees.keys()].filter((i) => keepsTree(raw[i] as number[], objective.filter));
  const signals = treeSignals(
    kept.map((i) => {
      const { nodes } = trees[i] as GrownTree;
      return {
        raw: raw[i] as number[],
        parents: nodes.map(({ parent }) => parent),
        // The roles of a homogeneous team count as one agent, since they share weights.
        agents: nodes.map(({ learnerId }) => learnerId),
        tokens: nodes.map(({ sample }) => sample.symbols.length),
      };
    }),
    objective,
  );
  const signalOf = new Map(kept.map((i, at) => [i, signals[at] as TreeSignal]));
  return trees.map((tree, i) => ({ tree, signal: signalOf.get(i) ?? null }));
}

/** The samples of a round, by learner, in the order of trees and nodes. */
export function samplesOf(trees: readonly CreditedTree[]): ReadonlyMap<string, readonly Sample[]> {
  const byLearner = new Map<string, Sample[]>();
  for (const { tree, signal } of trees) {
    if (signal === null) continue;
    const isAllWrong = tree.nodes.every(({ passes }) => !passes);
    for (const [i, node] of tree.nodes.entries()) {
      const samples = byLearner.get(node.learnerId) ?? [];
      samples.push(sampleOf(node, tree.problem.id, isAllWrong, signal, i));
      byLearner.set(node.learnerId, samples);
    }
  }
  return byLearner;
}

function sampleOf(
  { sample, passes, parent, program }: GrownNode,
  problemId: string,
  isAllWrong: boolean,
  signal: TreeSignal,
  node: number,
): Sample {
  return {
    trace: sample.trace,
    encoded: sample.encoded,
    written: sample.program,
    logProbabilities: sample.symbols.map(({ logProbability }) => logProbability),
    raw: passes ? 1 : 0,
    shaped: signal.shaped[node] as number,
    advantage: signal.advantages[node] as number,
    isFirstAttempt: parent === -1,
    isAllWrong,
    problemId,
    program,
  };
}

/** All nodes of a tree as rollouts. `steps`: updates of each learner when it wrote them. */
export function rolloutsOf(
  { tree, signal }: CreditedTree,
  steps: Readonly<Record<string, number>>,
  knowsAdvantages: boolean,
): readonly Rollout[] {
  return tree.nodes.map(
    ({ learnerId, parent, messages, answer, passes }, node): Rollout => ({
      agentId: learnerId,
      step: steps[learnerId] as number,
      problemId: tree.problem.id,
      node,
      parent,
      prompt: messages.map(({ content }) => content).join('\n\n'),
      answer,
      reward: passes ? 1 : 0,
      shapedReward: signal?.shaped[node] ?? null,
      advantage: knowsAdvantages ? (signal?.advantages[node] ?? null) : null,
    }),
  );
}
