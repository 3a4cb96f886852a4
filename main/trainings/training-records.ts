import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { makeFolder, reasonOf, replaceFile } from '../storage';
import { type TrainingRecord, trainingRecordSchema } from './logic/training-record';

const RECORD = 'training.json';

/** Records of all trainings, each in a folder of its own; cached in memory, every change is written to disk first. */
export type TrainingRecords = {
  /** Oldest first. */
  readonly all: () => readonly TrainingRecord[];
  readonly get: (id: string) => TrainingRecord | null;
  readonly folder: (id: string) => string;
  readonly put: (record: TrainingRecord) => Promise<Result<null, Refusal>>;
  /** Removes it with its folder, except the entries named in `kept`. */
  readonly remove: (id: string, kept: readonly string[]) => Promise<void>;
};

/** A record that cannot be read is renamed to `training.json.unread`; the others are unaffected. */
export async function openTrainingRecords(root: string): Promise<TrainingRecords> {
  await makeFolder(root);
  const records = new Map<string, TrainingRecord>();
  for (const name of await readdir(root)) {
    const path = join(root, name, RECORD);
    const text = await readFile(path, 'utf8').catch(() => null);
    if (text === null) continue;
    const record = parsed(text);
    if (record?.id === name) records.set(name, record);
    else await rename(path, `${path}.unread`);
  }
  const folder = (id: string) => join(root, id);
  /** Writes in progress, by training: one at a time. */
  const writing = new Map<string, Promise<unknown>>();

  return {
    all: () => [...records.values()].sort(byAge),
    get: (id) => records.get(id) ?? null,
    folder,
    put: async (record) => {
      const { id } = record;
      const write = async (): Promise<Result<null, Refusal>> => {
        try {
          await makeFolder(folder(id));
          await replaceFile(join(folder(id), RECORD), `${JSON.stringify(record, null, 1)}\n`);
        } catch (error) {
          const message = `Cannot save the training "${record.order.name}" in ${folder(id)}: ${reasonOf(error)}.`;
          return failed({ code: 'unavailable', message });
        }
        records.set(id, record);
        return ok(null);
      };
      const next = (writing.get(id) ?? Promise.resolve()).then(write);
      writing.set(id, next);
      void next.then(() => {
        if (writing.get(id) === next) writing.delete(id);
      });
      return next;
    },
    remove: async (id, kept) => {
      await writing.get(id);
      records.delete(id);
      // The record first: a half-removed training must not come back.
      await rm(join(folder(id), RECORD), { force: true });
      const names = await readdir(folder(id)).catch((): string[] => []);
      for (const name of names) {
        if (!kept.includes(name)) await rm(join(folder(id), name), { recursive: true, force: true });
      }
      if (names.every((name) => !kept.includes(name))) await rm(folder(id), { recursive: true, force: true });
    },
  };
}

function parsed(text: string): TrainingRecord | null {
  try {
    return trainingRecordSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function byAge(a: TrainingRecord, b: TrainingRecord): number {
  const [first, second] = [`${a.createdAt} ${a.id}`, `${b.createdAt} ${b.id}`];
  return first < second ? -1 : first > second ? 1 : 0;
}
