import { ok } from '../../base';
import type { Machine } from '../../machines';
import { parseStepRollouts, stepRolloutsScript } from '../logic/watch/step-rollouts';
import type { WatchSource } from './watch-source';

/** Above any step of a training. */
const LAST_STEP = 999_999_999;

/** Rollouts that another trainer writes, a file for each step: read only on request. */
export function stepRollouts(machine: Machine, folder: string, policyId: string): WatchSource {
  return {
    read: async () => ok({ bytes: 0, isBehind: false }),
    stage: () => null,
    steps: () => null,
    rollouts: async ({ agentId = policyId, upToStep = LAST_STEP, limit }) => {
      if (agentId !== policyId) return ok([]);
      const listed = await machine.run(stepRolloutsScript({ folder, upToStep, limit }));
      return listed.ok ? ok(parseStepRollouts(listed.value.stdout, policyId)) : listed;
    },
  };
}
