import {
  isLimitsEvent,
  isReopened,
  type LimitsEvent,
  limitsBefore,
  limitsOf,
  limitsSince,
  type NodeAdded,
  type RunConfig,
  type RunEvent,
  type TreeLimits,
  type TreePart,
  withLimits,
} from '../../preload/contract';

export type TrialFailed = Extract<RunEvent, { kind: 'trial-failed' }>;
type TreeSearched = Extract<RunEvent, { kind: 'tree-searched' }>;

/** What an earlier session recorded of one tree. */
export type RecordedTree = {
  /** Outcomes of trials and changes of the limits, in the order of the journal. */
  readonly steps: ReadonlyArray<NodeAdded | TrialFailed | LimitsEvent>;
  /** The limits that it began with, where they were changed since; the others are those of the configuration. */
  readonly first: Partial<TreeLimits>;
  /** null: it continues, perhaps since a change of its limits. */
  readonly searched: TreeSearched['reason'] | null;
};

/** Selects this tree's events from those of a journal. */
export function readRecordedTree(
  events: readonly RunEvent[],
  problemId: string,
  part: TreePart,
): RecordedTree {
  const steps: (NodeAdded | TrialFailed | LimitsEvent)[] = [];
  const nodes: NodeAdded[] = [];
  let first: Partial<TreeLimits> = {};
  // Until an event says otherwise a tree has used what it had.
  let limits: TreeLimits = { nodes: 0, tokens: 0, seconds: 0 };
  let searched: TreeSearched['reason'] | null = null;
  for (const event of events) {
    if (event.kind === 'run-started' || event.kind === 'run-finished') continue;
    if (isLimitsEvent(event)) {
      // The budget of independent samples is another one.
      if (part === 'samples') continue;
      first = { ...limitsBefore(event), ...first };
      limits = limitsSince(event, limits);
      if (isReopened(searched, nodes, limits)) searched = null;
      steps.push(event);
      continue;
    }
    if (event.problemId !== problemId || event.part !== part) continue;
    if (event.kind === 'tree-searched') searched = event.reason;
    else if (event.kind !== 'node-graded') {
      if (event.kind === 'node-added') nodes.push(event);
      steps.push(event);
    }
  }
  return { steps, first, searched };
}

/** The configuration that a replay of this tree begins with: its limits change where the journal says so. */
export function configAtStart(config: RunConfig, { first }: RecordedTree): RunConfig {
  return { ...config, search: withLimits(config.search, { ...limitsOf(config.search), ...first }) };
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
