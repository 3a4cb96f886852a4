import type { Objective } from '../../preload/contract/index';
import { keepsTree, type TreeSignal, treeSignals } from '../objective/index';
import { type Encoded, type Family, type Program, type Trace, traceOf } from '../pocket/index';
import type { GrownNode, GrownTree } from './grow-tree';

/** A node as its learner learns from it. */
export type Sample = {
  readonly trace: Trace;
  readonly encoded: Encoded;
  /** What the policy chose; the answer's text may lack it (a slip). */
  readonly written: Program;
  /** Of each symbol when it was written, natural, temperature 1: at once those of the old policy. */
  readonly logProbabilities: readonly number[];
  readonly raw: number;
  readonly shaped: number;
  readonly advantage: number;
  readonly isFirstAttempt: boolean;
  /** No node of its tree passes. */
  readonly isAllWrong: boolean;
  readonly problemId: string;
  /** null: the answer holds none. */
  readonly program: string | null;
};

/** A sample as plain data: its places follow from the rest. */
export type SavedSample = Omit<Sample, 'trace'>;

export function toSavedSample({ trace: _, ...kept }: Sample): SavedSample {
  return kept;
}

export function fromSavedSample(family: Family, kept: SavedSample): Sample {
  return { ...kept, trace: traceOf(family, kept.encoded, kept.written) };
}

/** A tree of a round with what is learned from it; `signal` null: the filter leaves it out. */
export type CreditedTree = { readonly tree: GrownTree; readonly signal: TreeSignal | null };

/** The rewards of a lane's round: filter, shaping, penalty, advantages. */
export function creditTrees(trees: readonly GrownTree[], objective: Objective): readonly CreditedTree[] {
  const raw = trees.map(({ nodes }) => nodes.map(({ passes }) => (passes ? 1 : 0)));
  const kept = [...trees.keys()].filter((i) => keepsTree(raw[i] as number[], objective.filter));
  const signals = treeSignals(
    kept.map((i) => {
      const { nodes } = trees[i] as GrownTree;
      return {
        raw: raw[i] as number[],
        parents: nodes.map(({ parent }) => parent),
        // Of a homogeneous team the roles are one agent: they share their weights.
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
