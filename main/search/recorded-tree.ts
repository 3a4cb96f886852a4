import type { NodeAdded, RunConfig, RunEvent, RunExtended, TreePart } from '../../preload/contract';

export type TrialFailed = Extract<RunEvent, { kind: 'trial-failed' }>;
type TreeSearched = Extract<RunEvent, { kind: 'tree-searched' }>;

/** What an earlier session recorded of one tree. */
export type RecordedTree = {
  /** Outcomes of trials and extensions of the budget, in the order of the journal. */
  readonly steps: ReadonlyArray<NodeAdded | TrialFailed | RunExtended>;
  /** The budget of nodes that it began with; null: the run was never extended, so the configuration has it. */
  readonly firstNodes: number | null;
  /** null: it goes on, perhaps since an extension. */
  readonly searched: TreeSearched['reason'] | null;
};

/** Selects this tree's events from those of a journal. */
export function readRecordedTree(
  events: readonly RunEvent[],
  problemId: string,
  part: TreePart,
): RecordedTree {
  const steps: (NodeAdded | TrialFailed | RunExtended)[] = [];
  let firstNodes: number | null = null;
  let nodes = 0;
  let searched: TreeSearched['reason'] | null = null;
  for (const event of events) {
    if (event.kind === 'run-started' || event.kind === 'run-finished') continue;
    if (event.kind === 'run-extended') {
      // The budget of independent samples is another one.
      if (part === 'samples') continue;
      firstNodes ??= event.earlierNodes;
      if (searched === 'budget' && nodes < event.nodes) searched = null;
      steps.push(event);
      continue;
    }
    if (event.problemId !== problemId || event.part !== part) continue;
    if (event.kind === 'tree-searched') searched = event.reason;
    else if (event.kind !== 'node-graded') {
      if (event.kind === 'node-added') nodes += 1;
      steps.push(event);
    }
  }
  return { steps, firstNodes, searched };
}

/** The configuration that a replay of this tree begins with: extensions raise its budget where the journal has them. */
export function configAtStart(config: RunConfig, { firstNodes }: RecordedTree): RunConfig {
  return firstNodes === null ? config : { ...config, search: { ...config.search, nodes: firstNodes } };
}

/** The replay's values, to be compared with an outcome of the journal. */
export type Expected = {
  readonly trial: number;
  readonly agentId: string;
  readonly parent: number;
  readonly index: number;
  readonly generationSeed: number;
  readonly promptDigest: string;
};

/** A sentence about the first difference between journal and replay; null where they agree. */
export function replayMismatch(expected: Expected, recorded: NodeAdded | TrialFailed): string | null {
  const pairs: Array<[name: string, expected: string | number, recorded: string | number]> = [
    ['trial', expected.trial, recorded.trial],
    ['agent', expected.agentId, recorded.agentId],
  ];
  if (recorded.kind === 'node-added') {
    pairs.push(
      ['parent', expected.parent, recorded.parent],
      ['node', expected.index, recorded.index],
      ['generation seed', expected.generationSeed, recorded.generationSeed],
      ['prompt', expected.promptDigest, recorded.detail?.promptDigest ?? 'missing'],
    );
  }
  const wrong = pairs.find(([, expectedValue, recordedValue]) => expectedValue !== recordedValue);
  if (wrong === undefined) return null;
  const [name, expectedValue, recordedValue] = wrong;
  return `trial ${expected.trial} has ${name} ${recordedValue} in the journal but ${expectedValue} in the replay`;
}
