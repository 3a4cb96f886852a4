import type { TrainingCheckpoint, TrainingSpec } from '../../../../preload/contract';
import type { AlarmFacts } from './alarms';
import type { CurveBook } from './curve-book';

/** Least number of updates of an agent. An agent that none is known of has made none, unless others train for it. */
export function leastStep(book: CurveBook, spec: TrainingSpec, agentIds: readonly string[]): number {
  const updates = book.updates();
  const isEachTrained = spec.kind === 'pocket' || (spec.kind === 'marti' && spec.preset === 'multi');
  const counts = isEachTrained ? agentIds.map((id) => updates.get(id) ?? 0) : [...updates.values()];
  return counts.length === 0 ? 0 : Math.min(...counts);
}

/** The newest step of each agent, in the counting of checkpoints: of MARTI the global one. */
export function newestSteps(book: CurveBook): ReadonlyMap<string | null, number> {
  const steps = new Map<string | null, number>();
  for (const { agentId, part, trend } of book.trends())
    if (part === 'train') steps.set(agentId, Math.max(steps.get(agentId) ?? 0, trend.lastStep));
  return steps;
}

/**
 * How fast points come, by the machine's clock. A log's times count from its begin: there the newest point is as old
 * as `arrivedMs`, the time at which it was read.
 */
export function paceOf(book: CurveBook, arrivedMs: number | null): AlarmFacts['pace'] {
  const written = book.timeLines('metrics');
  const lines = written.length > 0 ? written : book.timeLines('log');
  const lastOf = (line: (typeof lines)[number]): number => line.span?.last ?? Number.NEGATIVE_INFINITY;
  const newest = lines.toSorted((a, b) => lastOf(b) - lastOf(a))[0];
  if (newest === undefined) return null;
  const lastMs = written.length > 0 ? lastOf(newest) : arrivedMs;
  return lastMs === null ? null : { lastMs, gaps: newest.gaps };
}

/** What each agent would lose, and what one checkpoint of every agent weighs. */
export function checkpointFacts(
  steps: ReadonlyMap<string | null, number>,
  found: readonly TrainingCheckpoint[],
): Omit<AlarmFacts['checkpoints'], 'every'> {
  const newest = new Map<string | null, number>();
  for (const { agentId, step } of found) newest.set(agentId, Math.max(newest.get(agentId) ?? 0, step));
  const round = found.filter(({ agentId, step }) => newest.get(agentId) === step);
  return {
    agents: [...steps].map(([agentId, step]) => ({ agentId, step, newest: newest.get(agentId) ?? null })),
    roundBytes: round.length === 0 ? null : round.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0),
  };
}
