import type { Cost } from '../../preload/contract';
import type { ConfigurationMetrics } from './configuration-metrics';

/** What a configuration used, over all its trees and samples, finished or not. `priced`: with GPU-hours and money. */
export function costOf({ configuration, use, values, trees }: ConfigurationMetrics, priced: boolean): Cost {
  const { candidates, promptTokens, completionTokens, generateMs, gradeMs, gpuHours, money } = use;
  return {
    configuration,
    candidates,
    promptTokens,
    completionTokens,
    generateSeconds: generateMs / 1000,
    gradeSeconds: gradeMs / 1000,
    tokensPerSolved: tokensPerSolved(values['pass@1(mcts)'], trees),
    ...(priced ? { gpuHours, money } : {}),
  };
}

/** Of a tree per problem: tokens and solved problems are both means over the seeds. */
function tokensPerSolved(
  solved: ReadonlyMap<string, number>,
  trees: ConfigurationMetrics['trees'],
): number | null {
  const problems = [...solved.values()].reduce((sum, value) => sum + value, 0);
  if (problems === 0) return null;
  let tokens = 0;
  for (const runs of trees) for (const { use } of runs) tokens += (use.tokens.at(-1) ?? 0) / runs.length;
  return tokens / problems;
}
