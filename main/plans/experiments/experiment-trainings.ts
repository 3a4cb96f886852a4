import type { TrainingView } from '../../../preload/contract/index';
import { orThrow } from '../../base/index';
import {
  type ExperimentRecord,
  isSettled,
  type Member,
  trainingRequestOf,
} from '../logic/experiments/experiment-record';
import type { TrainingPlans, TrainingStepChange } from '../training-steps';
import type { ExperimentStore } from './experiment-store';
import { elapsedSeconds, readOutcome, type Trainings } from './training-results';

/** An experiment as a plan of training steps: its members, whose ids are their indices. */
export function experimentTrainings(deps: {
  readonly store: ExperimentStore;
  readonly trainings: Trainings;
  readonly clock: { readonly now: () => number };
}): TrainingPlans {
  const { store, trainings, clock } = deps;

  const stateAfter = (change: TrainingStepChange): Partial<Member> => {
    switch (change.kind) {
      case 'begun':
        return { trainingId: change.training.id, attempts: 1, state: { kind: 'begun' } };
      case 'resumed':
        return { state: { kind: 'begun' } };
      case 'halted':
        return { state: { kind: 'halted' } };
      case 'done':
        return { state: { kind: 'done', seconds: elapsedSeconds(change.training, clock.now()) } };
      case 'failed': {
        const hint = change.cause === 'stopped' ? ' Resume the experiment to continue it.' : '';
        return { state: { kind: 'failed', message: `${change.refusal.message}${hint}` } };
      }
      case 'forgotten':
        return { trainingId: null, attempts: 0, state: { kind: 'planned' } };
    }
  };

  return {
    open: (id) => {
      const record = store.get(id);
      if (record === null) return null;
      const steps = record.members.flatMap((member, at) => {
        const row = record.order.rows.find(({ label }) => label === member.label);
        if (row === undefined || isSettled(member)) return [];
        const request = trainingRequestOf(record.order, row, member.seed);
        return [{ id: String(at), record: { ...member, shared: false }, request }];
      });
      return { paused: record.paused, steps };
    },
    origin: (experimentId) => ({ experimentId }),
    existing: (id, { request }, all) => {
      const known = new Set(store.get(id)?.members.map(({ trainingId }) => trainingId));
      const training = all.find(
        (other) => other.experimentId === id && other.name === request.name && !known.has(other.id),
      );
      return training === undefined ? null : { training, own: true };
    },
    note: async (id, stepId, change) => {
      const next = (record: ExperimentRecord): ExperimentRecord => {
        const members = record.members.map((member, at): Member => {
          if (String(at) !== stepId) return member;
          const attempts = change.kind === 'resumed' ? member.attempts + 1 : member.attempts;
          return { ...member, attempts, ...stateAfter(change) };
        });
        const endedAt = members.every(isSettled) ? new Date(clock.now()).toISOString() : null;
        return { ...record, members, endedAt };
      };
      orThrow(await store.change(id, next));
    },
    collect: async (id, stepId, training: TrainingView) => {
      const outcome = await readOutcome(trainings, training.id);
      return outcome.ok ? store.writeOutcome(id, Number(stepId), outcome.value) : outcome;
    },
  };
}
