import { join } from 'node:path';
import type { Refusal } from '../../../preload/contract/index';
import { failed, ok, type Result } from '../../base/index';
import { openRecordStore, type RecordStore, readJson, reasonOf, writeJson } from '../../storage/index';
import {
  type ExperimentRecord,
  experimentRecordSchema,
  type Outcome,
  outcomeSchema,
} from '../logic/experiments/experiment-record';

const WRITE_HINT = 'Make room there, then resume the experiment.';

/** A folder for each experiment: its record, and the outcome of each of its trainings. */
export type ExperimentStore = RecordStore<ExperimentRecord> & {
  /** `member`: its index among the experiment's. One at a time for each experiment. */
  readonly writeOutcome: (id: string, member: number, outcome: Outcome) => Promise<Result<null, Refusal>>;
  /** null: there is none, or it cannot be read. */
  readonly readOutcome: (id: string, member: number) => Promise<Outcome | null>;
};

export async function openExperimentStore(folder: string): Promise<ExperimentStore> {
  const store = await openRecordStore<ExperimentRecord>({
    folder,
    fileName: 'experiment.json',
    schema: experimentRecordSchema,
    version: 1,
    noun: 'experiment',
    nameOf: ({ order }) => order.name,
    listHint: 'See them with: experiments list',
    writeHint: WRITE_HINT,
    indent: 1,
  });
  const outcomePath = (id: string, member: number): string =>
    join(store.folderOf(id), 'outcomes', `${member}.json`);
  return {
    ...store,
    writeOutcome: async (id, member, outcome) => {
      const path = outcomePath(id, member);
      try {
        await writeJson(path, outcome, 1);
        return ok(null);
      } catch (error) {
        const message = `What the training measured cannot be saved in ${path}: ${reasonOf(error)}.`;
        return failed({ code: 'unavailable', message, hint: WRITE_HINT });
      }
    },
    readOutcome: async (id, member) => {
      const outcome = await readJson(outcomePath(id, member), outcomeSchema);
      return outcome.kind === 'read' ? outcome.value : null;
    },
  };
}
