import { ok } from '../../base';
import type { Machine } from '../../machines';
import type { CurveBook } from '../logic/watch/curve-book';
import { parseWorkflow, workflowScript } from '../logic/watch/workflow-rollouts';
import type { WatchedPart } from './watched-part';

/** Answers that MARTI's workflow writes, a file each: nothing is read of them until somebody asks. */
export function workflowPart(options: {
  readonly machine: Machine;
  readonly folder: string;
  readonly book: CurveBook;
  readonly agentIds: readonly string[];
  readonly agentAt: (position: number | null) => string | null;
}): WatchedPart {
  const { machine, folder, book, agentIds, agentAt } = options;
  return {
    read: async () => ok({ bytes: 0, isBehind: false }),
    stage: () => null,
    steps: () => null,
    rollouts: async ({ agentId, upToStep, limit }) => {
      const lines = book.timeLines('metrics');
      // The times of the first agent's steps: all agents' global steps are the same.
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
      const told = await machine.run(script);
      if (!told.ok) return told;
      // What is written after a step is a sample of the next one.
      const stepAt = (ms: number): number => (line?.stepBefore(ms) ?? 0) + 1;
      return ok(parseWorkflow(told.value.stdout, (at) => agentAt(at) ?? String(at), stepAt));
    },
  };
}
