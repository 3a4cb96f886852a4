import type { Refusal, ReproductionDecision } from '../../../preload/contract/index';
import { failed, ok, type Result } from '../../base/index';
import { noteOf, type Reproduction, type StepNote } from '../logic/reproductions/record';
import type { ReproductionFiles } from './reproduction-files';

/** All reproductions: in memory, and on the disk first. Changes come one after the other; each sees the one before. */
export type ReproductionBook = {
  /** Oldest first. */
  readonly all: () => readonly Reproduction[];
  readonly get: (id: string) => Reproduction | null;
  readonly add: (one: Reproduction) => Promise<Result<null, Refusal>>;
  readonly change: (
    id: string,
    next: (record: Reproduction['record']) => Reproduction['record'],
  ) => Promise<Result<null, Refusal>>;
  /** The same change to each of these steps. */
  readonly note: (
    id: string,
    stepIds: readonly string[],
    change: Partial<StepNote> | ((note: StepNote, stepId: string) => Partial<StepNote>),
  ) => Promise<Result<null, Refusal>>;
  /** Of plans that are changed while they are followed: a step on another machine. */
  readonly replan: (
    id: string,
    next: (one: Reproduction) => Omit<Reproduction, 'record'>,
  ) => Promise<Result<null, Refusal>>;
  /** A line of the record of what was decided and why. */
  readonly decide: (id: string, stepId: string | null, text: string) => Promise<void>;
  readonly remove: (id: string) => Promise<Result<null, Refusal>>;
  /** When all that was asked for is written. */
  readonly settled: () => Promise<void>;
};

export async function openReproductionBook(
  files: ReproductionFiles,
  clock: { readonly now: () => number },
): Promise<ReproductionBook> {
  const byId = new Map((await files.readAll()).map((one) => [one.record.id, one]));
  let writing: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = writing.then(work);
    writing = turn.catch(() => undefined);
    return turn;
  };
  const change: ReproductionBook['change'] = (id, next) =>
    inTurn(async () => {
      const one = byId.get(id);
      if (one === undefined) return failed(noReproduction(id));
      const record = next(one.record);
      if (record === one.record) return ok(null);
      const written = await files.writeRecord(record);
      if (written.ok) byId.set(id, { ...one, record });
      return written;
    });
  return {
    all: () => [...byId.values()],
    get: (id) => byId.get(id) ?? null,
    add: (one) =>
      inTurn(async () => {
        // The record last: without it there is nothing.
        const planned = await files.writePlan(one.record.id, one);
        if (!planned.ok) return planned;
        const written = await files.writeRecord(one.record);
        if (written.ok) byId.set(one.record.id, one);
        return written;
      }),
    change,
    note: (id, stepIds, part) =>
      change(id, (record) => {
        if (stepIds.length === 0) return record;
        const changed = stepIds.map((stepId): [string, StepNote] => {
          const note = noteOf(record, stepId);
          return [stepId, { ...note, ...(typeof part === 'function' ? part(note, stepId) : part) }];
        });
        return { ...record, notes: { ...record.notes, ...Object.fromEntries(changed) } };
      }),
    replan: (id, next) =>
      inTurn(async () => {
        const one = byId.get(id);
        if (one === undefined) return failed(noReproduction(id));
        const planned = next(one);
        const written = await files.writePlan(id, planned);
        if (written.ok) byId.set(id, { ...planned, record: one.record });
        return written;
      }),
    decide: (id, stepId, text) => {
      const decision: ReproductionDecision = { at: new Date(clock.now()).toISOString(), stepId, text };
      return inTurn(() => files.addDecision(id, decision));
    },
    remove: (id) =>
      inTurn(async () => {
        const removed = await files.remove(id);
        if (removed.ok) byId.delete(id);
        return removed;
      }),
    settled: async () => {
      await writing;
    },
  };
}

export function noReproduction(id: string): Refusal {
  return {
    code: 'not-found',
    message: `There is no reproduction "${id}".`,
    hint: 'See them with: reproduce list',
  };
}
