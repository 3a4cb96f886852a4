import { isLimitsEvent, type RunConfig, type RunEvent, type TreePart } from '../../preload/contract';
import type { PosteriorSummary } from './posteriors';
import { configAtStart, readRecordedTree } from './recorded-tree';
import { TrialScheduler } from './trial-scheduler';

/** Trials replayed between two pauses: some milliseconds of the slowest strategy on a wide tree. */
const TRIALS_PER_STEP = 32;

/**
 * The posteriors of every option on the way to node `index` at the moment when that node was asked for: the tree is
 * replayed from its seed up to there, without later scores. One list per decision, in the order of the node's `why`.
 * null: there is no such node, or the journal does not replay. `yieldToEventLoop` is called between steps.
 */
export async function posteriorsAtNode(options: {
  readonly config: RunConfig;
  readonly problemId: string;
  readonly part: TreePart;
  /** Details are not needed; events of other trees are ignored. */
  readonly events: readonly RunEvent[];
  readonly index: number;
  readonly yieldToEventLoop: () => Promise<void>;
}): Promise<ReadonlyArray<ReadonlyArray<PosteriorSummary | null>> | null> {
  const { config, problemId, part, events, index, yieldToEventLoop } = options;
  const recorded = readRecordedTree(events, problemId, part);
  const target = recorded.steps.find((outcome) => outcome.kind === 'node-added' && outcome.index === index);
  if (target?.kind !== 'node-added') return null;
  const scheduler = new TrialScheduler(configAtStart(config, recorded), problemId, part);
  for (const [at, outcome] of recorded.steps.entries()) {
    if (isLimitsEvent(outcome)) {
      scheduler.changeLimits(outcome);
      continue;
    }
    const trialOfNode = scheduler.ask().find(({ trial }) => trial === target.trial);
    if (trialOfNode !== undefined) return scheduler.posteriors(trialOfNode);
    const trial = scheduler.expected(outcome.trial);
    if (trial === null) return null;
    scheduler.tell(trial, outcome);
    if (at % TRIALS_PER_STEP === TRIALS_PER_STEP - 1) await yieldToEventLoop();
  }
  return null;
}
