import { failed, ok } from '../../base';
import type { Asked } from '../../machines';
import type { JobStarter, StartedJob } from '../job-starter';
import type { JobLook, Stopped } from '../logic/sighting';
import type { QueueRow } from '../logic/slurm/queue';
import { noAnswer, slurmRefusal, unanswered } from '../logic/slurm/refusals';
import { parseSlurmStopped, STOP_UNANSWERED, slurmStopScript, stopTimeoutMs } from '../logic/slurm/stop';
import { twinsInQueue } from '../logic/slurm/survey';
import { lookInSlurm } from './slurm-looks';
import { type Started, startInSlurm } from './slurm-starts';
import { nameOf, placeOf, survey } from './survey';

/** On a shared disk what a node wrote may be seen a minute later elsewhere (attribute caches of NFS). */
const LATE_FILES_MS = 60_000;

/** A queue that is asked every few seconds by everybody is what administrators of clusters complain of first. */
const ASK_EVERY_MS = 10_000;

export type SlurmStarter = JobStarter & {
  /**
   * Starts many jobs of one machine at once: those that ask for the same become elements of one job array. As
   * idempotent as `start`; an answer for each, in their order.
   */
  readonly startMany: (jobs: readonly StartedJob[]) => Promise<readonly Started[]>;
};

/**
 * Hands jobs to Slurm through its programs on a login node. The same files as everywhere else lie in the job's folder,
 * which the nodes have to see; Slurm is asked for what they can not tell: why a job waits, and who ended it.
 */
export function createSlurmStarter({
  clock,
  askEveryMs = ASK_EVERY_MS,
}: {
  readonly clock: { readonly now: () => number };
  /** So long the queue of a machine is not asked for again, unless the jobs' files tell of a change. */
  readonly askEveryMs?: number;
}): SlurmStarter {
  const queues = new Map<string, { readonly atMs: number; readonly rows: readonly QueueRow[] }>();
  /** Since when a start is seen gone without an exit code. */
  const goneSinceMs = new Map<string, number>();

  const believed = (job: StartedJob, look: JobLook, nowMs: number): JobLook => {
    const key = `${job.id} ${job.attempt}`;
    const { sighting } = look;
    if (sighting.kind !== 'lost') {
      goneSinceMs.delete(key);
      return look;
    }
    const sinceMs = goneSinceMs.get(key) ?? nowMs;
    goneSinceMs.set(key, sinceMs);
    if (nowMs - sinceMs >= LATE_FILES_MS) {
      goneSinceMs.delete(key);
      return look;
    }
    const why = `${sighting.why} Its files may still be on their way.`;
    return { ...look, sighting: { kind: 'unknown', why } };
  };

  const look = async (jobs: readonly StartedJob[]): Asked<readonly JobLook[]> => {
    const nowMs = clock.now();
    const machineId = jobs[0]?.machine.id ?? '';
    const before = queues.get(machineId);
    const isNew = before !== undefined && nowMs - before.atMs < askEveryMs;
    const seen = await lookInSlurm(jobs, nowMs, isNew ? before.rows : null);
    if (!seen.ok) return seen;
    const { looks, queue } = seen.value;
    if (queue === null) queues.delete(machineId);
    else if (queue !== before?.rows) queues.set(machineId, { atMs: nowMs, rows: queue });
    return ok(
      looks.flatMap((one, index) => {
        const job = jobs[index];
        return job === undefined ? [] : [believed(job, one, nowMs)];
      }),
    );
  };

  const stop = async (job: StartedJob, graceMs: number): Asked<Stopped> => {
    const { machine, folder, attempt } = job;
    const { name } = machine.spec;
    const seen = await survey(machine, [job]);
    if (!seen.ok) return seen;
    const { queue, notes } = seen.value;
    const [note] = notes;
    if (note === undefined) return failed(noAnswer(name));
    const { reference } = placeOf(job, note, queue);
    // Also while Slurm does not answer: what has not begun is kept from it by a file.
    const twins = twinsInQueue({ name: nameOf(job), notes: note }, reference, queue ?? []);
    const script = slurmStopScript({ folder, attempt, reference, twins, array: note.array, graceMs });
    const done = await machine.run(script, { timeoutMs: stopTimeoutMs(graceMs) });
    if (!done.ok) return done;
    if (queue === null) return failed(unanswered(seen.value, name));
    const { code, stdout, stderr } = done.value;
    if (code === STOP_UNANSWERED) {
      return failed({ ...slurmRefusal(stderr, name, 'to stop the job'), code: 'unreachable' });
    }
    return ok({ orphans: [], left: parseSlurmStopped(stdout, reference) });
  };

  return {
    start: async (job) => (await startInSlurm([job]))[0] ?? failed(noAnswer(job.machine.spec.name)),
    startMany: startInSlurm,
    look,
    stop,
  };
}
