import { appendFile, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Refusal,
  type ReproductionDecision,
  reproductionDecisionSchema,
} from '../../../preload/contract/index';
import { createKeyedQueue, failed, ok, orThrow, type Result } from '../../base/index';
import { reportUnreadable } from '../../reconcile/index';
import { makeFolder, openRecordStore, readJson, reasonOf, writeJson } from '../../storage/index';
import { type Outcome, outcomeSchema } from '../logic/reproductions/outcome';
import {
  noteOf,
  type Reproduction,
  type ReproductionRecord,
  reproductionRecordSchema,
  type StepNote,
} from '../logic/reproductions/record';
import { storedPlanSchema, withStandIns } from '../logic/reproductions/stored-plan';
import type { OnProblem } from '../plan-reconciler';

const RECORD = 'reproduction.json';
const PLAN = 'plan.json';
const WRITE_HINT = 'Make room there, then resume the reproduction.';

type Planned = Omit<Reproduction, 'record'>;
type NoteChange = Partial<StepNote> | ((note: StepNote, stepId: string) => Partial<StepNote>);

/** A folder for each reproduction: its record, its plan, what was decided, what its steps measured. */
export type ReproductionStore = {
  /** Oldest first. */
  readonly list: () => readonly Reproduction[];
  readonly get: (id: string) => Reproduction | null;
  readonly find: (id: string) => Result<Reproduction, Refusal>;
  readonly add: (reproduction: Reproduction) => Promise<Result<null, Refusal>>;
  /** Each change of a record sees what the one before has made. */
  readonly change: (
    id: string,
    next: (record: ReproductionRecord) => ReproductionRecord,
  ) => Promise<Result<ReproductionRecord, Refusal>>;
  /** The same change to each of these steps. Rejects where it cannot be written. */
  readonly note: (id: string, stepIds: readonly string[], change: NoteChange) => Promise<void>;
  /** Replaces a plan that is followed already. */
  readonly replan: (id: string, planned: Planned) => Promise<Result<null, Refusal>>;
  /** A line of the record of what was decided and why. */
  readonly decide: (id: string, stepId: string | null, text: string) => Promise<void>;
  /** Oldest first; a line that was cut off is left out. */
  readonly decisions: (id: string) => Promise<ReproductionDecision[]>;
  /** What a step measured; `name`: a plain file name. */
  readonly writeOutcome: (id: string, name: string, outcome: Outcome) => Promise<Result<null, Refusal>>;
  /** null: there is none, or it cannot be read. */
  readonly readOutcome: (id: string, name: string) => Promise<Outcome | null>;
  readonly remove: (id: string) => Promise<Result<null, Refusal>>;
  /**
   * Moves a reproduction's folder here from elsewhere and lists it as `change` makes it. Refused where its files cannot
   * be read; rejects with the system's error.
   */
  readonly adopt: (
    id: string,
    from: string,
    change: Partial<ReproductionRecord>,
  ) => Promise<Result<null, Refusal>>;
  readonly close: () => Promise<void>;
};

export async function openReproductionStore(
  folder: string,
  clock: { readonly now: () => number },
  onError: OnProblem,
): Promise<ReproductionStore> {
  const records = await openRecordStore<ReproductionRecord>({
    folder,
    fileName: RECORD,
    schema: reproductionRecordSchema,
    version: 1,
    noun: 'reproduction',
    listHint: 'See them with: reproductions list',
    writeHint: WRITE_HINT,
  });
  const plans = new Map<string, Planned>();
  /** Writes of plans and decisions, by reproduction. */
  const queue = createKeyedQueue();
  const pathOf = (id: string, ...names: string[]): string => join(records.folderOf(id), ...names);

  const write = async (path: string, value: unknown): Promise<Result<null, Refusal>> => {
    try {
      await writeJson(path, value);
      return ok(null);
    } catch (error) {
      const message = `The reproduction cannot be saved in ${path}: ${reasonOf(error)}.`;
      return failed({ code: 'unavailable', message, hint: WRITE_HINT });
    }
  };
  const writePlan = (id: string, { plan, work, unmeasured }: Planned) =>
    queue.run(id, async () => {
      const written = await write(pathOf(id, PLAN), {
        version: 1,
        plan,
        work: Object.fromEntries(work),
        unmeasured: Object.fromEntries(unmeasured),
      });
      if (written.ok) plans.set(id, { plan, work, unmeasured });
      return written;
    });
  const readPlan = async (record: ReproductionRecord, from: string): Promise<Result<Planned, string>> => {
    const reading = await readJson(join(from, PLAN), storedPlanSchema);
    if (reading.kind !== 'read') return failed(reading.kind === 'missing' ? 'it has no plan' : reading.why);
    const { plan, work, unmeasured } = reading.value;
    const whole = {
      record,
      plan,
      work: new Map(Object.entries(work)),
      unmeasured: new Map(Object.entries(unmeasured)),
    };
    return ok(withStandIns(whole));
  };

  for (const record of records.list()) {
    const planned = await readPlan(record, records.folderOf(record.id));
    if (planned.ok) plans.set(record.id, planned.value);
    else await records.setAside(record.id, `its plan: ${planned.error}`);
  }
  reportUnreadable('reproductions', 'reproduction', records, onError);

  const whole = (record: ReproductionRecord): Reproduction => {
    const planned = plans.get(record.id);
    if (planned === undefined) throw new Error(`The reproduction ${record.id} has no plan`);
    return { ...planned, record };
  };
  /** The same object as long as nothing of it has changed. */
  const known = new Map<string, Reproduction>();
  const get = (id: string): Reproduction | null => {
    const record = records.get(id);
    if (record === null) return null;
    const before = known.get(id);
    if (before?.record === record && before.plan === plans.get(id)?.plan) return before;
    const now = whole(record);
    known.set(id, now);
    return now;
  };
  const add: ReproductionStore['add'] = async (reproduction) => {
    // The record last: without it there is nothing.
    const planned = await writePlan(reproduction.record.id, reproduction);
    return planned.ok ? records.put(reproduction.record) : planned;
  };

  return {
    list: () => records.list().flatMap(({ id }) => get(id) ?? []),
    get,
    find: (id) => {
      const record = records.find(id);
      return record.ok ? ok(get(id) as Reproduction) : record;
    },
    add,
    change: records.change,
    note: async (id, stepIds, change) => {
      if (stepIds.length === 0) return;
      const next = (record: ReproductionRecord): ReproductionRecord => {
        const changed = stepIds.map((stepId): [string, StepNote] => {
          const note = noteOf(record, stepId);
          return [stepId, { ...note, ...(typeof change === 'function' ? change(note, stepId) : change) }];
        });
        return { ...record, notes: { ...record.notes, ...Object.fromEntries(changed) } };
      };
      orThrow(await records.change(id, next));
    },
    replan: writePlan,
    decide: async (id, stepId, text) => {
      const decision: ReproductionDecision = { at: new Date(clock.now()).toISOString(), stepId, text };
      try {
        await queue.run(id, () => appendFile(pathOf(id, 'decisions.jsonl'), `${JSON.stringify(decision)}\n`));
      } catch (error) {
        // A decision that cannot be written does not stop the work: the record says what was done.
        onError({ name: 'reproductions', key: id, error, failures: 1, waitMs: 0 });
      }
    },
    decisions: async (id) => {
      const text = await readFile(pathOf(id, 'decisions.jsonl'), 'utf8').catch(() => '');
      return text.split('\n').flatMap((line) => {
        const decision = reproductionDecisionSchema.safeParse(jsonOf(line));
        return decision.success ? [decision.data] : [];
      });
    },
    writeOutcome: (id, name, outcome) => write(pathOf(id, 'outcomes', `${name}.json`), outcome),
    readOutcome: async (id, name) => {
      const outcome = await readJson(pathOf(id, 'outcomes', `${name}.json`), outcomeSchema);
      return outcome.kind === 'read' ? outcome.value : null;
    },
    remove: async (id) => {
      const removed = await records.remove(id);
      if (records.get(id) === null) for (const map of [plans, known]) map.delete(id);
      return removed;
    },
    adopt: async (id, from, change) => {
      const unreadable = failed<Refusal>({
        code: 'bad-input',
        message: `The reproduction ${id} cannot be read from its files.`,
      });
      const record = await readJson(join(from, RECORD), reproductionRecordSchema);
      if (record.kind !== 'read' || record.value.id !== id || records.get(id) !== null) return unreadable;
      const planned = await readPlan(record.value, from);
      if (!planned.ok) return unreadable;
      // Until its record is written anew nothing is listed.
      await rm(join(from, RECORD));
      await makeFolder(folder);
      await rename(from, pathOf(id));
      return add({ ...planned.value, record: { ...record.value, ...change } });
    },
    close: async () => {
      await queue.idle();
      await records.close();
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
