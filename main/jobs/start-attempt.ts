import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import type { Asked, Machine } from '../machines';
import type { JobStarter, StartedJob } from './job-starter';
import { isoAt, type JobSurroundings, startedJob } from './job-surroundings';
import { type JobRecord, unknownSince } from './logic/job-record';

/** A record's attempt: where it is noted that it began, or `unreachable` when nobody knows. */
type StartEnd = { readonly kind: 'begun' } | { readonly kind: 'refused'; readonly refusal: Refusal };

/**
 * Asks for the current attempts of jobs of one machine in the phase `starting`, again where an earlier answer was
 * lost. A failure is `unreachable`: then the job is `unknown`, and this is to be called again. `refused`: nothing was
 * started; the record is left as it was. The answers are in the order of `ids`.
 */
export async function startAttempts(
  around: JobSurroundings,
  machineId: string,
  ids: readonly string[],
): Promise<readonly Result<StartEnd, Refusal>[]> {
  const { book, clock } = around;
  const machine = around.machines.get(machineId);
  const ends = new Map<string, Result<StartEnd, Refusal>>();
  const jobs: StartedJob[] = [];

  for (const id of ids) {
    const record = book.get(id);
    if (record === null || record.phase !== 'starting' || record.stopGraceMs !== null) continue;
    if (!machine.ok) {
      ends.set(id, ok({ kind: 'refused', refusal: machine.error }));
      continue;
    }
    const folder = await folderOf(machine.value, record);
    if (folder.ok) jobs.push(startedJob(book.get(id) ?? record, machine.value, folder.value));
    else ends.set(id, await notStarted(id, folder.error));
  }
  const started = machine.ok ? await startAll(around.starters(machine.value), jobs) : [];
  for (const [index, { id }] of jobs.entries()) {
    const one = started[index];
    if (one === undefined) continue;
    if (one.ok) await change(id, { phase: 'started', reference: one.value.reference });
    else ends.set(id, await notStarted(id, one.error));
  }
  return ids.map((id) => ends.get(id) ?? ok({ kind: 'begun' }));

  async function notStarted(id: string, refusal: Refusal): Asked<StartEnd> {
    if (refusal.code !== 'unreachable') return ok({ kind: 'refused', refusal });
    const now = book.get(id);
    if (now !== null) await book.put(unknownSince(now, isoAt(clock.now()), refusal.message));
    return failed(refusal);
  }

  async function folderOf(on: Machine, record: JobRecord): Asked<string> {
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
    const now = book.get(id);
    if (now !== null) await book.put({ ...now, ...part });
  }
}

async function startAll(starter: JobStarter, jobs: readonly StartedJob[]) {
  if (jobs.length > 1 && starter.startMany !== undefined) return starter.startMany(jobs);
  const answers: Awaited<ReturnType<JobStarter['start']>>[] = [];
  for (const job of jobs) {
    const last = answers.at(-1);
    // One that does not answer is not asked for each of the others: that could take minutes each.
    const isSilent = last?.ok === false && last.error.code === 'unreachable';
    answers.push(isSilent ? last : await starter.start(job));
  }
  return answers;
}
