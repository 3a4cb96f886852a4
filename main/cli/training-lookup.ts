import type { Refusal, TrainingView } from '../../preload/contract/index';
import { failed, findById, type Result } from '../base/index';
import type { CliOptions } from './cli-options';
import type { Action } from './grammar';
import { ask, type Host } from './host';
import { itemCommand } from './item-command';

const TRAININGS = {
  noun: 'training',
  list: 'mars2 trainings list',
  nameOf: ({ name }: TrainingView) => name,
};

/** Probes the jobs first, so that a training whose job has ended meanwhile is shown as ended. */
export async function listTrainings(workbench: Host): Promise<Result<TrainingView[], Refusal>> {
  const probed = await ask(workbench, 'job.probe', {});
  return probed.ok ? ask(workbench, 'training.list', {}) : probed;
}

export async function trainingView(workbench: Host, id: string): Promise<Result<TrainingView, Refusal>> {
  return findById(await ask(workbench, 'training.list', {}), id, TRAININGS);
}

export async function findTraining(workbench: Host, id: string): Promise<Result<TrainingView, Refusal>> {
  const found = findById(await listTrainings(workbench), id, TRAININGS);
  if (found.ok || found.error.code !== 'not-found') return found;
  const trash = await ask(workbench, 'training.trash', {});
  const removed = trash.ok ? trash.value.find(({ trainingId }) => trainingId.startsWith(id)) : undefined;
  if (removed === undefined) return found;
  return failed({
    code: 'not-found',
    message: `The training "${removed.name}" was removed: it is in the trash.`,
    hint: `Bring it back with: mars2 trainings restore ${removed.trainingId}`,
  });
}

/** A command about one training, its first argument. */
export function onTraining(
  run: (workbench: Host, view: TrainingView, options: CliOptions) => Promise<number>,
): Action {
  return itemCommand('The training', findTraining, run);
}
