import { failed, ok } from '../base';
import type { AsyncResult } from '../machines';
import { isoAt, type JobContext, probeTimes, saveAndNotify, startedJob } from './job-context';
import { applyProbe } from './logic/apply-probe';
import { type JobRecord, withTimelineEntry, withUnknownState } from './logic/job-record';
import type { LeftoverProcess } from './logic/observation';
import { listProcesses } from './logic/stop-script';
import { probeStopped } from './probe-jobs';
import { watchGpuMemory } from './watch-gpu-memory';

/**
 * Ends the current attempt of a job whose record requests a stop. Resolves when nothing of it is left. `unreachable`:
 * must be called again when the machine answers.
 */
export async function stopAttempt(context: JobContext, id: string): AsyncResult<null> {
  const { store, clock } = context;
  const record = store.get(id);
  if (record === null || record.phase === 'ended') return ok(null);
  if (record.phase === 'waiting' || record.folder === null) {
    await end(context, record, 'It was stopped before it started.');
    return ok(null);
  }
  const machine = context.machines.get(record.spec.machineId);
  if (!machine.ok) return machine;
  const job = startedJob(record, machine.value, record.folder);
  const stopped = await context.starters(machine.value).stop(job, record.stopGraceMs ?? 0);
  if (!stopped.ok) {
    const now = store.get(id);
    if (now === null || stopped.error.code !== 'unreachable') return stopped;
    await store.put(withUnknownState(now, isoAt(clock.now()), stopped.error.message));
    return failed({ ...stopped.error, hint: 'It will be stopped as soon as the machine answers again.' });
  }
  const { orphans, left } = stopped.value;
  const at = isoAt(clock.now());
  await store.put({ ...withOrphans(store.get(id) ?? record, orphans, at), phase: 'started' });
  if (left.length > 0) {
    const message = `${listProcesses(left)} of the job "${record.spec.name}" cannot be killed.`;
    const current = store.get(id) ?? record;
    await store.put(withTimelineEntry(current, { at, what: 'not stopped', why: message }));
    return failed({
      code: 'conflict',
      message,
      hint: 'They are blocked in the kernel (a disk, a driver). Often only restarting the machine helps.',
    });
  }
  const probed = await probeStopped(context, store.get(id) ?? record);
  if (!probed.ok) return probed;
  const after = store.get(id);
  // It left no trace: it was prevented from starting.
  if (after !== null && after.phase === 'started' && after.state.kind === 'starting') {
    await end(context, after, 'It was stopped before it started.');
  }
  await watchGpuMemory(context, id, true);
  return ok(null);
}

/** Ends what an ended job left running: its process group, and processes with its marker. Tried once. */
export async function stopLeftovers(context: JobContext, id: string, graceMs: number): AsyncResult<null> {
  const record = context.store.get(id);
  if (record === null || record.phase === 'starting' || record.phase === 'started') return ok(null);
  const machine = context.machines.get(record.spec.machineId);
  if (!machine.ok || record.folder === null) return ok(null);
  const job = startedJob(record, machine.value, record.folder);
  const stopped = await context.starters(machine.value).stop(job, graceMs);
  const now = context.store.get(id);
  if (!stopped.ok || now === null) return ok(null);
  const cleared = {
    ...withOrphans(now, stopped.value.orphans, isoAt(context.clock.now())),
    cleared: job.attempt,
  };
  await context.store.put(cleared);
  return ok(null);
}

function withOrphans(record: JobRecord, orphans: readonly LeftoverProcess[], at: string): JobRecord {
  if (orphans.length === 0) return record;
  const were = orphans.length === 1 ? 'was' : 'were';
  const why = `${listProcesses(orphans)} had left the job's process group and ${were} also ended.`;
  return withTimelineEntry(record, { at, what: 'orphans', why });
}

async function end(context: JobContext, record: JobRecord, why: string): Promise<void> {
  const times = probeTimes(context);
  const observation = { kind: 'exited', code: null, endedAt: times.at, why } as const;
  await saveAndNotify(context.store, applyProbe(record, { observation: observation, log: null }, times));
}

/** Saved before the stop begins, so that it continues even if the app dies now. */
export function withStopRequested(
  record: JobRecord,
  at: string,
  graceMs: number,
  why = 'A stop was requested.',
): JobRecord {
  return {
    ...withTimelineEntry(record, { at, what: 'stopping', why }),
    stopGraceMs: graceMs,
  };
}
