import type { Refusal, TrainingView } from '../../preload/contract/index';
import type { Result } from '../base/index';
import type { CliOptions } from './cli-options';
import { foundById } from './found-by-id';
import { ask, EXIT, type Host, sayRefusal } from './study-command';

const TRAININGS = { noun: 'training', list: 'train list' };

/** After a look at the jobs: what ended while nobody was there has ended. */
export async function trainings(workbench: Host): Promise<Result<TrainingView[], Refusal>> {
  const looked = await ask(workbench, 'job.look', {});
  return looked.ok ? ask(workbench, 'training.list', {}) : looked;
}

export async function viewOf(workbench: Host, id: string): Promise<Result<TrainingView, Refusal>> {
  return foundById(await ask(workbench, 'training.list', {}), id, TRAININGS);
}

export async function findTraining(workbench: Host, id: string): Promise<Result<TrainingView, Refusal>> {
  return foundById(await trainings(workbench), id, TRAININGS);
}

export async function withFound(
  workbench: Host,
  options: CliOptions,
  work: (view: TrainingView) => Promise<number>,
): Promise<number> {
  const found = await findTraining(workbench, options.word(1, 'The training'));
  return found.ok ? work(found.value) : sayRefusal(found.error);
}

export function printJson(value: unknown): number {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  return EXIT.done;
}
