import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { isPlainName } from './folder-files';
import type { Job, JobService } from './job-api';
import { isoAt, type JobContext, probeTimes, saveAndNotify } from './job-context';
import { applyRefusal } from './logic/apply-probe';
import { type JobRecord, newRecord } from './logic/job-record';
import { type JobSpec, jobSpecSchema } from './logic/job-spec';
import type { MachineQueue } from './machine-queue';
import { notEnded } from './remove-job';

type Queues = {
  readonly queueOf: (machineId: string) => MachineQueue;
  readonly jobNow: (id: string) => Result<Job, Refusal>;
};

/** Launches jobs, together on each machine. */
export function createLauncher(
  { store, machines, clock }: JobContext,
  { newId, queueOf, jobNow }: Queues & { readonly newId: () => string },
): JobService['launchMany'] {
  const recordOf = (input: JobSpec, index: number): Result<JobRecord, Refusal> => {
    const spec = jobSpecSchema.safeParse(input);
    if (!spec.success) return failed(invalidSpec(spec.error.issues));
    const machine = machines.get(spec.data.machineId);
    if (!machine.ok) return machine;
    const id = newId();
    if (!isPlainName(id) || store.get(id) !== null) {
      return failed({ code: 'conflict', message: `There is already a job "${id}".` });
    }
    // A millisecond apart, so that the jobs of one call stay in order.
    return ok(newRecord({ id, spec: spec.data, createdAt: isoAt(clock.now() + index) }));
  };
  /** Removes a refused job. */
  const discard = async ({ id, spec }: JobRecord) => {
    const { folder } = store.get(id) ?? { folder: null };
    await store.remove(id);
    const machine = machines.get(spec.machineId);
    // Best effort: a leftover folder without a record and a process is harmless.
    if (folder !== null && machine.ok) await machine.value.removeFolder(folder);
  };
  return async (specs) => {
    const records = specs.map(recordOf);
    const results = new Map<string, Result<null, Refusal>>();
    const startOn = async (machineId: string) => {
      const own = records.flatMap((record) =>
        record.ok && record.value.spec.machineId === machineId ? record.value : [],
      );
      const ids = own.map(({ id }) => id);
      const unsaved = new Map<string, Result<null, Refusal>>();
      const started = await queueOf(machineId).startMany(ids, async () => {
        for (const record of own) {
          const saved = await store.put(record);
          if (saved.ok) continue;
          unsaved.set(record.id, saved);
          await store.remove(record.id);
        }
      });
      for (const [index, id] of ids.entries()) results.set(id, unsaved.get(id) ?? started[index] ?? ok(null));
    };
    const used = records.flatMap((record) => (record.ok ? [record.value.spec.machineId] : []));
    await Promise.all([...new Set(used)].map(startOn));
    return Promise.all(
      records.map(async (record) => {
        if (!record.ok) return record;
        const result = results.get(record.value.id) ?? ok(null);
        if (result.ok) return jobNow(record.value.id);
        await discard(record.value);
        return result;
      }),
    );
  };
}

/** Starts an ended job again, in its own record. */
export async function relaunchJob(
  context: JobContext,
  { queueOf, jobNow }: Queues,
  id: string,
): Promise<Result<Job, Refusal>> {
  const { store } = context;
  const record = store.require(id);
  if (!record.ok) return record;
  const queue = queueOf(record.value.spec.machineId);
  const marked = await queue.exclusive(id, async () => {
    const now = store.require(id);
    if (!now.ok) return now;
    if (now.value.phase !== 'ended') return failed(notEnded(now.value.spec.name, 'it cannot start again'));
    await store.put({
      ...now.value,
      phase: 'waiting',
      state: { kind: 'queued', why: '' },
      stopGraceMs: null,
      retried: { lost: 0, failed: 0 },
      retriedSeconds: 0,
    });
    return ok(null);
  });
  const started = marked.ok ? await queue.start(id) : marked;
  if (started.ok) return jobNow(id);
  const after = store.get(id);
  if (marked.ok && after !== null) {
    const { record: ended } = applyRefusal(after, started.error.message, probeTimes(context));
    await saveAndNotify(store, { record: ended, notice: null });
  }
  return started;
}

export function invalidSpec(
  issues: ReadonlyArray<{ readonly path: readonly PropertyKey[]; readonly message: string }>,
): Refusal {
  const messages = issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`);
  return { code: 'bad-input', message: `Invalid job. ${messages.join('; ')}` };
}
