import { failed, ok } from '../../base';
import type { AsyncResult } from '../../machines';
import type { JobStarter, StartedJob } from '../job-starter';
import { DEFAULT_LOG_LIMIT_BYTES } from '../logic/log-limit';
import type { JobProbe, StopResult } from '../logic/observation';
import type { QueueRow } from '../logic/slurm/queue';
import { noAnswer, slurmRefusal, unanswered } from '../logic/slurm/refusals';
import {
  parseSlurmStopped,
  STOP_UNANSWERED,
  slurmStopScript,
  stopTimeoutMs,
} from '../logic/slurm/stop-script';
import { duplicatesInQueue } from '../logic/slurm/survey';
import { probeSlurm } from './probe-slurm';
import { type Started, startInSlurm } from './start-in-slurm';
import { locateInQueue, slurmNameOf, survey } from './survey';

/** On a shared disk, files of a node may become visible elsewhere a minute later (NFS attribute caches). */
const FILE_DELAY_MS = 60_000;

/** Minimum interval between queries of the queue: frequent squeue calls burden the cluster. */
const QUEUE_CACHE_MS = 10_000;

export type SlurmStarter = JobStarter & {
  /**
   * Starts many jobs on one machine together: equal resource requests become elements of one job array. Idempotent like
   * `start`; a result for each, in order.
   */
  readonly startMany: (jobs: readonly StartedJob[]) => Promise<readonly Started[]>;
};

/**
 * Runs jobs through Slurm's programs on a login node. A job's folder has the same files as on other machines and must be
 * visible to the nodes; Slurm provides the rest: why a job waits, and who ended it.
 */
export function createSlurmStarter({
  clock,
  queueCacheMs = QUEUE_CACHE_MS,
  logLimitBytes = () => DEFAULT_LOG_LIMIT_BYTES,
  workbench = 'unknown',
}: {
  readonly clock: { readonly now: () => number };
  /** How long the queue of a machine is cached, unless the jobs' files show a change. */
  readonly queueCacheMs?: number;
  /** See `createDetachedStarter`. */
  readonly logLimitBytes?: () => number | null;
  /** See `createDetachedStarter`. */
  readonly workbench?: string;
}): SlurmStarter {
  const queues = new Map<string, { readonly atMs: number; readonly rows: readonly QueueRow[] }>();
  /** Since when an attempt has been observed to have ended without an exit code. */
  const lostSinceMs = new Map<string, number>();

  const delayLost = (job: StartedJob, probe: JobProbe, nowMs: number): JobProbe => {
    const key = `${job.id} ${job.attempt}`;
    const { observation } = probe;
    if (observation.kind !== 'lost') {
      lostSinceMs.delete(key);
      return probe;
    }
    const sinceMs = lostSinceMs.get(key) ?? nowMs;
    lostSinceMs.set(key, sinceMs);
    if (nowMs - sinceMs >= FILE_DELAY_MS) {
      lostSinceMs.delete(key);
      return probe;
    }
    const why = `${observation.why} Its files may not be visible yet.`;
    return { ...probe, observation: { kind: 'unknown', why } };
  };

  const probe = async (jobs: readonly StartedJob[]): AsyncResult<readonly JobProbe[]> => {
    const nowMs = clock.now();
    const machineId = jobs[0]?.machine.id ?? '';
    const before = queues.get(machineId);
    const isFresh = before !== undefined && nowMs - before.atMs < queueCacheMs;
    const probed = await probeSlurm(jobs, nowMs, isFresh ? before.rows : null);
    if (!probed.ok) return probed;
    const { probes, queue } = probed.value;
    if (queue === null) queues.delete(machineId);
    else if (queue !== before?.rows) queues.set(machineId, { atMs: nowMs, rows: queue });
    return ok(
      probes.flatMap((probe, index) => {
        const job = jobs[index];
        return job === undefined ? [] : [delayLost(job, probe, nowMs)];
      }),
    );
  };

  const startMany: SlurmStarter['startMany'] = (jobs) =>
    startInSlurm(jobs, { logLimitBytes: logLimitBytes(), workbench });

  const stop = async (job: StartedJob, graceMs: number): AsyncResult<StopResult> => {
    const { machine, folder, attempt } = job;
    const { name } = machine.spec;
    const surveyed = await survey(machine, [job]);
    if (!surveyed.ok) return surveyed;
    const { queue, notes } = surveyed.value;
    const [attemptNotes] = notes;
    if (attemptNotes === undefined) return failed(noAnswer(name));
    const { reference } = locateInQueue(job, attemptNotes, queue);
    // Even if Slurm does not answer, the script prevents an attempt that has not started.
    const duplicates = duplicatesInQueue(
      { name: slurmNameOf(job), notes: attemptNotes },
      reference,
      queue ?? [],
    );
    const script = slurmStopScript({
      folder,
      attempt,
      reference,
      duplicates,
      array: attemptNotes.array,
      graceMs,
    });
    const done = await machine.run(script, { timeoutMs: stopTimeoutMs(graceMs) });
    if (!done.ok) return done;
    if (queue === null) return failed(unanswered(surveyed.value, name));
    const { code, stdout, stderr } = done.value;
    if (code === STOP_UNANSWERED) {
      return failed({ ...slurmRefusal(stderr, name, 'to stop the job'), code: 'unreachable' });
    }
    return ok({ orphans: [], left: parseSlurmStopped(stdout, reference) });
  };

  return {
    start: async (job) => (await startMany([job]))[0] ?? failed(noAnswer(job.machine.spec.name)),
    startMany,
    probe: probe,
    stop,
  };
}
