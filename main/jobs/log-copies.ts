import { type JobLog, type JobView, jobHasEnded, LOCAL_MACHINE } from '../../preload/contract';
import { createKeyedQueue } from '../base';
import { CopyFiles, type LogCopy, MAX_COPY_BYTES } from './copy-files';
import { inBackground, isoAt, type JobContext } from './job-context';
import { logFile } from './logic/job-files';
import { readStored } from './stored-log';

export type { LogCopy } from './copy-files';

/** A running job's log is copied this often at most: the copy may lack what a minute brought. */
const EVERY_MS = 60_000;
/** Reads of one round: what is written faster waits for the next one. */
const MAX_READS = 3;

export type LogCopies = {
  /** A job was seen: copies its logs when that is due. */
  readonly note: (job: JobView) => void;
  /** null: there is none. */
  readonly read: (id: string, log: JobLog) => Promise<LogCopy | null>;
  readonly remove: (id: string) => Promise<void>;
  /** Copies the logs of an ended job now; false: they cannot be read, or their end is not in the copy. */
  readonly keep: (id: string) => Promise<boolean>;
  /** Bytes of all copies by job. */
  readonly sizes: () => Promise<ReadonlyMap<string, number>>;
  /** Nothing is written afterwards. */
  readonly close: () => Promise<void>;
};

const LOGS: readonly JobLog[] = ['output', 'set-up'];
const idOf = (key: string): string => key.slice(0, key.lastIndexOf('.'));
const keyOf = (id: string, log: JobLog): string => `${id}.${log}`;

/**
 * Copies of logs of jobs on other machines, in `folder` on this computer, so that they can be read after the machine is
 * gone.
 */
export function logCopies(context: JobContext, folder: string): LogCopies {
  const { store, machines, clock } = context;
  const files = new CopyFiles(folder, () => isoAt(clock.now()));
  /** One after the other on each machine. */
  const queue = createKeyedQueue();
  const jobs = new Map<string, { copiedMs: number; timer: NodeJS.Timeout | null; seen: string }>();
  let isClosed = false;
  const writing = new Set<Promise<void>>();
  const copy = async (id: string, log: JobLog): Promise<void> => {
    const key = keyOf(id, log);
    for (let reads = 0; reads < MAX_READS && !isClosed; reads++) {
      const record = store.get(id);
      if (record === null || record.folder === null) return;
      const machine = machines.get(record.spec.machineId);
      if (!machine.ok) return;
      const before = (await files.all()).get(key);
      const end = before === undefined ? 0 : before.from + before.bytes;
      const isFar = log === 'output' && record.logBytes - end > MAX_COPY_BYTES;
      const from = before === undefined || isFar || reads > 1 ? -MAX_COPY_BYTES : end;
      const path = `${record.folder}/${logFile(log)}`;
      const slice = await readStored(machine.value, path, from, MAX_COPY_BYTES);
      if (!slice.ok || slice.value === null || isClosed) return;
      const { bytes, size, start } = slice.value;
      // A log that is shorter than its copy was written again from its start.
      if (size < end && from >= 0) continue;
      const hasEnd = record.phase === 'ended' && start + bytes.length >= size;
      const isSame = bytes.length === 0 && before?.hasEnd === hasEnd;
      if (!isSame && start + bytes.length > 0) {
        // Where it cannot be written, the log is read on its machine as before.
        const written = files.write(key, bytes, start, hasEnd).catch(() => undefined);
        writing.add(written);
        await written.finally(() => writing.delete(written));
      }
      if (start + bytes.length >= size) return;
    }
  };
  const copyAll = (id: string, machineId: string, hasSetUp: boolean): void =>
    inBackground(context, id, () =>
      queue.run(machineId, async () => {
        for (const log of LOGS) if (log === 'output' || hasSetUp) await copy(id, log);
        await files.makeRoom((key) => store.get(idOf(key))?.phase === 'started');
      }),
    );

  return {
    note: ({ id, machineId, state, attempts, logBytes, setUp }) => {
      const hasEnded = jobHasEnded(state);
      if (isClosed || machineId === LOCAL_MACHINE || (state.kind !== 'running' && !hasEnded)) return;
      if (logBytes === 0 && setUp === '') return;
      const job = jobs.get(id) ?? { copiedMs: Number.NEGATIVE_INFINITY, timer: null, seen: '' };
      jobs.set(id, job);
      const version = `${attempts} ${logBytes} ${hasEnded}`;
      if (version === job.seen) return;
      job.seen = version;
      const run = (): void => {
        if (job.timer !== null) clearTimeout(job.timer);
        job.timer = null;
        job.copiedMs = clock.now();
        copyAll(id, machineId, setUp !== '');
      };
      const waitMs = hasEnded ? 0 : job.copiedMs + EVERY_MS - clock.now();
      if (waitMs <= 0) run();
      // What comes until then is in that copy too.
      else job.timer ??= setTimeout(run, waitMs).unref();
    },
    read: (id, log) => files.read(keyOf(id, log)),
    remove: async (id) => {
      const job = jobs.get(id);
      if (job?.timer) clearTimeout(job.timer);
      jobs.delete(id);
      for (const log of LOGS) await files.drop(keyOf(id, log));
    },
    keep: async (id) => {
      const record = store.get(id);
      if (record === null) return false;
      if (record.logBytes === 0) return true;
      const key = keyOf(id, 'output');
      if ((await files.all()).get(key)?.hasEnd !== true) {
        await queue.run(record.spec.machineId, () => copy(id, 'output'));
        if (record.spec.setUp !== '') await queue.run(record.spec.machineId, () => copy(id, 'set-up'));
      }
      return (await files.all()).get(key)?.hasEnd === true;
    },
    sizes: async () => {
      const sizes = new Map<string, number>();
      for (const [key, { bytes }] of await files.all())
        sizes.set(idOf(key), (sizes.get(idOf(key)) ?? 0) + bytes);
      return sizes;
    },
    close: async () => {
      isClosed = true;
      for (const { timer } of jobs.values()) if (timer !== null) clearTimeout(timer);
      await Promise.allSettled(writing);
    },
  };
}
