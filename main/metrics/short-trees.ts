import type { ConfigurationRow } from '../../preload/contract';
import type { ConfigurationMetrics } from './configuration-metrics';

/** The nodes of its longest tree, where a recording has fewer answers to every problem than trees may have nodes. */
export function shortTrees({
  runs,
  trees,
}: Pick<ConfigurationMetrics, 'runs' | 'trees'>): Pick<ConfigurationRow, 'longestTree'> {
  const { team, search } = runs[0].config;
  if (trees.length === 0 || !team.servers.every(({ kind }) => kind === 'recorded')) return {};
  const longestTree = Math.max(...trees.flat().map(({ series }) => series.candidates + series.faults));
  return longestTree >= search.nodes || search.stopWhenSolved ? {} : { longestTree };
}
