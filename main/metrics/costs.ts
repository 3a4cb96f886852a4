import type { Cost, NodeView, RunConfig, ServerSpec } from '../../preload/contract';
import type { ConfigurationMetrics } from './configuration-metrics';
import type { RunUse } from './run-use';
import { seedSpreads } from './seed-spread';

/** Prices of GPU time and of tokens, and the GPUs of each server. */
export type Prices = {
  /** GPUs of the lab's own that a server runs on; 0: none; null: not known. */
  readonly gpusOf: (server: ServerSpec) => number | null;
  readonly currency: string;
  /** null: not set. */
  readonly perGpuHour: number | null;
  readonly perMillionTokens: number | null;
};

/** The cost of a node by one agent; null: not known. */
type Rate = {
  readonly gpuHoursPerMs: number | null;
  readonly moneyPerMs: number | null;
  readonly moneyPerToken: number | null;
};
export type Rates = ReadonlyMap<string, Rate>;

const MS_PER_HOUR = 3_600_000;

/**
 * By agent id. For a server with m parallel requests on g GPUs, a request of t milliseconds counts as g * t / m of GPU
 * time. This is the server's whole GPU time if it is always full, else less. With GPUs, GPU-hours are paid, of an external
 * server tokens, and nothing for own servers without GPUs: pocket policies, recordings, launches on the processor.
 */
export function ratesOf({ team }: RunConfig, prices: Prices): Rates {
  return new Map(
    team.agents.map(({ id, serverId }): [string, Rate] => {
      const server = team.servers.find((server) => server.id === serverId);
      const gpus = server === undefined ? null : prices.gpusOf(server);
      if (server === undefined || gpus === null) {
        return [id, { gpuHoursPerMs: null, moneyPerMs: null, moneyPerToken: null }];
      }
      const gpuHoursPerMs = gpus / server.maxInFlight / MS_PER_HOUR;
      if (gpus === 0) {
        const { perMillionTokens } = prices;
        const paid = server.kind === 'url' ? 1e-6 : 0;
        const moneyPerToken = perMillionTokens === null ? null : perMillionTokens * paid;
        return [id, { gpuHoursPerMs, moneyPerMs: 0, moneyPerToken }];
      }
      const moneyPerMs = prices.perGpuHour === null ? null : prices.perGpuHour * gpuHoursPerMs;
      return [id, { gpuHoursPerMs, moneyPerMs, moneyPerToken: 0 }];
    }),
  );
}

type NodeUse = Pick<NodeView, 'agentId' | 'generateMs' | 'promptTokens' | 'completionTokens'>;

/** NaN where it is not known. */
export function gpuHoursOf(node: NodeUse, rates: Rates): number {
  const rate = rates.get(node.agentId)?.gpuHoursPerMs ?? null;
  return rate === null ? Number.NaN : rate * node.generateMs;
}

/** In the currency of the prices; NaN where it is not known. */
export function moneyOf(node: NodeUse, rates: Rates): number {
  const rate = rates.get(node.agentId);
  if (rate === undefined || rate.moneyPerMs === null || rate.moneyPerToken === null) return Number.NaN;
  return rate.moneyPerMs * node.generateMs + rate.moneyPerToken * (node.promptTokens + node.completionTokens);
}

/**
 * Resources that a configuration used, over all its trees and samples, finished or not. `priced`: with GPU-hours and
 * money.
 */
export function costOf(
  { configuration, use, useBySeed, values, trees }: ConfigurationMetrics,
  priced: boolean,
): Cost {
  const bySeed = useBySeed.map((own, seed) => ({
    ...amountsOf(own),
    gpuHours: own.gpuHours,
    money: own.money?.amount ?? null,
    tokensPerSolved: tokensPerSolved(
      trees.map((runs) => runs[seed]?.series.chosen.at(-1) ?? 0),
      trees.map((runs) => runs[seed]?.use.tokens.at(-1) ?? 0),
    ),
  }));
  return {
    configuration,
    ...amountsOf(use),
    // For one tree per problem: both are means over the seeds.
    tokensPerSolved: tokensPerSolved(
      values['pass@1(mcts)'].values(),
      trees.flatMap((runs) => runs.map(({ use }) => (use.tokens.at(-1) ?? 0) / runs.length)),
    ),
    ...(priced ? { gpuHours: use.gpuHours, money: use.money } : {}),
    ...seedSpreads(bySeed, [
      ...AMOUNTS,
      'tokensPerSolved',
      ...(priced ? (['gpuHours', 'money'] as const) : []),
    ]),
  };
}

const AMOUNTS = [
  'candidates',
  'promptTokens',
  'completionTokens',
  'generateSeconds',
  'gradeSeconds',
] as const;

function amountsOf(use: RunUse): Record<(typeof AMOUNTS)[number], number> {
  const { candidates, promptTokens, completionTokens, generateMs, gradeMs } = use;
  return {
    candidates,
    promptTokens,
    completionTokens,
    generateSeconds: generateMs / 1000,
    gradeSeconds: gradeMs / 1000,
  };
}

/** null: nothing is solved. */
function tokensPerSolved(solved: Iterable<number>, tokens: readonly number[]): number | null {
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const trees = sum([...solved]);
  return trees === 0 ? null : sum(tokens) / trees;
}
