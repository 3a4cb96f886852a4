import type { Refusal } from '../../preload/contract';
import { isOwnTraining } from '../../preload/contract/plans';
import { failed, ok, type Result } from '../base';
import type { RetryGate } from '../jobs';
import type { AsyncResult, Machine } from '../machines';
import { TRAINING_NOTE } from './launch-trainings';
import {
  mayStartOver,
  neverRestartedReason,
  parseProgress,
  progressScript,
  restartDecision,
  type SavedProgress,
} from './logic/restart';
import { trainingAgents } from './logic/titles';
import { trainingPaths } from './logic/training-paths';
import type { TrainingRecord } from './logic/training-record';

/** A disk that takes longer to list its checkpoints answers no sooner when it is asked again. */
const TIMEOUT_MS = 60_000;

/** Decides whether a training whose job ended is started again by itself, from what it has saved on its machine. */
export type Restarts = {
  readonly gate: RetryGate;
  /** A person starts it: notes what there is to continue from. Without an answer it goes by what was noted before. */
  readonly noteStart: (record: TrainingRecord, attempt: number) => Promise<void>;
};

export function createRestarts(deps: {
  readonly machines: { readonly get: (id: string) => Result<Machine, Refusal> };
  readonly recordOf: (id: string) => TrainingRecord | null;
  /** Its folder on its machine. */
  readonly folderOf: (id: string) => string;
  readonly save: (
    id: string,
    startedFrom: NonNullable<TrainingRecord['startedFrom']>,
  ) => Promise<Result<unknown, Refusal>>;
}): Restarts {
  const read = async (record: TrainingRecord): AsyncResult<SavedProgress> => {
    const machine = deps.machines.get(record.order.machineId);
    if (!machine.ok) return machine;
    const folder = deps.folderOf(record.id);
    const { checkpoints } = trainingPaths(record, { folder, log: null });
    // Our own trainer continues from the state that it saves; its checkpoints are for others.
    const isOwn = isOwnTraining(record.order.spec);
    const script = progressScript(checkpoints, isOwn ? folder : null);
    const answer = await machine.value.run(script, { timeoutMs: TIMEOUT_MS });
    if (!answer.ok) return answer;
    const agentIds = trainingAgents(record.order.spec).map(({ id }) => id);
    const progress = parseProgress(answer.value.stdout, checkpoints, agentIds);
    if (progress === null)
      return failed({ code: 'unavailable', message: 'its machine did not list its checkpoints.' });
    return ok(isOwn ? { ...progress, steps: {} } : progress);
  };

  return {
    gate: async (job, exitCode) => {
      const record = deps.recordOf(job.spec.notes[TRAINING_NOTE] ?? '');
      if (record === null)
        return ok({ isAllowed: false, why: 'It is not restarted: its training was removed.' });
      const never = neverRestartedReason(record);
      if (never !== null) return ok({ isAllowed: false, why: never });
      const attempt = job.view.attempts + 1;
      const before = record.startedFrom ?? null;
      // Allowed already, and the workbench ended before that was noted in the job.
      if (before?.attempt === attempt) return ok({ isAllowed: true, why: 'from its newest checkpoint' });
      const now = await read(record);
      if (!now.ok) {
        if (now.error.code === 'unreachable') return now;
        return ok({ isAllowed: false, why: `It is not restarted by itself: ${now.error.message}` });
      }
      const answer = restartDecision(before, now.value);
      if (!answer.isAllowed && !mayStartOver(record, exitCode)) return ok(answer);
      const inVain = answer.isAllowed ? 0 : (before?.inVain ?? 0) + 1;
      const saved = await deps.save(record.id, { attempt, ...now.value, inVain });
      if (!saved.ok) return saved;
      return ok(
        answer.isAllowed
          ? answer
          : { isAllowed: true, why: 'as its plan needs it, though it has saved nothing newer' },
      );
    },
    noteStart: async (record, attempt) => {
      if (neverRestartedReason(record) !== null) return;
      const now = await read(record);
      if (now.ok) await deps.save(record.id, { attempt, ...now.value });
    },
  };
}
