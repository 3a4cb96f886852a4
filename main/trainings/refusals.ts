import type { Refusal } from '../../preload/contract';
import type { TrainingRecord } from './logic/training-record';

export function noTraining(id: string): Refusal {
  return { code: 'not-found', message: `There is no training "${id}".` };
}

export function onlyWatched({ order }: TrainingRecord, done: string): Refusal {
  const message = `"${order.name}" was started by others and is only watched, so it cannot be ${done} here.`;
  return {
    ...conflict(message),
    hint: 'Remove it from the list to end the watching; its files stay as they are.',
  };
}

export function conflict(message: string): Refusal {
  return { code: 'conflict', message };
}
