import type { Refusal } from '../../../preload/contract/index';
import { failed, ok, type Result } from '../../base/index';
import type { ExperimentRecord } from '../logic/experiments/experiment-record';
import type { ExperimentFiles } from './experiment-files';

/** The records of all experiments: in memory, and on the disk first. */
export type ExperimentBook = {
  /** Oldest first. */
  readonly all: () => readonly ExperimentRecord[];
  readonly get: (id: string) => ExperimentRecord | null;
  readonly put: (record: ExperimentRecord) => Promise<Result<null, Refusal>>;
  /** Changes come one after the other; each sees what the one before has made. */
  readonly change: (
    id: string,
    next: (record: ExperimentRecord) => ExperimentRecord,
  ) => Promise<Result<null, Refusal>>;
  readonly remove: (id: string) => Promise<Result<null, Refusal>>;
};

export async function openExperimentBook(files: ExperimentFiles): Promise<ExperimentBook> {
  const records = new Map((await files.readAll()).map((record) => [record.id, record]));
  let writing: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = writing.then(work);
    writing = turn.catch(() => undefined);
    return turn;
  };
  const write = async (record: ExperimentRecord): Promise<Result<null, Refusal>> => {
    const written = await files.write(record);
    if (written.ok) records.set(record.id, record);
    return written;
  };
  return {
    all: () => [...records.values()],
    get: (id) => records.get(id) ?? null,
    put: (record) => inTurn(() => write(record)),
    change: (id, next) =>
      inTurn(async () => {
        const record = records.get(id);
        if (record === undefined) {
          return failed({ code: 'not-found', message: `There is no experiment "${id}".` });
        }
        const changed = next(record);
        return changed === record ? ok(null) : write(changed);
      }),
    remove: (id) =>
      inTurn(async () => {
        const removed = await files.remove(id);
        if (removed.ok) records.delete(id);
        return removed;
      }),
  };
}
