import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Refusal } from '../../../preload/contract/index';
import { failed, type Result } from '../../base/index';
import { makeFolder, readJson } from '../../storage/index';
import { type Experiment, experimentRecordSchema, stepsOf } from '../logic/experiments/experiment-record';
import type { PlanStore } from '../plan-store';

/**
 * Moves the folder of another lab's experiment into `folder` and lists it, read-only. Refused where its record cannot be read;
 * rejects with the system's error.
 */
export async function adoptExperiment(
  store: PlanStore<Experiment>,
  folder: string,
  { id, from, bundle }: { readonly id: string; readonly from: string; readonly bundle: string },
): Promise<Result<null, Refusal>> {
  const recordFile = join(from, 'experiment.json');
  const record = await readJson(recordFile, experimentRecordSchema);
  if (record.kind !== 'read' || record.value.id !== id || store.get(id) !== null) {
    return failed({ code: 'bad-input', message: `The experiment ${id} cannot be read from its files.` });
  }
  // Nothing is listed before its record is written again.
  await rm(recordFile);
  await makeFolder(folder);
  await rename(from, store.folderOf(id));
  const adopted = { ...record.value, paused: true, removing: false, fromBundle: bundle };
  return store.add({ record: adopted, ...stepsOf(adopted.order) });
}
