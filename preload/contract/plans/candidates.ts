import type { SearchOptions } from '../strategy';

/**
 * Candidates of one run: its trees and its independent samples. `problemIds` may be a mere length. `limits`: the
 * most samples that each agent has for a problem (a recording ends); agents without an entry have no limit.
 */
export function candidateCount(
  run: {
    readonly team: { readonly agents: { readonly length: number } };
    readonly problemIds: { readonly length: number };
    readonly search: Pick<SearchOptions, 'nodes' | 'samplesPerAgent'>;
  },
  limits: readonly number[] = [],
): number {
  const { nodes, samplesPerAgent } = run.search;
  const ends = Array.from(
    { length: run.team.agents.length },
    (_, at) => limits[at] ?? Number.POSITIVE_INFINITY,
  );
  const tree = Math.min(
    nodes,
    ends.reduce((sum, end) => sum + end, 0),
  );
  const samples = ends.reduce((sum, end) => sum + Math.min(samplesPerAgent, end), 0);
  return run.problemIds.length * (tree + samples);
}
