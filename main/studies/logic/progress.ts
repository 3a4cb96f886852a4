import {
  candidateCount,
  type Progress,
  type Recording,
  type RunConfig,
  type RunView,
  type SearchOptions,
  type Study,
  treeKey,
} from '../../../preload/contract/index';

/** Below this share of the work an estimate is too noisy. */
const ENOUGH_TO_ESTIMATE = 0.02;

/**
 * `elapsedMs` counts work only. `session`: where this session began, so that earlier work does not inflate the rate.
 * Generating a candidate and grading it on the private tests count as equal work. `recordings`: those that are known,
 * whose samples end before the budget may.
 */
export function progressOf(
  study: Study,
  views: ReadonlyMap<string, RunView>,
  elapsedMs: number,
  session: { readonly startedWork: number; readonly elapsedMs: number } | null,
  recordings: readonly Pick<Recording, 'id' | 'mostSamples' | 'refinements'>[] = [],
): Progress {
  let nodesDone = 0;
  let gradedDone = 0;
  let problemsDone = 0;
  let problemsTotal = 0;
  let nodesTotal = 0;
  for (const run of study.runs) {
    const view = views.get(run.id);
    problemsTotal += run.problemIds.length;
    const limits = sampleLimits(run, recordings);
    const perProblem = (search: Pick<SearchOptions, 'nodes' | 'samplesPerAgent'>): number =>
      candidateCount({ team: run.team, search, problemIds: { length: 1 } }, limits);
    let planned = candidateCount(run, limits);
    for (const problemId of run.problemIds) {
      const parts = [view?.trees.get(treeKey(problemId, 'search'))];
      if (run.search.samplesPerAgent > 0) parts.push(view?.trees.get(treeKey(problemId, 'samples')));
      for (const tree of parts) {
        if (tree === undefined) continue;
        nodesDone += tree.nodes.length;
        gradedDone += tree.graded;
        // Solved, out of tokens, or a recording without more samples: the missing nodes will never come.
        if (tree.searched !== null && tree.searched !== 'budget') {
          const { nodes, samplesPerAgent } = run.search;
          const budget =
            tree.part === 'search'
              ? perProblem({ nodes, samplesPerAgent: 0 })
              : perProblem({ nodes: 0, samplesPerAgent });
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

/** The most samples of a problem that each agent has: a recording ends, unless it has refinements of what is found. */
function sampleLimits(
  { team }: RunConfig,
  recordings: readonly Pick<Recording, 'id' | 'mostSamples' | 'refinements'>[],
): number[] {
  return team.agents.map(({ serverId }) => {
    const server = team.servers.find(({ id }) => id === serverId);
    const recording =
      server?.kind === 'recorded' ? recordings.find(({ id }) => id === server.recordingId) : undefined;
    return recording === undefined || recording.refinements > 0
      ? Number.POSITIVE_INFINITY
      : recording.mostSamples;
  });
}
