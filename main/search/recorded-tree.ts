import type { NodeAdded, RunEvent, TreePart } from '../../preload/contract';

export type TrialFailed = Extract<RunEvent, { kind: 'trial-failed' }>;
type TreeSearched = Extract<RunEvent, { kind: 'tree-searched' }>;

/** What an earlier session recorded of one tree. */
export type RecordedTree = {
  /** Outcomes of trials in the order of the journal. */
  readonly outcomes: ReadonlyArray<NodeAdded | TrialFailed>;
  readonly searched: TreeSearched['reason'] | null;
};

/** Selects this tree's events from those of a journal. */
export function readRecordedTree(
  events: readonly RunEvent[],
  problemId: string,
  part: TreePart,
): RecordedTree {
  const outcomes: (NodeAdded | TrialFailed)[] = [];
  let searched: TreeSearched['reason'] | null = null;
  for (const event of events) {
    if (event.kind === 'run-started' || event.kind === 'run-finished') continue;
    if (event.problemId !== problemId || event.part !== part) continue;
    if (event.kind === 'tree-searched') searched = event.reason;
    else if (event.kind !== 'node-graded') outcomes.push(event);
  }
  return { outcomes, searched };
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
