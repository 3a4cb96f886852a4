import { join } from 'node:path';
import type { z } from 'zod';
import type { Refusal } from '../../preload/contract/index';
import { failed, ok, orThrow, type Result } from '../base/index';
import { type ReconcileProblem, reportUnreadable } from '../reconcile/index';
import {
  type JsonReading,
  openRecordStore,
  type RecordStoreOptions,
  readSealed,
  reasonOf,
  sealed,
  writeJson,
} from '../storage/index';
import { noteOf, type Plan, type StepNote } from './logic/plan-record';

export type OnProblem = (problem: ReconcileProblem) => void;

export type NoteChange = Partial<StepNote> | ((note: StepNote, stepId: string) => Partial<StepNote>);

/** A folder for each plan of a kind: its record, and what its steps measured. */
export type PlanStore<P extends Plan> = {
  /** Oldest first; the same object as long as nothing of it has changed. */
  readonly list: () => readonly P[];
  readonly get: (id: string) => P | null;
  readonly find: (id: string) => Result<P, Refusal>;
  readonly add: (plan: P) => Promise<Result<null, Refusal>>;
  /** Each change of a record sees what the one before has made. */
  readonly change: (
    id: string,
    next: (record: P['record']) => P['record'],
  ) => Promise<Result<P['record'], Refusal>>;
  /** The same change to each of these steps. This and the next two reject where it cannot be written. */
  readonly note: (id: string, stepIds: readonly string[], change: NoteChange) => Promise<void>;
  readonly finish: (id: string, stepIds: readonly string[]) => Promise<void>;
  readonly fail: (
    id: string,
    stepIds: readonly string[],
    why: { readonly message: string; readonly hint?: string | null | undefined },
  ) => Promise<void>;
  /** It is finished, so it is not reconciled any more. Rejects where it cannot be written. */
  readonly end: (id: string) => Promise<void>;
  /** Replaces the steps that a record follows, in memory. */
  readonly replan: (id: string, planned: Omit<P, 'record'>) => void;
  readonly folderOf: (id: string) => string;
  /** JSON files in the plan's folder, e.g. "outcomes/3.json". One at a time for each. */
  readonly writeFile: (id: string, name: string, value: unknown) => Promise<Result<null, Refusal>>;
  /** The same with a digest of its own: whether a step's results were changed cannot be seen from the results. */
  readonly writeOutcome: (id: string, name: string, value: object) => Promise<Result<null, Refusal>>;
  readonly readOutcome: <T>(id: string, name: string, schema: z.ZodType<T>) => Promise<JsonReading<T>>;
  readonly remove: (id: string) => Promise<Result<null, Refusal>>;
  readonly close: () => Promise<void>;
};

/** Records that cannot be read are put aside and reported. Rejects where the folder cannot be read. */
export async function openPlanStore<P extends Plan>(
  options: Pick<RecordStoreOptions<P['record']>, 'folder' | 'schema' | 'version' | 'migrate' | 'nameOf'> & {
    readonly noun: 'experiment' | 'reproduction';
    /** The steps of a record, in whose folder files may be; else why there are none, as the end of a sentence. */
    readonly readSteps: (record: P['record'], folder: string) => Promise<Result<Omit<P, 'record'>, string>>;
    readonly clock: { readonly now: () => number };
    readonly onError: OnProblem;
  },
): Promise<PlanStore<P>> {
  const { noun, readSteps, clock, onError, ...others } = options;
  const writeHint = `Make room there, then resume the ${noun}.`;
  const records = await openRecordStore<P['record']>({
    ...others,
    fileName: `${noun}.json`,
    noun,
    listHint: `See them with: ${noun}s list`,
    writeHint,
  });
  const steps = new Map<string, Omit<P, 'record'>>();
  const plans = new Map<string, P>();
  const isoNow = (): string => new Date(clock.now()).toISOString();

  for (const record of records.list()) {
    const planned = await readSteps(record, records.folderOf(record.id)).catch((error: unknown) =>
      failed(reasonOf(error)),
    );
    if (planned.ok) steps.set(record.id, planned.value);
    else await records.setAside(record.id, `its plan: ${planned.error}`);
  }
  reportUnreadable(`${noun}s`, noun, records, onError);

  const get = (id: string): P | null => {
    const record = records.get(id);
    const planned = steps.get(id);
    if (record === null || planned === undefined) return null;
    const before = plans.get(id);
    if (before?.record === record) return before;
    const plan = { ...planned, record } as P;
    plans.set(id, plan);
    return plan;
  };
  const replan = (id: string, planned: Omit<P, 'record'>): void => {
    steps.set(id, planned);
    plans.delete(id);
  };
  const note: PlanStore<P>['note'] = async (id, stepIds, change) => {
    if (stepIds.length === 0) return;
    const next = (record: P['record']): P['record'] => {
      const changed = stepIds.map((stepId): [string, StepNote] => {
        const before = noteOf(record, stepId);
        return [stepId, { ...before, ...(typeof change === 'function' ? change(before, stepId) : change) }];
      });
      return { ...record, notes: { ...record.notes, ...Object.fromEntries(changed) } };
    };
    orThrow(await records.change(id, next));
  };
  const writeFile: PlanStore<P>['writeFile'] = async (id, name, value) => {
    const path = join(records.folderOf(id), name);
    try {
      await writeJson(path, value);
      return ok(null);
    } catch (error) {
      const message = `The ${noun} cannot be saved in ${path}: ${reasonOf(error)}.`;
      return failed({ code: 'unavailable', message, hint: writeHint });
    }
  };
  return {
    list: () => records.list().flatMap(({ id }) => get(id) ?? []),
    get,
    find: (id) => {
      const record = records.find(id);
      return record.ok ? ok(get(id) as P) : record;
    },
    add: ({ record, ...planned }) => {
      replan(record.id, planned);
      return records.put(record);
    },
    change: records.change,
    note,
    finish: (id, stepIds) =>
      note(id, stepIds, ({ startedAt }) => ({
        state: { kind: 'done', reused: false },
        startedAt: startedAt ?? isoNow(),
        endedAt: isoNow(),
      })),
    fail: (id, stepIds, { message, hint = null }) =>
      note(id, stepIds, { state: { kind: 'failed', message, hint }, endedAt: isoNow() }),
    end: async (id) => {
      orThrow(await records.change(id, (record) => ({ ...record, endedAt: isoNow() })));
    },
    replan,
    folderOf: records.folderOf,
    writeFile,
    writeOutcome: (id, name, value) => writeFile(id, name, sealed(value)),
    readOutcome: (id, name, schema) => readSealed(join(records.folderOf(id), name), schema),
    remove: async (id) => {
      const removed = await records.remove(id);
      if (records.get(id) === null) {
        steps.delete(id);
        plans.delete(id);
      }
      return removed;
    },
    close: records.close,
  };
}
