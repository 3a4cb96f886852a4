import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type EnteredPlace,
  type EnteredValue,
  enteredValuesSchema,
  type Refusal,
} from '../../preload/contract';
import { sameEnteredPlace } from '../../preload/contract/plans';
import { createKeyedQueue, failed, ok, type Result } from '../base';
import { readJson, reasonOf, writeJson } from '../storage/index';

/** Values of the paper that the lab has entered: a file for each exhibit, `ID.json`, written whole. */
export type EnteredValues = {
  /** In the order in which they were entered. Fails with the file and why it cannot be read. */
  readonly read: (exhibitId: string) => Promise<Result<readonly EnteredValue[], UnreadValues>>;
  /** One for the same cell or point is replaced in its place. */
  readonly set: (exhibitId: string, values: readonly EnteredValue[]) => Promise<Result<null, Refusal>>;
  readonly remove: (exhibitId: string, at: EnteredPlace) => Promise<Result<null, Refusal>>;
  /** Ids of the exhibits that have a file. */
  readonly ids: () => Promise<ReadonlySet<string>>;
  /** All of an exhibit that is removed. */
  readonly forget: (exhibitId: string) => Promise<void>;
};

export type UnreadValues = { readonly path: string; readonly message: string };

export function createEnteredValues(folder: string): EnteredValues {
  const queue = createKeyedQueue();
  const pathOf = (exhibitId: string): string => join(folder, `${exhibitId}.json`);

  const read: EnteredValues['read'] = async (exhibitId) => {
    const path = pathOf(exhibitId);
    const file = await readJson(path, enteredValuesSchema);
    if (file.kind === 'read') return ok(file.value.values);
    if (file.kind === 'missing') return ok([]);
    const message = `The values that were entered for "${exhibitId}" cannot be read: ${file.why}. They are not shown. Repair the file, or remove it.`;
    return failed({ path, message });
  };
  const change = (
    exhibitId: string,
    next: (values: readonly EnteredValue[]) => Result<readonly EnteredValue[], Refusal>,
  ): Promise<Result<null, Refusal>> =>
    queue.run(exhibitId, async () => {
      const present = await read(exhibitId);
      if (!present.ok) return failed({ code: 'unavailable', message: present.error.message });
      const values = next(present.value);
      if (!values.ok) return values;
      const file = enteredValuesSchema.safeParse({ version: 1, values: values.value });
      if (!file.success) {
        return failed({ code: 'bad-input', message: 'An exhibit can have 2,000 entered values.' });
      }
      try {
        await writeJson(pathOf(exhibitId), file.data, 2);
        return ok(null);
      } catch (error) {
        return failed({
          code: 'unavailable',
          message: `The values could not be written to ${pathOf(exhibitId)}: ${reasonOf(error)}.`,
          hint: 'Free disk space, or make the folder writable.',
        });
      }
    });

  return {
    read,
    set: (exhibitId, values) =>
      change(exhibitId, (present) => {
        const all = [...present];
        for (const value of values) {
          const at = all.findIndex((other) => sameEnteredPlace(other.at, value.at));
          if (at === -1) all.push(value);
          else all[at] = value;
        }
        return ok(all);
      }),
    remove: (exhibitId, at) =>
      change(exhibitId, (present) => {
        const left = present.filter((value) => !sameEnteredPlace(value.at, at));
        if (left.length < present.length) return ok(left);
        return failed({ code: 'not-found', message: 'Nothing was entered there, so nothing is removed.' });
      }),
    ids: async () => {
      const names = await readdir(folder).catch(() => []);
      return new Set(names.flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -5)] : [])));
    },
    forget: (exhibitId) => rm(pathOf(exhibitId), { force: true }),
  };
}
