import { open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type JobLog, type JobView, jobHasEnded, LOCAL_MACHINE } from '../../preload/contract';
import { createKeyedQueue } from '../base';
import { makeFolder, readJson, replaceFile } from '../storage';
import { inBackground, isoAt, type JobContext } from './job-context';
import { logFile } from './logic/job-files';
import { readStored } from './stored-log';

/** Of each log the newest part is copied, at most so many bytes ... */
export const MOST_COPY_BYTES = 2_000_000;
/** ... cut to so many, so that not every new line rewrites the file ... */
const TRIMMED_BYTES = 1_500_000;
/** ... and of all logs together at most so many: the oldest copies of ended jobs go first. */
const MOST_BYTES = 500_000_000;
/** A running job's log is copied this often at most: the copy may lack what a minute brought. */
const EVERY_MS = 60_000;
/** Reads of one round: what is written faster waits for the next one. */
const MOST_READS = 3;
/** Copies that are looked at when the folder is opened. */
const MOST_COPIES = 20_000;
const META = '.json';

const metaSchema = z.object({
  version: z.literal(1),
  /** Offset in the log of the copy's first byte. */
  from: z.number().int().nonnegative(),
  /** More in the file is of a write that a kill interrupted. */
  bytes: z.number().int().min(0).max(MOST_COPY_BYTES),
  /** ISO date. */
  at: z.iso.datetime(),
  /** It reaches the end of the log of a job that had ended. */
  hasEnd: z.boolean(),
});
type Meta = z.infer<typeof metaSchema>;

/** The newest part of a log, as it was copied to this computer. */
export type LogCopy = Pick<Meta, 'from' | 'at' | 'hasEnd'> & { readonly bytes: Uint8Array };

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
  /** One after the other on each machine. */
  const queue = createKeyedQueue();
  const jobs = new Map<string, { copiedMs: number; timer: NodeJS.Timeout | null; seen: string }>();
  let loading: Promise<Map<string, Meta>> | null = null;
  let isClosed = false;
  const writing = new Set<Promise<void>>();
  const fileOf = (key: string): string => join(folder, `${key}.log`);
  const known = (): Promise<Map<string, Meta>> => (loading ??= load());

  const load = async (): Promise<Map<string, Meta>> => {
    const metas = new Map<string, Meta>();
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(META));
    for (const name of names.slice(0, MOST_COPIES)) {
      const meta = await readJson(join(folder, name), metaSchema);
      if (meta.kind === 'read') metas.set(name.slice(0, -META.length), meta.value);
    }
    return metas;
  };
  const drop = async (key: string): Promise<void> => {
    (await known()).delete(key);
    for (const path of [fileOf(key), join(folder, `${key}${META}`)]) await rm(path, { force: true });
  };

  /** `part` begins where the copy ends, or is a copy of its own. */
  const write = async (key: string, part: Uint8Array, start: number, hasEnd: boolean): Promise<void> => {
    const metas = await known();
    const before = metas.get(key);
    const continues = before !== undefined && before.from + before.bytes === start;
    await makeFolder(folder);
    let meta: Meta = { version: 1, from: start, bytes: part.length, at: isoAt(clock.now()), hasEnd };
    if (continues && before.bytes + part.length <= MOST_COPY_BYTES) {
      const file = await open(fileOf(key), 'r+');
      try {
        await file.write(part, 0, part.length, before.bytes);
      } finally {
        await file.close();
      }
      meta = { ...meta, from: before.from, bytes: before.bytes + part.length };
    } else {
      const held = continues ? (await readFile(fileOf(key))).subarray(0, before.bytes) : new Uint8Array();
      const whole = Buffer.concat([held, part]).subarray(continues ? -TRIMMED_BYTES : -MOST_COPY_BYTES);
      meta = { ...meta, from: start + part.length - whole.length, bytes: whole.length };
      await replaceFile(fileOf(key), whole);
    }
    await replaceFile(join(folder, `${key}${META}`), JSON.stringify(meta));
    metas.set(key, meta);
  };

  const makeRoom = async (): Promise<void> => {
    const metas = await known();
    let total = [...metas.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    if (total <= MOST_BYTES) return;
    const runs = (key: string): number => (store.get(idOf(key))?.phase === 'started' ? 1 : 0);
    const oldest = [...metas].sort(
      ([a, one], [b, other]) => runs(a) - runs(b) || (one.at < other.at ? -1 : 1),
    );
    for (const [key, { bytes }] of oldest) {
      if (total <= MOST_BYTES) return;
      await drop(key);
      total -= bytes;
    }
  };

  const copy = async (id: string, log: JobLog): Promise<void> => {
    const key = keyOf(id, log);
    for (let reads = 0; reads < MOST_READS && !isClosed; reads++) {
      const record = store.get(id);
      if (record === null || record.folder === null) return;
      const machine = machines.get(record.spec.machineId);
      if (!machine.ok) return;
      const before = (await known()).get(key);
      const end = before === undefined ? 0 : before.from + before.bytes;
      const isFar = log === 'output' && record.logBytes - end > MOST_COPY_BYTES;
      const from = before === undefined || isFar || reads > 1 ? -MOST_COPY_BYTES : end;
      const path = `${record.folder}/${logFile(log)}`;
      const slice = await readStored(machine.value, path, from, MOST_COPY_BYTES);
      if (!slice.ok || slice.value === null || isClosed) return;
      const { bytes, size, start } = slice.value;
      // A log that is shorter than its copy was written anew.
      if (size < end && from >= 0) continue;
      const hasEnd = record.phase === 'ended' && start + bytes.length >= size;
      const isSame = bytes.length === 0 && before?.hasEnd === hasEnd;
      if (!isSame && start + bytes.length > 0) {
        // Where it cannot be written, the log is read on its machine as before.
        const written = write(key, bytes, start, hasEnd).catch(() => undefined);
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
        await makeRoom();
      }),
    );

  return {
    note: ({ id, machineId, state, attempts, logBytes, setUp }) => {
      const hasEnded = jobHasEnded(state);
      if (isClosed || machineId === LOCAL_MACHINE || (state.kind !== 'running' && !hasEnded)) return;
      if (logBytes === 0 && setUp === '') return;
      const job = jobs.get(id) ?? { copiedMs: Number.NEGATIVE_INFINITY, timer: null, seen: '' };
      jobs.set(id, job);
      const seen = `${attempts} ${logBytes} ${hasEnded}`;
      if (seen === job.seen) return;
      job.seen = seen;
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
    read: async (id, log) => {
      const key = keyOf(id, log);
      const meta = (await known()).get(key);
      if (meta === undefined) return null;
      const bytes = await readFile(fileOf(key)).catch(() => null);
      // A file that lost its end is no copy of what its record says.
      if (bytes === null || bytes.length < meta.bytes) return null;
      const { from, at, hasEnd } = meta;
      return { from, at, hasEnd, bytes: bytes.subarray(0, meta.bytes) };
    },
    remove: async (id) => {
      const job = jobs.get(id);
      if (job?.timer) clearTimeout(job.timer);
      jobs.delete(id);
      for (const log of LOGS) await drop(keyOf(id, log));
    },
    keep: async (id) => {
      const record = store.get(id);
      if (record === null) return false;
      if (record.logBytes === 0) return true;
      const key = keyOf(id, 'output');
      if ((await known()).get(key)?.hasEnd !== true) {
        await queue.run(record.spec.machineId, () => copy(id, 'output'));
        if (record.spec.setUp !== '') await queue.run(record.spec.machineId, () => copy(id, 'set-up'));
      }
      return (await known()).get(key)?.hasEnd === true;
    },
    sizes: async () => {
      const sizes = new Map<string, number>();
      for (const [key, { bytes }] of await known()) sizes.set(idOf(key), (sizes.get(idOf(key)) ?? 0) + bytes);
      return sizes;
    },
    close: async () => {
      isClosed = true;
      for (const { timer } of jobs.values()) if (timer !== null) clearTimeout(timer);
      await Promise.allSettled(writing);
    },
  };
}
