import type { RunConfig, RunEvent, TreePart } from '../../preload/contract';
import type { BeliefShape } from './beliefs';
import { readRecordedTree } from './recorded-tree';
import { TreeCourse } from './tree-course';

/** Trials that are asked again between two pauses: some milliseconds of the slowest strategy on a wide tree. */
const TRIALS_A_STEP = 32;

/**
 * What the search believed of every option on its way to node `index`, at the moment when that node was asked for:
 * the tree is asked again from its seed up to there, so that no later score has been seen. By decision, in the order
 * of the node's `why`. null: there is no such node, or the journal does not replay. `breathe` is called between steps.
 */
export async function beliefsBehind(options: {
  readonly config: RunConfig;
  readonly problemId: string;
  readonly part: TreePart;
  /** Details are not needed; events of other trees are passed over. */
  readonly events: readonly RunEvent[];
  readonly index: number;
  readonly breathe: () => Promise<void>;
}): Promise<ReadonlyArray<ReadonlyArray<BeliefShape | null>> | null> {
  const { config, problemId, part, events, index, breathe } = options;
  const { outcomes } = readRecordedTree(events, problemId, part);
  const wanted = outcomes.find((outcome) => outcome.kind === 'node-added' && outcome.index === index);
  if (wanted === undefined) return null;
  const course = new TreeCourse(config, problemId, part);
  for (const [at, outcome] of outcomes.entries()) {
    const asked = course.ask().find(({ trial }) => trial === wanted.trial);
    if (asked !== undefined) return course.beliefs(asked);
    const trial = course.expected(outcome.trial);
    if (trial === null) return null;
    course.tell(trial, outcome);
    if (at % TRIALS_A_STEP === TRIALS_A_STEP - 1) await breathe();
  }
  return null;
}
