import { join } from 'node:path';
import { jobHasEnded, type Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { reportUnreadable } from '../reconcile';
import { folderFiles } from './folder-files';
import type { Job, JobService, RetryGate } from './job-api';
import { inBackground, type JobContext, jobOf } from './job-context';
import { jobGpus } from './job-gpus';
import { jobLogs } from './job-logs';
import { jobProvenance } from './job-provenance';
import { JobQueues } from './job-queues';
import { openJobStore } from './job-store';
import { createLauncher, invalidSpec, relaunchJob } from './launch-jobs';
import { logCopies } from './log-copies';
import { viewOf } from './logic/job-record';
import { withCopies } from './read-copy';
import { removeJob } from './remove-job';

/** In the folder of the records; no job is called so. */
const LOG_COPIES = 'log-copies';

/**
 * Opens the records in `folder` (on this computer, one workbench at a time) and starts to manage their jobs. Listeners
 * added synchronously miss nothing. Throws the system's error if the folder cannot be read.
 */
export async function createJobService(
  options: Omit<JobContext, 'store' | 'retryGate'> & {
    readonly folder: string;
    /** A unique id that is a valid file name. */
    readonly newId: () => string;
  },
): Promise<JobService> {
  const { machines } = options;
  const store = await openJobStore(options.folder);
  let gate: RetryGate | null = null;
  const context: JobContext = { ...options, store, retryGate: () => gate };
  reportUnreadable('jobs', 'job', store, options.onError);
  const copies = logCopies(context, join(options.folder, LOG_COPIES));
  const logs = jobLogs(context);
  const shown = withCopies(logs, copies, {
    // A machine that answers may have lost the job's folder, or a person cleaned up there.
    isGone: (id, log, { size }) => {
      const record = store.get(id);
      return size === 0 && log === 'output' && record?.phase === 'ended' && record.logBytes > 0;
    },
    contact: logs.contact,
  });
  const gpus = jobGpus(context);
  const provenance = jobProvenance(context, options.folder);
  store.onChange((view) => {
    const { id, state } = view;
    copies.note(view);
    if (jobHasEnded(state)) inBackground(context, id, () => provenance.keep(id));
  });
  const queues = new JobQueues(context);
  const queueOf = (machineId: string) => queues.of(machineId);
  const jobNow = (id: string): Result<Job, Refusal> => {
    const record = store.require(id);
    return record.ok ? ok(jobOf(record.value)) : record;
  };
  // Deferred, so that the caller can add listeners before ended jobs are reported.
  const firstProbe = new Promise<void>((resolve) => {
    setImmediate(() => inBackground(context, null, () => queues.probeAll().finally(resolve)));
  });
  const launchMany = createLauncher(context, { newId: options.newId, queueOf, jobNow });

  return {
    launch: async (spec) => (await launchMany([spec]))[0] ?? failed(invalidSpec([])),
    launchMany,
    relaunch: (id) => relaunchJob(context, { queueOf, jobNow }, id),
    gateRetries: (newGate) => {
      gate = newGate;
      queues.probeSoon();
    },
    stop: async (id, graceMs, why) => {
      const record = store.require(id);
      if (!record.ok) return record;
      const stopped = await queueOf(record.value.spec.machineId).stop(id, graceMs, why);
      return stopped.ok ? jobNow(id) : stopped;
    },
    list: () => store.records().map(jobOf),
    views: () => store.records().map(viewOf),
    view: (id) => {
      const record = store.require(id);
      return record.ok ? ok(viewOf(record.value)) : record;
    },
    inspect: async (id) => {
      const record = store.require(id);
      if (!record.ok) return record;
      const queue = queueOf(record.value.spec.machineId);
      queue.noteInterest();
      const { phase } = record.value;
      const probed =
        phase === 'ended' ? ok(null) : phase === 'started' ? await queue.probe() : await queue.reconcile();
      return probed.ok ? jobNow(id) : probed;
    },
    ready: () => firstProbe,
    probeSoon: (machineId) => queues.probeSoon(machineId),
    onChange: store.onChange,
    onRemoved: store.onRemoved,
    onNotice: store.onNotice,
    readLog: async (id, log, offset, maxBytes) => {
      const record = store.get(id);
      if (record !== null && record.phase !== 'ended') queueOf(record.spec.machineId).noteInterest();
      return logs.readLog(id, log, offset, maxBytes);
    },
    ...shown,
    logCopies: copies,
    ...folderFiles(logs.locationOf),
    provenance: provenance.read,
    gpus: gpus.read,
    folderOf: (id) => store.get(id)?.folder ?? null,
    machineOf: (id) => {
      const record = store.require(id);
      return record.ok ? machines.get(record.value.spec.machineId) : record;
    },
    remove: (id) =>
      removeJob(context, queueOf, id, async () => {
        await provenance.remove(id);
        await copies.remove(id);
        gpus.forget(id);
      }),
    dispose: async () => {
      await queues.dispose();
      await provenance.close();
      await copies.close();
      await store.close();
    },
  };
}
