import type { SearchOptions } from '../strategy';

/** Candidates of one run: its trees and its independent samples. `problemIds` may be a mere length. */
export function candidatesOf(run: {
  readonly team: { readonly agents: { readonly length: number } };
  readonly problemIds: { readonly length: number };
  readonly search: Pick<SearchOptions, 'nodes' | 'samplesPerAgent'>;
}): number {
  const perProblem = run.search.nodes + run.search.samplesPerAgent * run.team.agents.length;
  return run.problemIds.length * perProblem;
}
