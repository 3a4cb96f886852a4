import type { Refusal } from '../../preload/contract';
import type { TrainingRecord } from './logic/training-record';

export function noTraining(id: string): Refusal {
  return { code: 'not-found', message: `There is no training "${id}".` };
}

export function inTrash({ id, order }: TrainingRecord): Refusal {
  return {
    code: 'not-found',
    message: `The training "${order.name}" was removed: it is in the trash.`,
    hint: `Bring it back under Training > Trash, or with: mars2 trainings restore ${id}`,
  };
}

export function watchedElsewhere({ order }: TrainingRecord, done: string): Refusal {
  const message = `"${order.name}" was started by others and is only watched, so it cannot be ${done} here.`;
  return {
    ...conflict(message),
    hint: 'Remove it from the list to end the watching; its files stay as they are.',
  };
}

export function conflict(message: string): Refusal {
  return { code: 'conflict', message };
}
