import type { Refusal, TrainingView } from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import type { Given } from './given';
import { ask, EXIT, type Host, sayRefusal } from './study-command';

/** After a look at the jobs: what ended while nobody was there has ended. */
export async function trainings(workbench: Host): Promise<Result<TrainingView[], Refusal>> {
  const looked = await ask(workbench, 'job.look', {});
  return looked.ok ? ask(workbench, 'training.list', {}) : looked;
}

export async function viewOf(workbench: Host, id: string): Promise<Result<TrainingView, Refusal>> {
  const all = await ask(workbench, 'training.list', {});
  if (!all.ok) return all;
  const view = all.value.find((one) => one.id === id);
  return view === undefined ? failed(noTraining(id, 0)) : ok(view);
}

/** By its id or how it begins. */
export async function findTraining(workbench: Host, id: string): Promise<Result<TrainingView, Refusal>> {
  const all = await trainings(workbench);
  if (!all.ok) return all;
  const fitting = all.value.filter((one) => one.id.startsWith(id));
  const exact = fitting.find((one) => one.id === id) ?? (fitting.length === 1 ? fitting[0] : undefined);
  return exact === undefined ? failed(noTraining(id, fitting.length)) : ok(exact);
}

export async function withFound(
  workbench: Host,
  options: Given,
  work: (view: TrainingView) => Promise<number>,
): Promise<number> {
  const found = await findTraining(workbench, options.word(1, 'The training'));
  return found.ok ? work(found.value) : sayRefusal(found.error);
}

function noTraining(id: string, fitting: number): Refusal {
  const message =
    fitting === 0 ? `There is no training "${id}".` : `${fitting} trainings begin with "${id}".`;
  return { code: 'not-found', message, hint: 'See them with: train list' };
}

export function printJson(value: unknown): number {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  return EXIT.done;
}
