import type { ProgramGraded, ProgramKey, RegradeStarted } from '../regrade';
import type { RunConfig } from '../run';
import type { NodeGraded } from '../run-events';
import { foldRun, type NodeView, type RunView } from './run-view';

/** What is needed of a re-grade. */
export type RegradeLookup = {
  readonly started: Pick<RegradeStarted, 'grading'>;
  /** undefined: it has no verdict of this program. */
  readonly gradeOf: (key: ProgramKey) => ProgramGraded | undefined;
};

/** The program of a node in a re-grade; null: it has none, so that every grading says the same. */
export function programKeyOf(
  config: Pick<RunConfig, 'benchmarkId' | 'search'>,
  problemId: string,
  { programDigest }: Pick<NodeView, 'programDigest'>,
  { started }: Pick<RegradeLookup, 'started'>,
): ProgramKey | null {
  if (programDigest === null) return null;
  const grading = started.grading ?? config.search.grading;
  return { benchmarkId: config.benchmarkId, problemId, programDigest, grading };
}

/**
 * The private verdicts of a re-grade as events of the run, in the order of its trees: folded behind the journal's own, they
 * count in their place. `missing`: nodes that the run has graded and the re-grade has not.
 */
export function regradedEvents(
  view: RunView,
  lookup: RegradeLookup,
): { readonly events: readonly NodeGraded[]; readonly missing: number } {
  const events: NodeGraded[] = [];
  let missing = 0;
  for (const { problemId, part, nodes } of view.trees.values()) {
    for (const node of nodes) {
      if (node.privateVerdict === null) continue;
      const key = programKeyOf(view.config, problemId, node, lookup);
      if (key === null) continue;
      const graded = lookup.gradeOf(key);
      if (graded === undefined) {
        missing += 1;
        continue;
      }
      const { at, privateVerdict, privateVerdicts, missingPackage, otherVerdict } = graded;
      events.push({
        kind: 'node-graded',
        ...{ at, problemId, part, index: node.index, privateVerdict, privateVerdicts },
        ...(missingPackage === undefined ? {} : { missingPackage }),
        ...(otherVerdict === undefined ? {} : { otherVerdict }),
      });
    }
  }
  return { events, missing };
}

/** The run with the private verdicts of a re-grade; the search, and the scores that it was given, stay as they are. */
export function regradedRun(
  view: RunView,
  lookup: RegradeLookup,
): { readonly view: RunView; readonly missing: number } {
  const { events, missing } = regradedEvents(view, lookup);
  return { view: foldRun(view, events) ?? view, missing };
}
