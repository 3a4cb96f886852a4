import type { Refusal } from '../../preload/contract';
import { ok, type Result } from '../base';
import type { AsyncResult, Machine } from '../machines';
import {
  inBackground,
  isoAt,
  type JobContext,
  jobOf,
  probeTimes,
  saveAndNotify,
  startedJob,
} from './job-context';
import { applyProbe, asksBeforeRetry } from './logic/apply-probe';
import { type JobRecord, withUnknownState } from './logic/job-record';
import type { JobProbe, LogInfo } from './logic/observation';
import { PROBE_SCRIPT, parseProbe, probeInput } from './logic/probe-script';
import { localIso } from './resolve-state';
import { watchGpuMemory } from './watch-gpu-memory';

/**
 * Probes all started jobs of a machine at once and updates their records. On failure the machine gave no result, and its
 * jobs become `unknown`.
 */
export async function probeJobs(context: JobContext, machineId: string): AsyncResult<null> {
  const { store, clock } = context;
  const started = store
    .records()
    .filter(({ spec, phase }) => spec.machineId === machineId && phase === 'started');
  if (started.length === 0) return ok(null);
  const notice = await askMachine(context, machineId, started);
  if (!notice.ok) {
    const at = isoAt(clock.now());
    for (const { id } of started) {
      const record = store.get(id);
      if (record !== null) await store.put(withUnknownState(record, at, notice.error.message));
    }
    return notice;
  }
  for (const [index, requested] of started.entries()) {
    const probe = notice.value[index];
    const record = store.get(requested.id);
    // It was restarted, stopped or removed meanwhile.
    if (probe === undefined || record?.phase !== 'started' || record.attempt !== requested.attempt) continue;
    // Its processes were killed, and the stop has not written its exit file yet: `stopAttempt` probes it afterwards.
    if (record.stopGraceMs !== null && probe.observation.kind === 'lost') continue;
    if (asksBeforeRetry(record, probe)) {
      await concludeEnd(context, record, probe);
      continue;
    }
    const after = applyProbe(record, probe, probeTimes(context));
    await saveAndNotify(store, after);
    // `stopAttempt` checks this itself.
    if (after.record.phase === 'ended' && after.record.stopGraceMs === null)
      inBackground(context, requested.id, () => watchGpuMemory(context, requested.id, false));
  }
  return ok(null);
}

/**
 * Asks the launcher whether the job may start again. Without an answer its record is left alone, so that the next probe
 * sees the same end.
 */
async function concludeEnd(context: JobContext, record: JobRecord, probe: JobProbe): Promise<void> {
  const { store } = context;
  const { observation } = probe;
  const exitCode = observation.kind === 'exited' ? observation.code : null;
  const answer = await context.retryGate()?.(jobOf(record), exitCode);
  if (answer === undefined || !answer.ok) return;
  const now = store.get(record.id);
  // It was stopped or removed meanwhile.
  if (now?.phase !== 'started' || now.attempt !== record.attempt || now.stopGraceMs !== null) return;
  const after = applyProbe(now, probe, probeTimes(context), answer.value);
  await saveAndNotify(store, after);
  if (after.record.phase === 'ended')
    inBackground(context, record.id, () => watchGpuMemory(context, record.id, false));
}

/** Probes one job whose processes were ended by a stop that has written what it did. */
export async function probeStopped(context: JobContext, requested: JobRecord): AsyncResult<null> {
  const probed = await askMachine(context, requested.spec.machineId, [requested]);
  if (!probed.ok) return probed;
  const [probe] = probed.value;
  const record = context.store.get(requested.id);
  if (probe === undefined || record?.phase !== 'started') return ok(null);
  await saveAndNotify(context.store, applyProbe(record, probe, probeTimes(context)));
  return ok(null);
}

async function askMachine(context: JobContext, machineId: string, records: readonly JobRecord[]) {
  const machine = context.machines.get(machineId);
  if (!machine.ok) return machine;
  const jobs = records.map((record) => startedJob(record, machine.value, record.folder ?? ''));
  const probes = await context.starters(machine.value).probe(jobs);
  if (!probes.ok || probes.value.every(({ log }) => log !== null)) return probes;
  // This starter did not report on the log files.
  const logs = await probeLogs(machine.value, jobs, context.clock.now);
  if (!logs.ok) return logs;
  return ok(probes.value.map((probe, index) => ({ ...probe, log: probe.log ?? logs.value[index] ?? null })));
}

async function probeLogs(
  machine: Machine,
  jobs: ReadonlyArray<{ readonly folder: string; readonly attempt: number }>,
  now: () => number,
): Promise<Result<ReadonlyArray<LogInfo | null>, Refusal>> {
  const notice = await machine.run(PROBE_SCRIPT, { stdin: probeInput(jobs) });
  if (!notice.ok) return notice;
  const probed = parseProbe(
    notice.value.stdout,
    jobs.map(({ folder }) => folder),
  );
  return ok(
    (probed?.jobs ?? []).map(({ log }) => {
      if (probed === null || log === null) return null;
      const lastOutputAt = log.bytes === 0 ? null : localIso(log.changedSeconds, probed.machine, now());
      return { bytes: log.bytes, lastOutputAt, leftOut: log.leftOut };
    }),
  );
}
