import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { makeFolder, reasonOf, replaceFile, syncFolder } from '../storage';
import { parseFile } from './logic/job-files';
import { type JobRecord, jobRecordSchema } from './logic/job-record';

const ENDING = '.json';

/** The records of all jobs, one file each in a folder on this computer. */
type RecordFiles = {
  /** In the order of creation. An invalid file does not affect the others. */
  readonly readAll: () => Promise<readonly JobRecord[]>;
  /** Writes of one job are serialized; a write replaced by a newer one is skipped. */
  readonly write: (record: JobRecord) => Promise<Result<null, Refusal>>;
  readonly remove: (id: string) => Promise<void>;
  /** Resolves once all requested writes are done. */
  readonly settled: () => Promise<void>;
};

export function createRecordFiles(folder: string): RecordFiles {
  const pathOf = (id: string) => join(folder, `${id}${ENDING}`);
  /** By job: the write in progress, and the newest record. */
  const writing = new Map<string, Promise<Result<null, Refusal>>>();
  const newest = new Map<string, JobRecord>();

  const writeNow = async (record: JobRecord): Promise<Result<null, Refusal>> => {
    if (newest.get(record.id) !== record) return ok(null);
    try {
      await replaceFile(pathOf(record.id), `${JSON.stringify(record, null, 1)}\n`);
      return ok(null);
    } catch (error) {
      const message = `Cannot save the job "${record.spec.name}" in ${folder}: ${reasonOf(error)}.`;
      return failed({ code: 'unavailable', message });
    }
  };

  const write = (record: JobRecord): Promise<Result<null, Refusal>> => {
    const { id } = record;
    newest.set(id, record);
    const next = (writing.get(id) ?? Promise.resolve()).then(() => writeNow(record));
    writing.set(id, next);
    void next.then(() => {
      if (writing.get(id) === next) writing.delete(id);
    });
    return next;
  };

  return {
    readAll: async () => {
      await makeFolder(folder);
      const names = (await readdir(folder)).filter((name) => name.endsWith(ENDING) && !name.startsWith('.'));
      const records: JobRecord[] = [];
      for (const name of names) {
        const record = parseFile(jobRecordSchema, await readFile(join(folder, name), 'utf8'));
        if (record !== null) records.push(record);
        // Damaged, or from a later version: renamed, so that a new record does not overwrite it.
        else await rename(join(folder, name), join(folder, `${name}.unread`));
      }
      return records.sort(byAge);
    },
    write,
    remove: async (id) => {
      newest.delete(id);
      await writing.get(id);
      await rm(pathOf(id), { force: true });
      await syncFolder(folder);
    },
    settled: async () => {
      await Promise.all(writing.values());
    },
  };
}

/** Oldest first; by code units, so that the order is the same on every machine. */
export function byAge(a: JobRecord, b: JobRecord): number {
  return compareText(a.createdAt, b.createdAt) || compareText(a.id, b.id);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
