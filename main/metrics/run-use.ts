import type { RunView } from '../../preload/contract';
import { gpuHoursOf, moneyOf, type Prices, ratesOf } from './costs';

/** Resources that runs used, over all their trees and samples, finished or not. */
export type RunUse = {
  readonly candidates: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Added up over candidates. */
  readonly generateMs: number;
  readonly gradeMs: number;
  /** null: not requested, or partly unknown. */
  readonly gpuHours: number | null;
  readonly money: { readonly amount: number; readonly currency: string } | null;
};

export function useOf(runs: readonly RunView[], prices: Prices | null): RunUse {
  const use = { candidates: 0, promptTokens: 0, completionTokens: 0, generateMs: 0, gradeMs: 0 };
  let [gpuHours, money] = [0, 0];
  for (const run of runs) {
    const rates = prices === null ? null : ratesOf(run.config, prices);
    for (const tree of run.trees.values()) {
      for (const node of tree.nodes) {
        use.candidates += 1;
        use.promptTokens += node.promptTokens;
        use.completionTokens += node.completionTokens;
        use.generateMs += node.generateMs;
        use.gradeMs += node.gradeMs;
        if (rates === null) continue;
        gpuHours += gpuHoursOf(node, rates);
        money += moneyOf(node, rates);
      }
    }
  }
  if (prices === null) return { ...use, gpuHours: null, money: null };
  return {
    ...use,
    gpuHours: Number.isNaN(gpuHours) ? null : gpuHours,
    money: Number.isNaN(money) ? null : { amount: money, currency: prices.currency },
  };
}
