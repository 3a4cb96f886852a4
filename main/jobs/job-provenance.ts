import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LOCAL_MACHINE, type Provenance, provenanceSchema } from '../../preload/contract';
import { createKeyedQueue, ok } from '../base';
import type { AsyncResult } from '../machines';
import { readJson, replaceFile } from '../storage';
import type { JobContext } from './job-context';
import { attemptFolder, jobFiles } from './logic/job-files';
import { readProvenance } from './logic/provenance/read-provenance';

/** Limit of the script's output, for all of its parts. */
const MAX_BYTES = 1_500_000;
/** Not `.json`: the records next to it have that. */
const EXTENSION = '.provenance';

type JobProvenance = {
  /** Of its last start; null: not recorded yet, or by no workbench that records it. `unreachable` as the machine is. */
  readonly read: (id: string) => AsyncResult<Provenance | null>;
  /** Copies the record of a job that has ended on another machine to this computer, once. */
  readonly keep: (id: string) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
  /** Nothing is written afterwards. */
  readonly close: () => Promise<void>;
};

/**
 * What made a start stays in the job's folder on its machine, with a copy in `folder` on this computer, so that it is known
 * after the machine is gone.
 */
export function jobProvenance(
  { store, machines }: Pick<JobContext, 'store' | 'machines'>,
  folder: string,
): JobProvenance {
  const savedKeys = new Set<string>();
  const writing = new Set<Promise<void>>();
  let isClosed = false;
  /** Hundreds may end together: one after the other on each machine. */
  const queue = createKeyedQueue();
  const copyOf = (id: string, attempt: number): string =>
    join(folder, `${id}.attempt-${attempt}${EXTENSION}`);

  const read: JobProvenance['read'] = async (id) => {
    const record = store.require(id);
    if (!record.ok) return record;
    const { spec, attempt, folder: there } = record.value;
    if (there === null || attempt === 0) return ok(null);
    const path = copyOf(id, attempt);
    const copy = await readJson(path, provenanceSchema);
    if (copy.kind === 'read') return ok(copy.value);
    const machine = machines.get(spec.machineId);
    if (!machine.ok) return machine;
    const file = `${attemptFolder(there, attempt)}/${jobFiles.provenance}`;
    const slice = await machine.value.readSlice(file, 0, MAX_BYTES);
    if (!slice.ok) return slice;
    const found =
      slice.value === null ? null : readProvenance(new TextDecoder().decode(slice.value.bytes), attempt);
    // Where it cannot be copied, it is read there the next time.
    if (found !== null && spec.machineId !== LOCAL_MACHINE && !isClosed) {
      const written = replaceFile(path, JSON.stringify(found)).catch(() => undefined);
      writing.add(written);
      await written;
      writing.delete(written);
    }
    return ok(found);
  };
  return {
    read,
    keep: async (id) => {
      const record = store.get(id);
      if (record?.phase !== 'ended' || record.spec.machineId === LOCAL_MACHINE) return;
      const key = `${id} ${record.attempt}`;
      if (savedKeys.has(key)) return;
      savedKeys.add(key);
      await queue.run(record.spec.machineId, () => read(id));
    },
    close: async () => {
      isClosed = true;
      await Promise.all(writing);
    },
    remove: async (id) => {
      const names = await readdir(folder).catch(() => []);
      const own = names.filter((name) => name.startsWith(`${id}.attempt-`) && name.endsWith(EXTENSION));
      await Promise.all(own.map((name) => rm(join(folder, name), { force: true })));
    },
  };
}
