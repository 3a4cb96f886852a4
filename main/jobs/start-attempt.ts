import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import type { AsyncResult, Machine } from '../machines';
import { isoAt, type JobContext, startedJob } from './job-context';
import type { JobStarter, StartedJob } from './job-starter';
import { type JobRecord, withUnknownState } from './logic/job-record';

/** `begun`: recorded in the job's record. `refused`: nothing was started. */
type StartOutcome = { readonly kind: 'begun' } | { readonly kind: 'refused'; readonly refusal: Refusal };

/**
 * Starts the current attempts of jobs of one machine in the phase `starting`, also again if an earlier result was lost.
 * A failure is `unreachable`: the job is then `unknown`, and this must be called again. `refused`: nothing was started
 * and the record is unchanged. Results are in the order of `ids`.
 */
export async function startAttempts(
  context: JobContext,
  machineId: string,
  ids: readonly string[],
): Promise<readonly Result<StartOutcome, Refusal>[]> {
  const { store, clock } = context;
  const machine = context.machines.get(machineId);
  const outcomes = new Map<string, Result<StartOutcome, Refusal>>();
  const jobs: StartedJob[] = [];

  for (const id of ids) {
    const record = store.get(id);
    if (record === null || record.phase !== 'starting' || record.stopGraceMs !== null) continue;
    if (!machine.ok) {
      outcomes.set(id, ok({ kind: 'refused', refusal: machine.error }));
      continue;
    }
    const folder = await folderOf(machine.value, record);
    if (folder.ok) jobs.push(startedJob(store.get(id) ?? record, machine.value, folder.value));
    else outcomes.set(id, await notStarted(id, folder.error));
  }
  const started = machine.ok ? await startAll(context.starters(machine.value), jobs) : [];
  for (const [index, { id }] of jobs.entries()) {
    const result = started[index];
    if (result === undefined) continue;
    if (result.ok) await change(id, { phase: 'started', reference: result.value.reference });
    else outcomes.set(id, await notStarted(id, result.error));
  }
  return ids.map((id) => outcomes.get(id) ?? ok({ kind: 'begun' }));

  async function notStarted(id: string, refusal: Refusal): AsyncResult<StartOutcome> {
    if (refusal.code !== 'unreachable') return ok({ kind: 'refused', refusal });
    const now = store.get(id);
    if (now !== null) await store.put(withUnknownState(now, isoAt(clock.now()), refusal.message));
    return failed(refusal);
  }

  async function folderOf(on: Machine, record: JobRecord): AsyncResult<string> {
    if (record.folder !== null) return ok(record.folder);
    const home = await on.home();
    if (!home.ok) return home;
    const folder = `${home.value}/jobs/${record.id}`;
    await change(record.id, { folder });
    return ok(folder);
  }

  async function change(
    id: string,
    part: { folder: string } | { phase: 'started'; reference: string | null },
  ): Promise<void> {
    const now = store.get(id);
    if (now !== null) await store.put({ ...now, ...part });
  }
}

async function startAll(starter: JobStarter, jobs: readonly StartedJob[]) {
  if (jobs.length > 1 && starter.startMany !== undefined) return starter.startMany(jobs);
  const results: Awaited<ReturnType<JobStarter['start']>>[] = [];
  for (const job of jobs) {
    const last = results.at(-1);
    // A machine that does not answer is not asked again for each further job: each could take minutes.
    const isUnreachable = last?.ok === false && last.error.code === 'unreachable';
    results.push(isUnreachable ? last : await starter.start(job));
  }
  return results;
}
