import { join } from 'node:path';
import { jobHasEnded, LOCAL_MACHINE, type Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { reportUnreadable } from '../reconcile';
import { adoptUnrecordedJobs } from './adopt-unrecorded-jobs';
import type { Job, JobService, RetryGate } from './job-api';
import { inBackground, isoAt, type JobContext, jobOf, probeTimes, saveAndNotify } from './job-context';
import { jobGpus } from './job-gpus';
import { jobLogs } from './job-logs';
import { jobProvenance } from './job-provenance';
import { openJobStore } from './job-store';
import { logCopies } from './log-copies';
import { applyRefusal } from './logic/apply-probe';
import { type JobRecord, newRecord, viewOf } from './logic/job-record';
import { type JobSpec, jobSpecSchema } from './logic/job-spec';
import { createMachineQueue, type MachineQueue } from './machine-queue';
import { withCopies } from './read-copy';

/** In the folder of the records; no job is called so. */
const LOG_COPIES = 'log-copies';

const plainName = /^[\w-][\w.-]*$/;

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
  const { machines, clock } = options;
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
  const queues = new Map<string, MachineQueue>();

  const queueOf = (machineId: string): MachineQueue => {
    const known = queues.get(machineId);
    if (known !== undefined) return known;
    const queue = createMachineQueue(context, machineId);
    queues.set(machineId, queue);
    return queue;
  };
  const activeMachines = () => [
    ...new Set(
      store
        .records()
        .filter(({ phase }) => phase !== 'ended')
        .map(({ spec }) => spec.machineId),
    ),
  ];
  const probeSoon: JobService['probeSoon'] = (machineId) => {
    for (const id of activeMachines()) {
      if (machineId === undefined || machineId === id) queueOf(id).probeSoon();
    }
  };
  const jobNow = (id: string): Result<Job, Refusal> => {
    const record = store.require(id);
    return record.ok ? ok(jobOf(record.value)) : record;
  };
  const probeAll = async () => {
    const others = activeMachines().filter((id) => id !== LOCAL_MACHINE);
    const here = queueOf(LOCAL_MACHINE);
    await Promise.all([
      ...others.map((id) => queueOf(id).reconcile()),
      here
        .reconcile()
        .then(() => adoptUnrecordedJobs(context))
        .then(() => here.reconcile()),
    ]);
  };
  // Deferred, so that the caller can add listeners before ended jobs are reported.
  const firstProbe = new Promise<void>((resolve) => {
    setImmediate(() => inBackground(context, null, () => probeAll().finally(resolve)));
  });

  const recordOf = (input: JobSpec, index: number): Result<JobRecord, Refusal> => {
    const spec = jobSpecSchema.safeParse(input);
    if (!spec.success) return failed(badSpec(spec.error.issues));
    const machine = machines.get(spec.data.machineId);
    if (!machine.ok) return machine;
    const id = options.newId();
    if (!plainName.test(id) || store.get(id) !== null) {
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
  const launchMany: JobService['launchMany'] = async (specs) => {
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

  return {
    launch: async (spec) => (await launchMany([spec]))[0] ?? failed(badSpec([])),
    launchMany,
    gateRetries: (asked) => {
      gate = asked;
      probeSoon();
    },
    relaunch: async (id) => {
      const record = store.require(id);
      if (!record.ok) return record;
      const queue = queueOf(record.value.spec.machineId);
      const marked = await queue.exclusive(id, async () => {
        const now = store.require(id);
        if (!now.ok) return now;
        if (now.value.phase !== 'ended')
          return failed(notEnded(now.value.spec.name, 'it cannot start again'));
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
    probeSoon,
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
    readFile: async (id, name) => {
      const location = logs.locationOf(id);
      if (!location.ok) return location;
      if (!plainName.test(name)) return failed(badFileName(name));
      return location.value === null
        ? ok(null)
        : location.value.machine.readText(`${location.value.folder}/${name}`);
    },
    writeFile: async (id, name, text) => {
      const location = logs.locationOf(id);
      if (!location.ok) return location;
      if (!plainName.test(name)) return failed(badFileName(name));
      if (location.value !== null)
        return location.value.machine.writeText(`${location.value.folder}/${name}`, text);
      const message = `The job "${id}" has no folder yet: its machine has not answered yet.`;
      return failed({ code: 'conflict', message });
    },
    provenance: provenance.read,
    gpus: gpus.read,
    folderOf: (id) => store.get(id)?.folder ?? null,
    machineOf: (id) => {
      const record = store.require(id);
      return record.ok ? machines.get(record.value.spec.machineId) : record;
    },
    remove: async (id) => {
      const record = store.require(id);
      if (!record.ok) return record;
      const queue = queueOf(record.value.spec.machineId);
      return queue.exclusive(id, async () => {
        const now = store.require(id);
        if (!now.ok) return now;
        const machine = machines.get(now.value.spec.machineId);
        // A job on a removed machine can always be removed: its state will never be known.
        if (now.value.phase !== 'ended' && machine.ok) {
          return failed({ ...notEnded(now.value.spec.name, 'it cannot be removed'), hint: 'Stop it first.' });
        }
        if (machine.ok && now.value.folder !== null) {
          const removed = await machine.value.removeFolder(now.value.folder);
          if (!removed.ok) return removed;
        }
        await provenance.remove(id);
        await copies.remove(id);
        gpus.forget(id);
        return store.remove(id);
      });
    },
    dispose: async () => {
      await Promise.all([...queues.values()].map((queue) => queue.dispose()));
      await provenance.close();
      await copies.close();
      await store.close();
    },
  };
}

function notEnded(name: string, consequence: string): Refusal {
  return { code: 'conflict', message: `The job "${name}" has not ended, so ${consequence}.` };
}

function badFileName(name: string): Refusal {
  return { code: 'bad-input', message: `"${name}" is not a valid name of a file in a job's folder.` };
}

function badSpec(
  issues: ReadonlyArray<{ readonly path: readonly PropertyKey[]; readonly message: string }>,
): Refusal {
  const messages = issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`);
  return { code: 'bad-input', message: `Invalid job. ${messages.join('; ')}` };
}
