import {
  type Decision,
  isLimitsEvent,
  type NodeAdded,
  type RunConfig,
  type RunEvent,
  type TreePart,
} from '../../preload/contract';
import { configAtStart, readRecordedTree, type TrialFailed } from './recorded-tree';
import { type Trial, TrialScheduler } from './trial-scheduler';

export type TreeCheck = {
  /** Nodes whose parent, agent and seed match, and how many of them have no draws in the journal. */
  readonly nodes: number;
  readonly withoutDraws: number;
  /** Draws, bounds and scores that match to the last bit. */
  readonly values: number;
  /** The first difference; `index` is the node that it concerns, or the number of nodes before a failed trial. */
  readonly mismatch: { readonly index: number; readonly difference: string } | null;
};

/**
 * Replays one tree from its seed: asks for every trial again in the order of the journal and compares parent, agent,
 * generation seed and every decision in `why`. `events` include detail; those of other trees are ignored. Nodes of
 * journals without draws (version 1) are checked by parent, agent and seed only.
 */
export function verifyTree(options: {
  readonly config: RunConfig;
  readonly problemId: string;
  readonly part: TreePart;
  readonly events: readonly RunEvent[];
}): TreeCheck {
  const { config, problemId, part, events } = options;
  const recorded = readRecordedTree(events, problemId, part);
  const scheduler = new TrialScheduler(configAtStart(config, recorded), problemId, part);
  let nodes = 0;
  let withoutDraws = 0;
  let values = 0;
  const mismatchAt = (difference: string): TreeCheck => ({
    nodes,
    withoutDraws,
    values,
    mismatch: { index: scheduler.nodes, difference },
  });
  for (const outcome of recorded.steps) {
    if (isLimitsEvent(outcome)) {
      scheduler.changeLimits(outcome);
      continue;
    }
    scheduler.ask();
    const [oldest] = scheduler.running;
    if (oldest === undefined || scheduler.shouldAbandonRunning) {
      return mismatchAt(`the journal has trial ${outcome.trial}, after the search has ended`);
    }
    const trial = scheduler.expected(outcome.trial);
    if (trial === null) {
      return mismatchAt(`the journal has trial ${outcome.trial} where the search has trial ${oldest.trial}`);
    }
    const wrong = expansionMismatch(trial, outcome, scheduler.nodes);
    if (wrong !== null) return mismatchAt(wrong);
    if (outcome.kind === 'node-added') {
      const why = outcome.detail?.why;
      if (why === undefined) withoutDraws += 1;
      else {
        const differing = mismatchText(trial.why, why);
        if (differing !== null) return mismatchAt(`trial ${trial.trial}: ${differing}`);
        values += why.reduce((sum, decision) => sum + decision.values.length, 0);
      }
      nodes += 1;
    }
    scheduler.tell(trial, outcome);
  }
  const { searched } = recorded;
  if (searched !== null) {
    scheduler.ask();
    const end = scheduler.end();
    if (end !== searched) {
      return mismatchAt(
        `the journal ends the tree as "${searched}", but the search ${end === null ? 'continues' : `as "${end}"`}`,
      );
    }
  }
  return { nodes, withoutDraws, values, mismatch: null };
}

function expansionMismatch(trial: Trial, outcome: NodeAdded | TrialFailed, index: number): string | null {
  const pairs: Array<[name: string, recorded: string | number | undefined, replayed: string | number]> = [
    ['agent', outcome.agentId, trial.agentId],
    // Left out by version 1 for trials that failed.
    ['parent', outcome.parent ?? trial.parent, trial.parent],
  ];
  if (outcome.kind === 'node-added') {
    pairs.push(
      ['index', outcome.index, index],
      ['generation seed', outcome.generationSeed, trial.generationSeed],
    );
  }
  for (const [name, recorded, replayed] of pairs) {
    if (recorded !== replayed) {
      return differs(`trial ${trial.trial} has the ${name}`, recorded ?? 'none', replayed);
    }
  }
  return null;
}

function mismatchText(replayed: readonly Decision[], recorded: readonly Decision[]): string | null {
  for (const [at, replayedDecision] of replayed.entries()) {
    const recordedDecision = recorded[at];
    if (recordedDecision === undefined) break;
    const question = `question ${at + 1}`;
    for (const key of ['node', 'question', 'measure'] as const) {
      if (replayedDecision[key] !== recordedDecision[key])
        return differs(`${question} has the ${key}`, recordedDecision[key], replayedDecision[key]);
    }
    const decision = `"${replayedDecision.question}" at ${replayedDecision.node === -1 ? 'the root' : `node ${replayedDecision.node}`}`;
    if (replayedDecision.options.join(' ') !== recordedDecision.options.join(' ')) {
      return differs(
        `${decision} has the options`,
        recordedDecision.options.join(' '),
        replayedDecision.options.join(' '),
      );
    }
    if (replayedDecision.values.length !== recordedDecision.values.length) {
      return differs(
        `${decision}: the number of values is`,
        recordedDecision.values.length,
        replayedDecision.values.length,
      );
    }
    for (const [i, value] of replayedDecision.values.entries()) {
      const stored = recordedDecision.values[i] ?? null;
      if (!isSame(value, stored))
        return differs(
          `the ${replayedDecision.measure} of ${replayedDecision.options[i]}, ${decision}, is`,
          stored,
          value,
        );
    }
    if (replayedDecision.chosen !== recordedDecision.chosen) {
      return differs(
        `${decision} chose`,
        recordedDecision.options[recordedDecision.chosen] ?? recordedDecision.chosen,
        replayedDecision.options[replayedDecision.chosen] ?? replayedDecision.chosen,
      );
    }
  }
  return replayed.length === recorded.length
    ? null
    : differs('the number of questions is', recorded.length, replayed.length);
}

/** To the last bit, except for the sign of zero, which JSON does not keep. */
function isSame(a: number | null, b: number | null): boolean {
  return a === null || b === null ? a === b : Object.is(a + 0, b + 0);
}

function differs(
  subject: string,
  recorded: string | number | null,
  replayed: string | number | null,
): string {
  return `${subject} ${recorded} in the journal but ${replayed} in the replay`;
}
