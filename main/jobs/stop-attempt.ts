import { failed, ok } from '../base';
import type { Asked } from '../machines';
import { watchGpuMemory } from './gpu-watch';
import { isoAt, type JobSurroundings, keep, lookTimes, startedJob } from './job-surroundings';
import { afterLook } from './logic/after-look';
import { type JobRecord, unknownSince, withMoment } from './logic/job-record';
import type { FoundProcess } from './logic/sighting';
import { namesOf } from './logic/stop-script';

/**
 * Ends the current attempt of a job whose record says that it is to be stopped; `look` looks at its machine. Answers
 * when nothing of it is left. `unreachable`: to be called again when the machine answers.
 */
export async function stopAttempt(around: JobSurroundings, id: string, look: () => Asked<null>): Asked<null> {
  const { book, clock } = around;
  const record = book.get(id);
  if (record === null || record.phase === 'ended') return ok(null);
  if (record.phase === 'waiting' || record.folder === null) {
    await end(around, record, 'It was stopped before it began.');
    return ok(null);
  }
  const machine = around.machines.get(record.spec.machineId);
  if (!machine.ok) return machine;
  const job = startedJob(record, machine.value, record.folder);
  const stopped = await around.starters(machine.value).stop(job, record.stopGraceMs ?? 0);
  if (!stopped.ok) {
    const now = book.get(id);
    if (now === null || stopped.error.code !== 'unreachable') return stopped;
    await book.put(unknownSince(now, isoAt(clock.now()), stopped.error.message));
    return failed({ ...stopped.error, hint: 'It is stopped as soon as the machine answers again.' });
  }
  const { orphans, left } = stopped.value;
  const at = isoAt(clock.now());
  await book.put({ ...withOrphans(book.get(id) ?? record, orphans, at), phase: 'started' });
  if (left.length > 0) {
    const message = `${namesOf(left)} of the job "${record.spec.name}" ${left.length === 1 ? 'does' : 'do'} not end, even when killed.`;
    const seen = book.get(id) ?? record;
    await book.put(withMoment(seen, { at, what: 'not stopped', why: message }));
    return failed({
      code: 'conflict',
      message,
      hint: 'They hang in the kernel (a disk, a driver): often only a restart of the machine helps.',
    });
  }
  const looked = await look();
  if (!looked.ok) return looked;
  const after = book.get(id);
  // Nothing of it is there and it left no trace: it was kept from beginning.
  if (after !== null && after.phase === 'started' && after.state.kind === 'starting') {
    await end(around, after, 'It was stopped before it began.');
  }
  await watchGpuMemory(around, id, true);
  return ok(null);
}

/** Ends what an ended job left running: its group, and what carries its mark. Tried once. */
export async function stopRest(around: JobSurroundings, id: string, graceMs: number): Asked<null> {
  const record = around.book.get(id);
  if (record === null || record.phase === 'starting' || record.phase === 'started') return ok(null);
  const machine = around.machines.get(record.spec.machineId);
  if (!machine.ok || record.folder === null) return ok(null);
  const job = startedJob(record, machine.value, record.folder);
  const stopped = await around.starters(machine.value).stop(job, graceMs);
  const now = around.book.get(id);
  if (!stopped.ok || now === null) return ok(null);
  const cleared = {
    ...withOrphans(now, stopped.value.orphans, isoAt(around.clock.now())),
    cleared: job.attempt,
  };
  await around.book.put(cleared);
  return ok(null);
}

function withOrphans(record: JobRecord, orphans: readonly FoundProcess[], at: string): JobRecord {
  if (orphans.length === 0) return record;
  const were = orphans.length === 1 ? 'was' : 'were';
  const why = `${namesOf(orphans)} had left the job's process group and ${were} ended too.`;
  return withMoment(record, { at, what: 'orphans', why });
}

async function end(around: JobSurroundings, record: JobRecord, why: string): Promise<void> {
  const times = lookTimes(around);
  const sighting = { kind: 'exited', code: null, endedAt: times.at, why } as const;
  await keep(around.book, afterLook(record, { sighting, log: null }, times));
}

/** Noted before anything is done, so that it is done also when the app dies now. */
export function withStopWanted(record: JobRecord, at: string, graceMs: number): JobRecord {
  return {
    ...withMoment(record, { at, what: 'stopping', why: 'A person asked for it.' }),
    stopGraceMs: graceMs,
  };
}
