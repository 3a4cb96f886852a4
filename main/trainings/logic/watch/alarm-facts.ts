import type { TrainingCheckpoint, TrainingSpec } from '../../../../preload/contract';
import { isOwnTraining } from '../../../../preload/contract/plans';
import type { AlarmFacts } from './alarms';
import type { CurveStore } from './curve-store';

/** The smallest number of updates of any agent. An agent without updates has made none, unless agents share one model. */
export function leastStep(curves: CurveStore, spec: TrainingSpec, agentIds: readonly string[]): number {
  const updates = curves.updates();
  const isEachTrained = isOwnTraining(spec) || (spec.kind === 'marti' && spec.preset === 'multi');
  const counts = isEachTrained ? agentIds.map((id) => updates.get(id) ?? 0) : [...updates.values()];
  return counts.length === 0 ? 0 : Math.min(...counts);
}

/** The newest step of each agent, counted as checkpoints are: for MARTI the global step. */
export function newestSteps(curves: CurveStore): ReadonlyMap<string | null, number> {
  const steps = new Map<string | null, number>();
  for (const { agentId, part, trend } of curves.trends())
    if (part === 'train') steps.set(agentId, Math.max(steps.get(agentId) ?? 0, trend.lastStep));
  return steps;
}

/**
 * How often points arrive, by the machine's clock. A log's times count from its start: there the newest point is as old
 * as `arrivedMs`, the time it was read.
 */
export function arrivalsOf(curves: CurveStore, arrivedMs: number | null): AlarmFacts['arrivals'] {
  const written = curves.timeLines('metrics');
  const lines = written.length > 0 ? written : curves.timeLines('log');
  const lastOf = (line: (typeof lines)[number]): number => line.span?.last ?? Number.NEGATIVE_INFINITY;
  const newest = lines.toSorted((a, b) => lastOf(b) - lastOf(a))[0];
  if (newest === undefined) return null;
  const lastMs = written.length > 0 ? lastOf(newest) : arrivedMs;
  return lastMs === null ? null : { lastMs, gaps: newest.gaps };
}

/** The newest checkpoint of each agent, and the total size of one checkpoint per agent. */
export function checkpointFacts(
  steps: ReadonlyMap<string | null, number>,
  checkpoints: readonly TrainingCheckpoint[],
): Omit<AlarmFacts['checkpoints'], 'every'> {
  const newest = new Map<string | null, number>();
  for (const { agentId, step } of checkpoints) newest.set(agentId, Math.max(newest.get(agentId) ?? 0, step));
  const round = checkpoints.filter(({ agentId, step }) => newest.get(agentId) === step);
  return {
    agents: [...steps].map(([agentId, step]) => ({ agentId, step, newest: newest.get(agentId) ?? null })),
    roundBytes: round.length === 0 ? null : round.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0),
  };
}
