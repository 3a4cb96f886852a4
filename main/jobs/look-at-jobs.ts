import type { Refusal } from '../../preload/contract';
import { ok, type Result } from '../base';
import type { Asked, Machine } from '../machines';
import { watchGpuMemory } from './gpu-watch';
import { isoAt, type JobSurroundings, keep, lookTimes, startedJob } from './job-surroundings';
import { afterLook } from './logic/after-look';
import { type JobRecord, unknownSince } from './logic/job-record';
import { LOOK_SCRIPT, lookInput, parseLook } from './logic/look-script';
import type { LogFacts } from './logic/sighting';
import { hereIso } from './settle';

/**
 * Looks at all started jobs of a machine at once, and keeps what was seen. A failure: the machine told nothing, and
 * its jobs are `unknown`.
 */
export async function lookAtJobs(around: JobSurroundings, machineId: string): Asked<null> {
  const { book, clock } = around;
  const started = book
    .records()
    .filter(({ spec, phase }) => spec.machineId === machineId && phase === 'started');
  if (started.length === 0) return ok(null);
  const told = await ask(around, machineId, started);
  if (!told.ok) {
    const at = isoAt(clock.now());
    for (const { id } of started) {
      const record = book.get(id);
      if (record !== null) await book.put(unknownSince(record, at, told.error.message));
    }
    return told;
  }
  for (const [index, asked] of started.entries()) {
    const look = told.value[index];
    const record = book.get(asked.id);
    // Started again, stopped or removed since it was asked for.
    if (look === undefined || record?.phase !== 'started' || record.attempt !== asked.attempt) continue;
    const after = afterLook(record, look, lookTimes(around));
    await keep(book, after);
    // Who stopped it looks for that himself.
    if (after.record.phase === 'ended' && after.record.stopGraceMs === null)
      void watchGpuMemory(around, asked.id, false);
  }
  return ok(null);
}

async function ask(around: JobSurroundings, machineId: string, records: readonly JobRecord[]) {
  const machine = around.machines.get(machineId);
  if (!machine.ok) return machine;
  const jobs = records.map((record) => startedJob(record, machine.value, record.folder ?? ''));
  const looks = await around.starters(machine.value).look(jobs);
  if (!looks.ok || looks.value.every(({ log }) => log !== null)) return looks;
  // Slurm knows nothing of files.
  const logs = await lookAtLogs(machine.value, jobs, around.clock.now);
  if (!logs.ok) return logs;
  return ok(looks.value.map((look, index) => ({ ...look, log: look.log ?? logs.value[index] ?? null })));
}

async function lookAtLogs(
  machine: Machine,
  jobs: ReadonlyArray<{ readonly folder: string; readonly attempt: number }>,
  now: () => number,
): Promise<Result<ReadonlyArray<LogFacts | null>, Refusal>> {
  const told = await machine.run(LOOK_SCRIPT, { stdin: lookInput(jobs) });
  if (!told.ok) return told;
  const seen = parseLook(
    told.value.stdout,
    jobs.map(({ folder }) => folder),
  );
  return ok(
    (seen?.jobs ?? []).map(({ log }) => {
      if (seen === null || log === null) return null;
      const lastOutputAt = log.bytes === 0 ? null : hereIso(log.changedSeconds, seen.machine, now());
      return { bytes: log.bytes, lastOutputAt };
    }),
  );
}
