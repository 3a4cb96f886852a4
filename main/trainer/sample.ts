import type { Objective, Rollout } from '../../preload/contract/index';
import { keepsTree, type TreeSignal, treeSignals } from '../objective/index';
import type { GrownNode, GrownTree } from './grow-tree';
import type { EncodedSample, Policy, Sampled } from './policy';

/** What the loop knows of a sample, beside what its policy knows. */
export type SampleFields = {
  readonly raw: number;
  readonly shaped: number;
  readonly advantage: number;
  readonly isFirstAttempt: boolean;
  /** No node of its tree passes. */
  readonly isAllWrong: boolean;
  /** Cut by the limit on tokens: learned from like any other, without an end token. */
  readonly isTruncated: boolean;
  readonly problemId: string;
  /** null: the answer contains none. */
  readonly program: string | null;
};

/** A node as its learner learns from it. */
export type Sample<Trace> = Sampled<Trace> & SampleFields;

/** A sample as plain data. */
export type SavedSample = EncodedSample & SampleFields;

export function toSavedSample<Trace>(codec: Policy<Trace>['codec'], sample: Sample<Trace>): SavedSample {
  return { ...codec.encode(sample), ...fieldsOf(sample) };
}

export function fromSavedSample<Trace>(codec: Policy<Trace>['codec'], saved: SavedSample): Sample<Trace> {
  return { ...codec.decode(saved), ...fieldsOf(saved) };
}

function fieldsOf(from: SampleFields): SampleFields {
  const { raw, shaped, advantage, isFirstAttempt, isAllWrong, problemId, program } = from;
  // States of earlier versions do not say whether an answer was truncated.
  const isTruncated = from.isTruncated === true;
  return { raw, shaped, advantage, isFirstAttempt, isAllWrong, isTruncated, problemId, program };
}

/** A tree of a round with its learning signal; `signal` null: excluded by the filter. */
export type CreditedTree<Trace> = { readonly tree: GrownTree<Trace>; readonly signal: TreeSignal | null };

/** Computes the learning signal of a group's trees in a round: filter, shaping, penalty, advantages. */
export function creditTrees<Trace>(
  trees: readonly GrownTree<Trace>[],
  objective: Objective,
): readonly CreditedTree<Trace>[] {
  const raw = trees.map(({ nodes }) => nodes.map(({ passes }) => (passes ? 1 : 0)));
  const keptTrees = [...trees.keys()].filter((i) => keepsTree(raw[i] as number[], objective.filter));
  const signals = treeSignals(
    keptTrees.map((i) => {
      const { nodes } = trees[i] as GrownTree<Trace>;
      return {
        raw: raw[i] as number[],
        parents: nodes.map(({ parent }) => parent),
        // The roles of a homogeneous team count as one agent, since they share weights.
        agents: nodes.map(({ learnerId }) => learnerId),
        tokens: nodes.map(({ rollout }) => rollout.length),
      };
    }),
    objective,
  );
  const signalOf = new Map(keptTrees.map((i, at) => [i, signals[at] as TreeSignal]));
  return trees.map((tree, i) => ({ tree, signal: signalOf.get(i) ?? null }));
}

/** The samples of a round, by learner, in the order of trees and nodes. */
export function samplesOf<Trace>(
  trees: readonly CreditedTree<Trace>[],
): ReadonlyMap<string, readonly Sample<Trace>[]> {
  const byLearner = new Map<string, Sample<Trace>[]>();
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

function sampleOf<Trace>(
  { trace, rollout, passes, parent, isTruncated, program }: GrownNode<Trace>,
  problemId: string,
  isAllWrong: boolean,
  signal: TreeSignal,
  node: number,
): Sample<Trace> {
  return {
    trace,
    rollout,
    raw: passes ? 1 : 0,
    shaped: signal.shaped[node] as number,
    advantage: signal.advantages[node] as number,
    isFirstAttempt: parent === -1,
    isAllWrong,
    isTruncated,
    problemId,
    program,
  };
}

/** Share of samples, 0 to 1, that the limit on tokens cut. */
export function truncatedShare(samples: readonly SampleFields[]): number {
  return samples.filter(({ isTruncated }) => isTruncated).length / samples.length;
}

/** All nodes of a tree as rollouts. `steps`: updates of each learner when it wrote them. */
export function rolloutsOf<Trace>(
  { tree, signal }: CreditedTree<Trace>,
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
