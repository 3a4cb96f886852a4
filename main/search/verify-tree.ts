import type { Decision, NodeAdded, RunConfig, RunEvent, TreePart } from '../../preload/contract';
import { readRecordedTree, type TrialFailed } from './recorded-tree';
import { TreeCourse, type Trial } from './tree-course';

export type TreeCheck = {
  /** Nodes whose place, agent and seed were found again, and of them those whose journal tells no draws. */
  readonly nodes: number;
  readonly withoutDraws: number;
  /** Draws, bounds and scores that were found again, to the last bit. */
  readonly values: number;
  /** The first departure; `index` is the node that it concerns, or the number of nodes before a failed trial. */
  readonly mismatch: { readonly index: number; readonly what: string } | null;
};

/**
 * Replays one tree from its seed: asks every trial again in the order of the journal and compares parent, agent,
 * generation seed and everything that `why` tells. `events` are with detail; those of other trees are passed over.
 * Nodes of journals that tell no draws are checked by their place alone.
 */
export function verifyTree(options: {
  readonly config: RunConfig;
  readonly problemId: string;
  readonly part: TreePart;
  readonly events: readonly RunEvent[];
}): TreeCheck {
  const { config, problemId, part, events } = options;
  const { outcomes, searched } = readRecordedTree(events, problemId, part);
  const course = new TreeCourse(config, problemId, part);
  let nodes = 0;
  let withoutDraws = 0;
  let values = 0;
  const depart = (what: string): TreeCheck => ({
    nodes,
    withoutDraws,
    values,
    mismatch: { index: course.nodes, what },
  });
  for (const outcome of outcomes) {
    course.ask();
    const [oldest] = course.underWay;
    if (oldest === undefined || course.isSolved) {
      return depart(`the journal has trial ${outcome.trial}, where the search is at its end`);
    }
    const trial = course.expected(outcome.trial);
    if (trial === null) {
      return depart(`the journal has trial ${outcome.trial}, where the search has trial ${oldest.trial}`);
    }
    const wrong = placeMismatch(trial, outcome, course.nodes);
    if (wrong !== null) return depart(wrong);
    if (outcome.kind === 'node-added') {
      const why = outcome.detail?.why;
      if (why === undefined) withoutDraws += 1;
      else {
        const differing = whyMismatch(trial.why, why);
        if (differing !== null) return depart(`trial ${trial.trial}: ${differing}`);
        values += why.reduce((sum, decision) => sum + decision.values.length, 0);
      }
      nodes += 1;
    }
    course.tell(trial, outcome);
  }
  if (searched !== null) {
    course.ask();
    const end = course.end();
    if (end !== searched) {
      return depart(
        `the journal ends the tree as "${searched}", and the search ${end === null ? 'goes on' : `as "${end}"`}`,
      );
    }
  }
  return { nodes, withoutDraws, values, mismatch: null };
}

function placeMismatch(trial: Trial, outcome: NodeAdded | TrialFailed, index: number): string | null {
  const pairs: Array<[name: string, there: string | number | undefined, here: string | number]> = [
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
  for (const [name, there, here] of pairs) {
    if (there !== here) return differs(`trial ${trial.trial} has the ${name}`, there ?? 'none', here);
  }
  return null;
}

function whyMismatch(here: readonly Decision[], there: readonly Decision[]): string | null {
  for (const [at, mine] of here.entries()) {
    const other = there[at];
    if (other === undefined) break;
    const question = `question ${at + 1}`;
    for (const key of ['node', 'question', 'measure'] as const) {
      if (mine[key] !== other[key]) return differs(`${question} has the ${key}`, other[key], mine[key]);
    }
    const place = `"${mine.question}" at ${mine.node === -1 ? 'the root' : `node ${mine.node}`}`;
    if (mine.options.join(' ') !== other.options.join(' ')) {
      return differs(`${place} has the options`, other.options.join(' '), mine.options.join(' '));
    }
    if (mine.values.length !== other.values.length) {
      return differs(`${place} has so many values:`, other.values.length, mine.values.length);
    }
    for (const [i, value] of mine.values.entries()) {
      const stored = other.values[i] ?? null;
      if (!isSame(value, stored))
        return differs(`the ${mine.measure} of ${mine.options[i]}, ${place}, is`, stored, value);
    }
    if (mine.chosen !== other.chosen) {
      return differs(
        `${place} chose`,
        other.options[other.chosen] ?? other.chosen,
        mine.options[mine.chosen] ?? mine.chosen,
      );
    }
  }
  return here.length === there.length
    ? null
    : differs('so many questions were asked:', there.length, here.length);
}

/** To the last bit, but for the sign of zero, which JSON does not keep. */
function isSame(a: number | null, b: number | null): boolean {
  return a === null || b === null ? a === b : Object.is(a + 0, b + 0);
}

function differs(what: string, there: string | number | null, here: string | number | null): string {
  return `${what} ${there} in the journal, and ${here} when it is asked again`;
}
