import type { MethodGain, MethodStability } from '../../../preload/contract';
import { STABILITY_DRAWS, STABILITY_SHARES } from '../breakdowns';
import { gPassAtK } from '../pass-at-k';
import { seedSpread } from '../seed-spread';
import { knownMean, problemMeans, type TwoLevelBootstrap } from '../two-level-bootstrap';
import { EXPERIMENT_SEED, estimateOf } from './experiment-cells';
import { correctedPairs, pairedValues } from './experiment-pairs';
import { type TrainedRow, valuesOf } from './trained-rows';

/** Of every method with a team; Holm's correction is over all of them. Yields after every row. */
export function* gainsOf(
  rows: readonly TrainedRow[],
  bootstrap: TwoLevelBootstrap,
): Generator<void, MethodGain[]> {
  const gains: MethodGain[] = [];
  for (const row of rows) {
    const gain = gainOf(row, bootstrap);
    if (gain !== null) gains.push(gain);
    yield;
  }
  return correctedPairs(gains);
}

function gainOf(row: TrainedRow, bootstrap: TwoLevelBootstrap): MethodGain | null {
  const { agents, problems } = row;
  const found = (part: 'team' | 'agent', agent: string) =>
    valuesOf(row, { metric: 'pass@n', part, agents: [agent] }, problems);
  const team = found('team', '');
  const alone = agents.flatMap((agentId) => {
    const values = found('agent', agentId);
    return values === null ? [] : [{ agentId, values, mean: knownMean(problemMeans(values)) }];
  });
  const best = alone.toSorted((a, b) => b.mean - a.mean)[0];
  if (team === null || best === undefined) return null;
  const difference = pairedValues(team, best.values, 'pass@n', { bootstrap, seed: EXPERIMENT_SEED });
  if (difference === null) return null;
  const team01 = knownMean(problemMeans(team));
  return { label: row.row.label, bestAgent: best.agentId, team01, best01: best.mean, ...difference };
}

/** G-Pass@k of each agent's independent samples, where every problem has k of them. Yields after every row. */
export function* methodStability(
  rows: readonly TrainedRow[],
  bootstrap: TwoLevelBootstrap,
): Generator<void, MethodStability[]> {
  const all: MethodStability[] = [];
  for (const row of rows) {
    for (const agentId of row.agents) {
      const counts = countsOf(row, agentId);
      const fewest = Math.min(...counts.flat().map(({ count }) => count));
      for (const k of STABILITY_DRAWS.filter((one) => one <= fewest && Number.isFinite(fewest))) {
        for (const tau of STABILITY_SHARES) {
          const values = counts.map((own) =>
            own.map(({ count, passed }) => gPassAtK(count, passed, k, tau) ?? Number.NaN),
          );
          const estimate = estimateOf(values, 'pass@1', bootstrap);
          all.push({
            ...{ label: row.row.label, agentId, k, tau, ...estimate, seeds: values.length },
            ...seedSpread(values),
          });
        }
      }
    }
    yield;
  }
  return all;
}

/** Its first attempts by seed and problem; seeds without any are left out. */
function countsOf({ trainings, problems }: TrainedRow, agentId: string) {
  return trainings.flatMap(({ evaluation }) => {
    const alone = evaluation.teams.find(({ agentIds }) => agentIds.length === 1 && agentIds[0] === agentId);
    const byId = new Map(alone?.problems.map(({ problemId, samples }) => [problemId, samples]));
    const own = problems.map(
      (id) => byId.get(id)?.find((sample) => sample.agentId === agentId) ?? { count: 0, passed: 0 },
    );
    return own.every(({ count }) => count === 0) ? [] : [own];
  });
}
