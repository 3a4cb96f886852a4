import { appendFile, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Refusal,
  type ReproductionDecision,
  reproductionDecisionSchema,
} from '../../../preload/contract/index';
import { createKeyedQueue, failed, ok, parsedJson, type Result } from '../../base/index';
import { makeFolder, readJson } from '../../storage/index';
import {
  type Reproduction,
  type ReproductionRecord,
  reproductionRecordSchema,
} from '../logic/reproductions/record';
import { storedPlanSchema, withStandIns } from '../logic/reproductions/stored-plan';
import { type OnProblem, openPlanStore, type PlanStore } from '../plan-store';

const PLAN = 'plan.json';

type Planned = Omit<Reproduction, 'record'>;

/** The plan of each is a file of its own beside its record, and so is what was decided. */
export type ReproductionStore = Omit<PlanStore<Reproduction>, 'replan'> & {
  /** Replaces a plan that is followed already. */
  readonly replan: (id: string, planned: Planned) => Promise<Result<null, Refusal>>;
  /** A line of the record of what was decided and why. */
  readonly decide: (id: string, stepId: string | null, text: string) => Promise<void>;
  /** Oldest first; a line that was cut off is left out. */
  readonly decisions: (id: string) => Promise<ReproductionDecision[]>;
  /**
   * Moves a reproduction's folder here from elsewhere and lists it as `change` makes it. Refused where its files cannot
   * be read; rejects with the system's error.
   */
  readonly adopt: (
    id: string,
    from: string,
    change: Partial<ReproductionRecord>,
  ) => Promise<Result<null, Refusal>>;
};

export async function openReproductionStore(
  folder: string,
  clock: { readonly now: () => number },
  onError: OnProblem,
): Promise<ReproductionStore> {
  const plans = await openPlanStore<Reproduction>({
    noun: 'reproduction',
    folder,
    schema: reproductionRecordSchema,
    version: 1,
    readSteps: readPlan,
    clock,
    onError,
  });
  /** Writes of plans and decisions, by reproduction. */
  const queue = createKeyedQueue();
  const decisionsOf = (id: string): string => join(plans.folderOf(id), 'decisions.jsonl');

  const replan: ReproductionStore['replan'] = (id, { plan, work, unmeasured }) =>
    queue.run(id, async () => {
      const written = await plans.writeFile(id, PLAN, {
        version: 1,
        plan,
        work: Object.fromEntries(work),
        unmeasured: Object.fromEntries(unmeasured),
      });
      if (written.ok) plans.replan(id, { plan, work, unmeasured });
      return written;
    });
  const add: ReproductionStore['add'] = async (reproduction) => {
    // The record last: without it there is nothing.
    const planned = await replan(reproduction.record.id, reproduction);
    return planned.ok ? plans.add(reproduction) : planned;
  };

  return {
    ...plans,
    add,
    replan,
    decide: async (id, stepId, text) => {
      const decision: ReproductionDecision = { at: new Date(clock.now()).toISOString(), stepId, text };
      try {
        await queue.run(id, () => appendFile(decisionsOf(id), `${JSON.stringify(decision)}\n`));
      } catch (error) {
        // A decision that cannot be written does not stop the work: the record says what was done.
        onError({ name: 'reproductions', key: id, error, failures: 1, waitMs: 0 });
      }
    },
    decisions: async (id) => {
      const text = await readFile(decisionsOf(id), 'utf8').catch(() => '');
      return text.split('\n').flatMap((line) => {
        const decision = reproductionDecisionSchema.safeParse(parsedJson(line));
        return decision.success ? [decision.data] : [];
      });
    },
    adopt: async (id, from, change) => {
      const unreadable = failed<Refusal>({
        code: 'bad-input',
        message: `The reproduction ${id} cannot be read from its files.`,
      });
      const recordFile = join(from, 'reproduction.json');
      const record = await readJson(recordFile, reproductionRecordSchema);
      if (record.kind !== 'read' || record.value.id !== id || plans.get(id) !== null) return unreadable;
      const planned = await readPlan(record.value, from);
      if (!planned.ok) return unreadable;
      // Nothing is listed before its record is written again.
      await rm(recordFile);
      await makeFolder(folder);
      await rename(from, plans.folderOf(id));
      return add({ ...planned.value, record: { ...record.value, ...change } });
    },
    close: async () => {
      await queue.idle();
      await plans.close();
    },
  };
}

async function readPlan(record: ReproductionRecord, folder: string): Promise<Result<Planned, string>> {
  const file = await readJson(join(folder, PLAN), storedPlanSchema);
  if (file.kind !== 'read') return failed(file.kind === 'missing' ? 'it has no plan' : file.why);
  const { plan, work, unmeasured } = file.value;
  const reproduction = {
    record,
    plan,
    work: new Map(Object.entries(work)),
    unmeasured: new Map(Object.entries(unmeasured)),
  };
  return ok(withStandIns(reproduction));
}
