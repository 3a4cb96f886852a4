import { assertNever } from '../assert-never';
import type { RunConfig } from '../run';
import type { NodeAdded, NodeGraded, RunEvent, RunExtended, TreeEnd, TreePart } from '../run-events';
import type { Verdict } from '../verdict';

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
};

export type RunView = {
  readonly config: RunConfig;
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
};

function addNode(tree: GrowingTree, event: NodeAdded): void {
  // An event that arrives twice (a batch that reaches the window again after a snapshot) changes nothing.
  if (event.index !== tree.nodes.length) return;
  const parentDepth = event.parent === -1 ? 0 : (tree.nodes[event.parent]?.depth ?? 0);
  tree.nodes.push({
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

/** The run with more planned: trees that ended with the smaller budget are open again. */
function extended(view: RunView, event: RunExtended): RunView {
  const { config } = view;
  const trees = [...view.trees].map(([key, tree]): [string, TreeView] => {
    const isOpen = tree.part === 'search' && tree.searched === 'budget' && tree.nodes.length < event.nodes;
    return [key, isOpen ? { ...tree, searched: null } : tree];
  });
  return {
    ...view,
    config: {
      ...config,
      problemIds: [...new Set([...config.problemIds, ...event.addedProblemIds])],
      search: { ...config.search, nodes: Math.max(config.search.nodes, event.nodes) },
    },
    trees: new Map(trees),
    finished: false,
  };
}

/** What the plan of a run has more than its view, as the event that says so; null: nothing. */
export function extensionOf(view: RunView, planned: RunConfig, at: number): RunExtended | null {
  const known = new Set(view.config.problemIds);
  const addedProblemIds = planned.problemIds.filter((id) => !known.has(id));
  const earlierNodes = view.config.search.nodes;
  const nodes = Math.max(earlierNodes, planned.search.nodes);
  if (addedProblemIds.length === 0 && nodes === earlierNodes) return null;
  return { kind: 'run-extended', at, earlierNodes, nodes, addedProblemIds };
}

/** The view of a run as it is planned now: its journal says so once the run goes on. */
export function asPlanned(view: RunView, planned: RunConfig): RunView {
  const event = extensionOf(view, planned, 0);
  return event === null ? view : extended(view, event);
}

function gradeNode(tree: GrowingTree, event: NodeGraded): void {
  const node = tree.nodes[event.index];
  if (node === undefined) return;
  if (node.privateVerdict === null) tree.graded += 1;
  tree.nodes[event.index] = {
    ...node,
    privateVerdict: event.privateVerdict,
    privateVerdicts: event.privateVerdicts,
    otherVerdict: event.otherVerdict ?? null,
    ...(event.missingPackage === undefined ? {} : { missingPackage: event.missingPackage }),
  };
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
        : { ...old, nodes: [...old.nodes], failures: [...old.failures] };
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
    if (event.kind === 'run-extended') {
      if (current === null) continue;
      current = extended(trees === null ? current : { ...current, trees }, event);
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
        if (!tree.failures.some((failure) => failure.trial === event.trial)) {
          const { trial, agentId, reason, message } = event;
          tree.failures.push({ trial, agentId, reason, message, nodes: tree.nodes.length });
        }
        break;
      }
      case 'tree-searched':
        treeOf(event.problemId, event.part).searched = event.reason;
        break;
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
