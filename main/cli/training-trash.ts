import { LOCAL_MACHINE, type Refusal, type TrainingView } from '../../preload/contract/index';
import { trainingUsers, trainingUsersText } from '../../preload/contract/plans/index';
import { findById, type Result } from '../base/index';
import type { CliOptions } from './cli-options';
import { printExhibitLosses } from './exhibit-losses';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';

export async function removeTraining(workbench: Host, view: TrainingView): Promise<number> {
  const { id, machineId, spec } = view;
  const used = await usedText(workbench, id);
  if (!used.ok) return printRefusal(used.error);
  const removed = await ask(workbench, 'training.remove', { trainingId: id });
  if (!removed.ok) return printRefusal(removed.error);
  if (spec.kind === 'watched') {
    printStatus(`${id} is no longer watched; its files stay as they are.`);
    await printExhibitLosses(workbench, { kind: 'training', id });
    return EXIT.done;
  }
  printStatus(`${id} is in the trash: mars2 trainings restore ${id} brings it back.`);
  if (machineId !== LOCAL_MACHINE) printStatus(`Its files on ${machineId} stay there.`);
  if (used.value !== null) printStatus(used.value);
  await printExhibitLosses(workbench, { kind: 'training', id });
  return EXIT.done;
}

export async function restoreTraining(workbench: Host, options: CliOptions): Promise<number> {
  const found = await inTrash(workbench, options);
  if (!found.ok) return printRefusal(found.error);
  const restored = await ask(workbench, 'training.restore', { trainingId: found.value.id });
  if (!restored.ok) return printRefusal(restored.error);
  printStatus(`${found.value.id} is back: mars2 trainings show ${found.value.id} shows it.`);
  return EXIT.done;
}

export async function deleteTraining(workbench: Host, options: CliOptions): Promise<number> {
  const found = await inTrash(workbench, options);
  if (!found.ok) return printRefusal(found.error);
  const { id, name, machineId } = found.value;
  const checkpoints = options.flag('checkpoints');
  if (!options.flag('yes')) {
    const lost = checkpoints ? ' with its checkpoints' : ' (its checkpoints would stay)';
    printStatus(`"${name}"${lost} would be deleted for good: its curves, rollouts and log.`);
    printStatus(`To delete it: mars2 trainings delete ${id}${checkpoints ? ' --checkpoints' : ''} --yes`);
    return EXIT.done;
  }
  const deleted = await ask(workbench, 'training.delete', { trainingId: id, checkpoints });
  if (!deleted.ok) return printRefusal(deleted.error);
  const there = machineId === LOCAL_MACHINE ? '' : `, and so do its files on ${machineId}`;
  printStatus(`Deleted "${name}" for good${checkpoints ? '.' : `; its checkpoints stay${there}.`}`);
  return EXIT.done;
}

export async function listRemovedTrainings(workbench: Host, options: CliOptions): Promise<number> {
  const trash = await ask(workbench, 'training.trash', {});
  if (!trash.ok) return printRefusal(trash.error);
  if (options.flag('json')) return printJson(trash.value);
  if (trash.value.length === 0) printStatus('The trash is empty.');
  for (const { trainingId, name } of trash.value) process.stdout.write(`${trainingId}  removed  ${name}\n`);
  return EXIT.done;
}

async function inTrash(workbench: Host, options: CliOptions) {
  const trash = await ask(workbench, 'training.trash', {});
  if (!trash.ok) return trash;
  const removed = trash.value.map((one) => ({ ...one, id: one.trainingId }));
  return findById({ ok: true, value: removed }, options.word(0, 'The training'), {
    noun: 'removed training',
    list: 'mars2 trainings list --removed',
  });
}

async function usedText(workbench: Host, id: string): Promise<Result<string | null, Refusal>> {
  const [experiments, studies, launches] = await Promise.all([
    ask(workbench, 'experiment.list', {}),
    ask(workbench, 'study.list', {}),
    ask(workbench, 'launch.list', {}),
  ]);
  if (!experiments.ok) return experiments;
  if (!studies.ok) return studies;
  if (!launches.ok) return launches;
  const lists = { experiments: experiments.value, studies: studies.value, launches: launches.value };
  return { ok: true, value: trainingUsersText(trainingUsers(id, lists)) };
}
