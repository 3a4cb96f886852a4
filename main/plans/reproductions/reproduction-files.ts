import { appendFile, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import {
  type Refusal,
  type ReproductionDecision,
  reproductionDecisionSchema,
} from '../../../preload/contract/index';
import { failed, ok, type Result } from '../../base/index';
import { makeFolder, reasonOf, replaceFile, syncFolder } from '../../storage/index';
import { type Outcome, outcomeSchema } from '../logic/reproductions/outcome';
import { type Reproduction, reproductionRecordSchema } from '../logic/reproductions/record';
import { storedPlanSchema, withStandIns } from '../logic/reproductions/stored-plan';

const RECORD = 'reproduction.json';
const PLAN = 'plan.json';
const DECISIONS = 'decisions.jsonl';
const OUTCOMES = 'outcomes';

/** A folder for each reproduction: its record, its plan, what was decided, what its steps measured. */
export type ReproductionFiles = {
  /** Oldest first. A record that can not be read is put aside (`reproduction.json.unread`) and hides no other. */
  readonly readAll: () => Promise<readonly Reproduction[]>;
  /** One at a time for each reproduction. */
  readonly writeRecord: (record: Reproduction['record']) => Promise<Result<null, Refusal>>;
  readonly writePlan: (id: string, planned: Omit<Reproduction, 'record'>) => Promise<Result<null, Refusal>>;
  /** What a step measured; `name`: a plain file name. */
  readonly writeOutcome: (id: string, name: string, outcome: Outcome) => Promise<Result<null, Refusal>>;
  /** null: there is none, or it can not be read. */
  readonly readOutcome: (id: string, name: string) => Promise<Outcome | null>;
  readonly addDecision: (id: string, decision: ReproductionDecision) => Promise<void>;
  /** Oldest first; a line that was cut off is left out. */
  readonly readDecisions: (id: string) => Promise<ReproductionDecision[]>;
  readonly remove: (id: string) => Promise<Result<null, Refusal>>;
  /**
   * Takes a reproduction's folder from elsewhere, its record left out: until that is written anew nothing is listed.
   * null: there is none of this id that can be read. Rejects with the system's error.
   */
  readonly takeIn: (id: string, from: string) => Promise<Reproduction | null>;
};

export function reproductionFiles(root: string): ReproductionFiles {
  const pathOf = (id: string, ...names: string[]): string => join(root, id, ...names);
  const replaced = async (path: string, value: unknown): Promise<Result<null, Refusal>> => {
    try {
      await makeFolder(join(path, '..'));
      await replaceFile(path, `${JSON.stringify(value)}\n`);
      return ok(null);
    } catch (error) {
      return failed({
        code: 'unavailable',
        message: `The reproduction can not be noted in ${path}: ${reasonOf(error)}.`,
        hint: 'Make room there, then resume the reproduction.',
      });
    }
  };
  const readOne = async (id: string, folder = pathOf(id)): Promise<Reproduction | null> => {
    const record = await readAs(join(folder, RECORD), reproductionRecordSchema);
    const kept = await readAs(join(folder, PLAN), storedPlanSchema);
    if (record?.id !== id || kept === null) return null;
    const { plan, work, unmeasured } = kept;
    return withStandIns({
      record,
      plan,
      work: new Map(Object.entries(work)),
      unmeasured: new Map(Object.entries(unmeasured)),
    });
  };
  return {
    readAll: async () => {
      await makeFolder(root);
      const all: Reproduction[] = [];
      for (const name of await readdir(root)) {
        const one = await readOne(name);
        if (one !== null) all.push(one);
        else await rename(pathOf(name, RECORD), pathOf(name, `${RECORD}.unread`)).catch(() => undefined);
      }
      const age = ({ record }: Reproduction): string => `${record.createdAt} ${record.id}`;
      return all.sort((a, b) => (age(a) < age(b) ? -1 : 1));
    },
    writeRecord: (record) => replaced(pathOf(record.id, RECORD), record),
    writePlan: (id, { plan, work, unmeasured }) =>
      replaced(pathOf(id, PLAN), {
        version: 1,
        plan,
        work: Object.fromEntries(work),
        unmeasured: Object.fromEntries(unmeasured),
      }),
    writeOutcome: (id, name, outcome) => replaced(pathOf(id, OUTCOMES, `${name}.json`), outcome),
    readOutcome: (id, name) => readAs(pathOf(id, OUTCOMES, `${name}.json`), outcomeSchema),
    addDecision: async (id, decision) => {
      // What can not be written down here must not hold up the work: the record says what was done.
      await appendFile(pathOf(id, DECISIONS), `${JSON.stringify(decision)}\n`).catch(() => undefined);
    },
    readDecisions: async (id) => {
      const text = await readFile(pathOf(id, DECISIONS), 'utf8').catch(() => '');
      return text.split('\n').flatMap((line) => {
        const decision = reproductionDecisionSchema.safeParse(jsonOf(line));
        return decision.success ? [decision.data] : [];
      });
    },
    takeIn: async (id, from) => {
      const one = await readOne(id, from);
      if (one === null) return null;
      await rm(join(from, RECORD));
      await makeFolder(root);
      await rename(from, pathOf(id));
      return one;
    },
    remove: async (id) => {
      try {
        // The record first: what is half removed must not come back.
        await rm(pathOf(id, RECORD), { force: true });
        await syncFolder(pathOf(id));
        await rm(pathOf(id), { recursive: true, force: true });
        return ok(null);
      } catch (error) {
        const message = `The reproduction's folder ${pathOf(id)} can not be removed: ${reasonOf(error)}.`;
        return failed({ code: 'unavailable', message });
      }
    },
  };
}

async function readAs<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  const read = schema.safeParse(text === null ? null : jsonOf(text));
  return read.success ? read.data : null;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
