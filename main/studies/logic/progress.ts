import {
  candidateCount,
  type Progress,
  type RunView,
  type Study,
  treeKey,
} from '../../../preload/contract/index';

/** Below this share of the work an estimate is too noisy. */
const ENOUGH_TO_ESTIMATE = 0.02;

/**
 * `elapsedMs` counts work only. `session`: where this session began, so that earlier work does not inflate the rate.
 * Generating a candidate and grading it on the private tests count as equal work.
 */
export function progressOf(
  study: Study,
  views: ReadonlyMap<string, RunView>,
  elapsedMs: number,
  session: { readonly startedWork: number; readonly elapsedMs: number } | null,
): Progress {
  let nodesDone = 0;
  let gradedDone = 0;
  let problemsDone = 0;
  let problemsTotal = 0;
  let nodesTotal = 0;
  for (const run of study.runs) {
    const view = views.get(run.id);
    problemsTotal += run.problemIds.length;
    let planned = candidateCount(run);
    for (const problemId of run.problemIds) {
      const parts = [view?.trees.get(treeKey(problemId, 'search'))];
      if (run.search.samplesPerAgent > 0) parts.push(view?.trees.get(treeKey(problemId, 'samples')));
      for (const tree of parts) {
        if (tree === undefined) continue;
        nodesDone += tree.nodes.length;
        gradedDone += tree.graded;
        // Solved, out of tokens, or a recording without more samples: the missing nodes will never come.
        if (tree.searched !== null && tree.searched !== 'budget') {
          const budget =
            tree.part === 'search' ? run.search.nodes : run.search.samplesPerAgent * run.team.agents.length;
          planned -= budget - tree.nodes.length;
        }
      }
      if (
        parts.every(
          (tree) => tree !== undefined && tree.searched !== null && tree.graded === tree.nodes.length,
        )
      ) {
        problemsDone += 1;
      }
    }
    nodesTotal += planned;
  }
  let remainingMs: number | null = null;
  if (session !== null) {
    const made = nodesDone + gradedDone - session.startedWork;
    if (made > 2 * nodesTotal * ENOUGH_TO_ESTIMATE) {
      remainingMs = Math.round((session.elapsedMs / made) * (2 * nodesTotal - nodesDone - gradedDone));
    }
  }
  return { nodesDone, nodesTotal, gradedDone, problemsDone, problemsTotal, elapsedMs, remainingMs };
}
