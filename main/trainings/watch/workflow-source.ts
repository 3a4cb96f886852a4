import { ok } from '../../base';
import type { Machine } from '../../machines';
import type { CurveStore } from '../logic/watch/curve-store';
import { parseWorkflow, workflowScript } from '../logic/watch/workflow-rollouts';
import type { WatchSource } from './watch-source';

/** Answers that MARTI's workflow writes, one file each: read only on request. */
export function workflowSource(options: {
  readonly machine: Machine;
  readonly folder: string;
  readonly curves: CurveStore;
  readonly agentIds: readonly string[];
  readonly agentAt: (position: number | null) => string | null;
}): WatchSource {
  const { machine, folder, curves, agentIds, agentAt } = options;
  return {
    read: async () => ok({ bytes: 0, isBehind: false }),
    stage: () => null,
    steps: () => null,
    rollouts: async ({ agentId, upToStep, limit }) => {
      const lines = curves.timeLines('metrics');
      // The step times of the first agent: global steps are the same for all agents.
      const line = lines[0];
      const until = upToStep === undefined || line === undefined ? null : line.at(upToStep);
      const beforeSeconds = until === null || Number.isNaN(until) ? null : Math.floor(until / 1_000);
      const position = agentId === undefined ? -1 : agentIds.indexOf(agentId);
      const script = workflowScript({
        folder,
        agent: position === -1 ? null : position,
        beforeSeconds,
        limit,
      });
      const result = await machine.run(script);
      if (!result.ok) return result;
      // An answer written after a step belongs to the next one.
      const stepAt = (ms: number): number => (line?.stepBefore(ms) ?? 0) + 1;
      return ok(parseWorkflow(result.value.stdout, (at) => agentAt(at) ?? String(at), stepAt));
    },
  };
}
