import { LOCAL_MACHINE, type Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { adoptEarlierJobs } from './earlier-jobs';
import type { Job, JobService } from './job-api';
import { openJobBook } from './job-book';
import { jobLogs } from './job-logs';
import { isoAt, type JobSurroundings, jobOf, keep, lookTimes } from './job-surroundings';
import { afterRefusal } from './logic/after-look';
import { type JobRecord, newRecord, viewOf } from './logic/job-record';
import { type JobSpec, jobSpecSchema } from './logic/job-spec';
import { createMachineDesk, type MachineDesk } from './machine-desk';

const plainName = /^[\w-][\w.-]*$/;

/**
 * Opens the records in `folder` (of this computer, one workbench at a time), and begins to look after what they name.
 * Listeners that are added at once miss nothing. Throws the system's error where the folder can not be read.
 */
export async function createJobService(
  options: Omit<JobSurroundings, 'book'> & {
    readonly folder: string;
    /** A word that no other job has; a plain file name. */
    readonly newId: () => string;
  },
): Promise<JobService> {
  const { machines, clock } = options;
  const book = await openJobBook(options.folder);
  const around: JobSurroundings = { ...options, book };
  const logs = jobLogs(around);
  const desks = new Map<string, MachineDesk>();

  const deskOf = (machineId: string): MachineDesk => {
    const known = desks.get(machineId);
    if (known !== undefined) return known;
    const desk = createMachineDesk(around, machineId);
    desks.set(machineId, desk);
    return desk;
  };
  const livingMachines = () => [
    ...new Set(
      book
        .records()
        .filter(({ phase }) => phase !== 'ended')
        .map(({ spec }) => spec.machineId),
    ),
  ];
  const jobNow = (id: string): Result<Job, Refusal> => {
    const record = book.ask(id);
    return record.ok ? ok(jobOf(record.value)) : record;
  };
  const lookAtAll = async () => {
    const others = livingMachines().filter((id) => id !== LOCAL_MACHINE);
    const here = deskOf(LOCAL_MACHINE);
    await Promise.all([
      ...others.map((id) => deskOf(id).pass()),
      here
        .pass()
        .then(() => adoptEarlierJobs(around))
        .then(() => here.pass()),
    ]);
  };
  // After the caller's own work: then those who listen hear of what ended while nobody was there.
  const firstLook = new Promise<void>((resolve, reject) => {
    setImmediate(() => lookAtAll().then(resolve, reject));
  });

  const recordOf = (given: JobSpec, place: number): Result<JobRecord, Refusal> => {
    const spec = jobSpecSchema.safeParse(given);
    if (!spec.success) return failed(unfit(spec.error.issues));
    const machine = machines.get(spec.data.machineId);
    if (!machine.ok) return machine;
    const id = options.newId();
    if (!plainName.test(id) || book.get(id) !== null) {
      return failed({ code: 'conflict', message: `There is already a job "${id}".` });
    }
    // A millisecond between them keeps those of one call in their order.
    return ok(newRecord({ id, spec: spec.data, createdAt: isoAt(clock.now() + place) }));
  };
  /** Of one that was refused. */
  const forget = async ({ id, spec }: JobRecord) => {
    const { folder } = book.get(id) ?? { folder: null };
    await book.remove(id);
    const machine = machines.get(spec.machineId);
    if (folder !== null && machine.ok) await machine.value.removeFolder(folder);
  };
  const launchMany: JobService['launchMany'] = async (specs) => {
    const made = specs.map(recordOf);
    const answers = new Map<string, Result<null, Refusal>>();
    const beginOn = async (machineId: string) => {
      const records = made.flatMap((one) =>
        one.ok && one.value.spec.machineId === machineId ? one.value : [],
      );
      const ids = records.map(({ id }) => id);
      const unwritten = new Map<string, Result<null, Refusal>>();
      const begun = await deskOf(machineId).beginMany(ids, async () => {
        for (const record of records) {
          const noted = await book.put(record);
          if (noted.ok) continue;
          unwritten.set(record.id, noted);
          await book.remove(record.id);
        }
      });
      for (const [index, id] of ids.entries()) answers.set(id, unwritten.get(id) ?? begun[index] ?? ok(null));
    };
    const used = made.flatMap((one) => (one.ok ? [one.value.spec.machineId] : []));
    await Promise.all([...new Set(used)].map(beginOn));
    return Promise.all(
      made.map(async (one) => {
        if (!one.ok) return one;
        const answer = answers.get(one.value.id) ?? ok(null);
        if (answer.ok) return jobNow(one.value.id);
        await forget(one.value);
        return answer;
      }),
    );
  };

  return {
    launch: async (spec) => (await launchMany([spec]))[0] ?? failed(unfit([])),
    launchMany,
    launchAgain: async (id) => {
      const record = book.ask(id);
      if (!record.ok) return record;
      const desk = deskOf(record.value.spec.machineId);
      const noted = await desk.alone(id, async () => {
        const now = book.ask(id);
        if (!now.ok) return now;
        if (now.value.phase !== 'ended')
          return failed(notEnded(now.value.spec.name, 'it cannot start again'));
        await book.put({
          ...now.value,
          phase: 'waiting',
          state: { kind: 'queued', why: '' },
          stopGraceMs: null,
          retried: { lost: 0, failed: 0 },
        });
        return ok(null);
      });
      const begun = noted.ok ? await desk.begin(id) : noted;
      if (begun.ok) return jobNow(id);
      const after = book.get(id);
      if (noted.ok && after !== null) {
        const { record: ended } = afterRefusal(after, begun.error.message, lookTimes(around));
        await keep(book, { record: ended, told: null });
      }
      return begun;
    },
    stop: async (id, graceMs) => {
      const record = book.ask(id);
      if (!record.ok) return record;
      const stopped = await deskOf(record.value.spec.machineId).stop(id, graceMs);
      return stopped.ok ? jobNow(id) : stopped;
    },
    list: () => book.records().map(jobOf),
    views: () => book.records().map(viewOf),
    view: (id) => {
      const record = book.ask(id);
      return record.ok ? ok(viewOf(record.value)) : record;
    },
    inspect: async (id) => {
      const record = book.ask(id);
      if (!record.ok) return record;
      const desk = deskOf(record.value.spec.machineId);
      desk.watched();
      const { phase } = record.value;
      const looked =
        phase === 'ended' ? ok(null) : phase === 'started' ? await desk.look() : await desk.pass();
      return looked.ok ? jobNow(id) : looked;
    },
    ready: () => firstLook,
    lookSoon: (machineId) => {
      for (const id of livingMachines()) {
        if (machineId === undefined || machineId === id) void deskOf(id).pass();
      }
    },
    onChange: book.onChange,
    onRemoved: book.onRemoved,
    onNotice: book.onNotice,
    readLog: async (id, log, offset, maxBytes) => {
      const record = book.get(id);
      if (record !== null && record.phase !== 'ended') deskOf(record.spec.machineId).watched();
      return logs.read(id, log, offset, maxBytes);
    },
    searchLog: logs.search,
    findLine: logs.findLine,
    saveLog: logs.save,
    readFile: async (id, name) => {
      const place = logs.placeOf(id);
      if (!place.ok) return place;
      if (!plainName.test(name)) return failed(noName(name));
      return place.value === null ? ok(null) : place.value.machine.readText(`${place.value.folder}/${name}`);
    },
    writeFile: async (id, name, text) => {
      const place = logs.placeOf(id);
      if (!place.ok) return place;
      if (!plainName.test(name)) return failed(noName(name));
      if (place.value !== null) return place.value.machine.writeText(`${place.value.folder}/${name}`, text);
      const message = `The job "${id}" has no folder yet: its machine has not been asked.`;
      return failed({ code: 'conflict', message });
    },
    folderOf: (id) => book.get(id)?.folder ?? null,
    machineOf: (id) => {
      const record = book.ask(id);
      return record.ok ? machines.get(record.value.spec.machineId) : record;
    },
    remove: async (id) => {
      const record = book.ask(id);
      if (!record.ok) return record;
      const desk = deskOf(record.value.spec.machineId);
      return desk.alone(id, async () => {
        const now = book.ask(id);
        if (!now.ok) return now;
        const machine = machines.get(now.value.spec.machineId);
        // Of a machine that is gone from the list nothing will ever be known.
        if (now.value.phase !== 'ended' && machine.ok) {
          return failed({ ...notEnded(now.value.spec.name, 'it stays'), hint: 'Stop it first.' });
        }
        if (machine.ok && now.value.folder !== null) {
          const removed = await machine.value.removeFolder(now.value.folder);
          if (!removed.ok) return removed;
        }
        await book.remove(id);
        return ok(null);
      });
    },
    dispose: async () => {
      await Promise.all([...desks.values()].map((desk) => desk.dispose()));
      await book.close();
    },
  };
}

function notEnded(name: string, so: string): Refusal {
  return { code: 'conflict', message: `The job "${name}" has not ended, so ${so}.` };
}

function noName(name: string): Refusal {
  return { code: 'bad-input', message: `"${name}" is no name of a file in a job's folder.` };
}

function unfit(
  issues: ReadonlyArray<{ readonly path: readonly PropertyKey[]; readonly message: string }>,
): Refusal {
  const words = issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`);
  return { code: 'bad-input', message: `This can not be a job. ${words.join('; ')}` };
}
