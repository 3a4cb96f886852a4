import { assertNever } from '../assert-never';
import type { RunConfig } from '../run';
import type { NodeAdded, NodeGraded, RunEvent, TreeEnd, TreePart } from '../run-events';
import type { Verdict } from '../verdict';
import { withChangedPlan } from './planned-run';
import { isLimitsEvent } from './tree-limits';

/** One candidate as every view, metric and export sees it. */
export type NodeView = {
  readonly index: number;
  readonly parent: number;
  /** Edges to the root: a first attempt has depth 1. */
  readonly depth: number;
  readonly trial: number;
  readonly agentId: string;
  readonly score: number;
  /** What the reward model gave; null without one. */
  readonly reward: number | null;
  readonly publicVerdict: Verdict;
  readonly publicVerdicts: readonly Verdict[];
  /** null until the private tests were run. */
  readonly privateVerdict: Verdict | null;
  readonly privateVerdicts: readonly Verdict[];
  /** The verdict of the other reading, where it differs. */
  readonly otherVerdict: Verdict | null;
  /** The package whose lack failed it; left out for almost all nodes. */
  readonly missingPackage?: string;
  readonly generationSeed: number;
  readonly programDigest: string | null;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly answerEnd: NonNullable<NodeAdded['answerEnd']> | null;
  readonly generateMs: number;
  readonly gradeMs: number;
};

export type TrialFailure = {
  readonly trial: number;
  readonly agentId: string;
  readonly reason: string;
  readonly message: string;
  /** Nodes that the tree had by then. */
  readonly nodes: number;
};

export type TreeView = {
  readonly problemId: string;
  readonly part: TreePart;
  readonly nodes: readonly NodeView[];
  readonly failures: readonly TrialFailure[];
  /** Nodes whose private tests were run. */
  readonly graded: number;
  readonly searched: TreeEnd | null;
  /** What its journal has behind a limit that was lowered: it counts again where the limit is raised. Left out: nothing. */
  readonly cut?: Pick<TreeView, 'nodes' | 'failures' | 'searched'>;
  /** Nodes that count, once that was lowered: a batch that was under way then may end behind it. */
  readonly limit?: number;
};

/** `tests`: of a re-grade that counts, those that were run; left out: its benchmark's own. */
export type CountedConfig = RunConfig & { readonly tests?: PrivateTests };

/** Private tests: the id and the digest of the benchmark whose they are. */
export type PrivateTests = { readonly id: string; readonly digest: string };

export type RunView = {
  readonly config: CountedConfig;
  readonly appVersion: string;
  readonly randomVersion: string;
  /** Key: `treeKey(problemId, part)`. A problem without events has no entry. */
  readonly trees: ReadonlyMap<string, TreeView>;
  readonly finished: boolean;
};

export function treeKey(problemId: string, part: TreePart): string {
  return `${part}:${problemId}`;
}

/** A tree while a batch of events is folded: its arrays may be pushed to. */
type GrowingTree = { -readonly [K in keyof TreeView]: TreeView[K] } & {
  nodes: NodeView[];
  failures: TrialFailure[];
  cut?: { nodes: NodeView[]; failures: TrialFailure[]; searched: TreeEnd | null };
};

function addNode(tree: GrowingTree, event: NodeAdded): void {
  // An event that arrives twice (a batch that reaches the window again after a snapshot) changes nothing.
  if (event.index !== tree.nodes.length + (tree.cut?.nodes.length ?? 0)) return;
  if (tree.nodes.length >= (tree.limit ?? Number.POSITIVE_INFINITY))
    tree.cut ??= { nodes: [], failures: [], searched: null };
  const parent = tree.nodes[event.parent] ?? tree.cut?.nodes[event.parent - tree.nodes.length];
  const parentDepth = event.parent === -1 ? 0 : (parent?.depth ?? 0);
  (tree.cut ?? tree).nodes.push({
    index: event.index,
    parent: event.parent,
    depth: parentDepth + 1,
    trial: event.trial,
    agentId: event.agentId,
    score: event.score,
    reward: event.reward ?? null,
    publicVerdict: event.publicVerdict,
    publicVerdicts: event.publicVerdicts,
    privateVerdict: null,
    privateVerdicts: [],
    otherVerdict: null,
    ...(event.missingPackage === undefined ? {} : { missingPackage: event.missingPackage }),
    generationSeed: event.generationSeed,
    programDigest: event.programDigest,
    promptTokens: event.promptTokens,
    completionTokens: event.completionTokens,
    answerEnd: event.answerEnd ?? null,
    generateMs: event.generateMs,
    gradeMs: event.gradeMs,
  });
}

function gradeNode(tree: GrowingTree, event: NodeGraded): void {
  const counts = event.index < tree.nodes.length;
  const nodes = counts ? tree.nodes : (tree.cut?.nodes ?? []);
  const at = counts ? event.index : event.index - tree.nodes.length;
  const node = nodes[at];
  if (node === undefined) return;
  if (counts && node.privateVerdict === null) tree.graded += 1;
  nodes[at] = {
    ...node,
    privateVerdict: event.privateVerdict,
    privateVerdicts: event.privateVerdicts,
    otherVerdict: event.otherVerdict ?? null,
    ...(event.missingPackage === undefined ? {} : { missingPackage: event.missingPackage }),
  };
}

function copyOf({ cut, ...tree }: TreeView): GrowingTree {
  const copy = { ...tree, nodes: [...tree.nodes], failures: [...tree.failures] };
  if (cut === undefined) return copy;
  return { ...copy, cut: { ...cut, nodes: [...cut.nodes], failures: [...cut.failures] } };
}

/**
 * The view after these events. `view` is null before the first `run-started`.
 * Trees that no event names are shared with the old view, so a component can compare by identity.
 */
export function foldRun(view: RunView | null, events: readonly RunEvent[]): RunView | null {
  let current = view;
  let trees: Map<string, TreeView> | null = null;
  const growing = new Map<string, GrowingTree>();

  const treeOf = (problemId: string, part: TreePart): GrowingTree => {
    const key = treeKey(problemId, part);
    const open = growing.get(key);
    if (open !== undefined) return open;
    trees ??= new Map(current?.trees);
    const old = trees.get(key);
    const next: GrowingTree =
      old === undefined
        ? { problemId, part, nodes: [], failures: [], graded: 0, searched: null }
        : copyOf(old);
    growing.set(key, next);
    trees.set(key, next);
    return next;
  };

  for (const event of events) {
    if (event.kind === 'run-started') {
      if (current === null) {
        const { config, appVersion, randomVersion } = event;
        current = { config, appVersion, randomVersion, trees: new Map(), finished: false };
      }
      continue;
    }
    if (isLimitsEvent(event)) {
      if (current === null) continue;
      current = withChangedPlan(trees === null ? current : { ...current, trees }, event);
      trees = new Map(current.trees);
      growing.clear();
      continue;
    }
    if (current === null) continue; // a journal starts with run-started; the reader has refused any other
    switch (event.kind) {
      case 'node-added':
        addNode(treeOf(event.problemId, event.part), event);
        break;
      case 'node-graded':
        gradeNode(treeOf(event.problemId, event.part), event);
        break;
      case 'trial-failed': {
        const tree = treeOf(event.problemId, event.part);
        const nodes = tree.nodes.length + (tree.cut?.nodes.length ?? 0);
        const failures = (tree.cut ?? tree).failures;
        if (![...tree.failures, ...failures].some((failure) => failure.trial === event.trial)) {
          const { trial, agentId, reason, message } = event;
          failures.push({ trial, agentId, reason, message, nodes });
        }
        break;
      }
      case 'tree-searched': {
        const tree = treeOf(event.problemId, event.part);
        if (tree.cut !== undefined) tree.cut.searched = event.reason;
        tree.searched = tree.cut === undefined ? event.reason : (tree.searched ?? 'budget');
        break;
      }
      case 'run-finished':
        current = { ...current, finished: true };
        break;
      default:
        assertNever(event);
    }
  }
  if (current !== null && trees !== null) current = { ...current, trees };
  return current;
}
