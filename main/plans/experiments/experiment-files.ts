import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Refusal } from '../../../preload/contract/index';
import { failed, ok, type Result } from '../../base/index';
import { makeFolder, reasonOf, replaceFile, syncFolder } from '../../storage/index';
import {
  type ExperimentRecord,
  experimentRecordSchema,
  type Outcome,
  outcomeSchema,
} from '../logic/experiments/experiment-record';

const RECORD = 'experiment.json';
const OUTCOMES = 'outcomes';

/** A folder for each experiment: its record, and what came of each of its trainings. */
export type ExperimentFiles = {
  /** Oldest first. A record that can not be read is put aside (`experiment.json.unread`) and hides no other. */
  readonly readAll: () => Promise<readonly ExperimentRecord[]>;
  /** One at a time for each experiment. */
  readonly write: (record: ExperimentRecord) => Promise<Result<null, Refusal>>;
  /** `member`: its place among the experiment's. */
  readonly writeOutcome: (id: string, member: number, outcome: Outcome) => Promise<Result<null, Refusal>>;
  /** null: there is none, or it can not be read. */
  readonly readOutcome: (id: string, member: number) => Promise<Outcome | null>;
  readonly remove: (id: string) => Promise<Result<null, Refusal>>;
};

export function experimentFiles(root: string): ExperimentFiles {
  const folder = (id: string) => join(root, id);
  const outcomePath = (id: string, member: number) => join(folder(id), OUTCOMES, `${member}.json`);
  const replaced = async (path: string, value: unknown): Promise<Result<null, Refusal>> => {
    try {
      await makeFolder(join(path, '..'));
      await replaceFile(path, `${JSON.stringify(value, null, 1)}\n`);
      return ok(null);
    } catch (error) {
      return failed({
        code: 'unavailable',
        message: `The experiment can not be noted in ${path}: ${reasonOf(error)}.`,
        hint: 'Make room there, then resume the experiment.',
      });
    }
  };
  return {
    readAll: async () => {
      await makeFolder(root);
      const records: ExperimentRecord[] = [];
      for (const name of await readdir(root)) {
        const path = join(folder(name), RECORD);
        const text = await readFile(path, 'utf8').catch(() => null);
        if (text === null) continue;
        const record = experimentRecordSchema.safeParse(jsonOf(text));
        if (record.success && record.data.id === name) records.push(record.data);
        else await rename(path, `${path}.unread`);
      }
      return records.sort((a, b) => order(a.createdAt, b.createdAt) || order(a.id, b.id));
    },
    write: (record) => replaced(join(folder(record.id), RECORD), record),
    writeOutcome: (id, member, outcome) => replaced(outcomePath(id, member), outcome),
    readOutcome: async (id, member) => {
      const text = await readFile(outcomePath(id, member), 'utf8').catch(() => null);
      const outcome = outcomeSchema.safeParse(text === null ? null : jsonOf(text));
      return outcome.success ? outcome.data : null;
    },
    remove: async (id) => {
      try {
        // The record last: what is half removed is removed again at the next start.
        await rm(join(folder(id), OUTCOMES), { recursive: true, force: true });
        await rm(folder(id), { recursive: true, force: true });
        await syncFolder(root);
        return ok(null);
      } catch (error) {
        const message = `The experiment's folder ${folder(id)} can not be removed: ${reasonOf(error)}.`;
        return failed({ code: 'unavailable', message });
      }
    },
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** By code units, which are the same on every machine. */
function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
