import { type JobView, jobHasEnded, jobHasSucceeded, type RoomItem } from '../../../preload/contract/index';
import { counted } from '../../base/index';
import type { MachineRoom } from '../../machines/index';

/** Folders and copies of jobs that ended longer ago may go. */
const OLD_DAYS = 30;
const DAY_MS = 86_400_000;

/** What may go of a machine, the largest first, and what stays and why. */
export type RoomPlan = { readonly items: readonly RoomItem[]; readonly kept: readonly string[] };

/** Jobs whose folder on their machine may go: of trainings it stays, since their curves may be in it. */
export function oldJobs(jobs: readonly JobView[], machineId: string, nowMs: number): readonly JobView[] {
  return jobs.filter(
    (job) => job.machineId === machineId && job.purpose !== 'training' && endedLongAgo(job, nowMs),
  );
}

function endedLongAgo({ state, endedAt, createdAt }: JobView, nowMs: number): boolean {
  return jobHasEnded(state) && nowMs - Date.parse(endedAt ?? createdAt) > OLD_DAYS * DAY_MS;
}

/**
 * What may be removed on another machine: older uploads of our programs that nothing uses, and folders of old jobs.
 * `jobs`: all of the workbench's jobs.
 */
export function planMachineRoom(
  room: MachineRoom,
  jobs: readonly JobView[],
  { machineId, nowMs }: { readonly machineId: string; readonly nowMs: number },
): RoomPlan {
  // A job that failed may be started again, with the programs that its command names.
  const mayRun = jobs.filter((job) => job.machineId === machineId && !jobHasSucceeded(job.state));
  const names = mayRun.map((job) => [job.commandLine, job.setUp, ...Object.values(job.env ?? {})].join('\n'));
  const older = room.tools.filter((tool) =>
    room.tools.some(({ kind, modifiedS, name }) => {
      const isNewer = modifiedS > tool.modifiedS || (modifiedS === tool.modifiedS && name > tool.name);
      return kind === tool.kind && isNewer;
    }),
  );
  const isNamed = (name: string): boolean => names.some((text) => text.includes(name));
  const free = older.filter(({ name, isUsed }) => !isUsed && !isNamed(name));
  const folders = oldJobs(jobs, machineId, nowMs).flatMap((job) => {
    const kib = room.jobs.get(job.id);
    return kib === undefined ? [] : [{ job, kib }];
  });
  const items = [
    ...free.map(
      ({ name, kind, kib, modifiedS }): RoomItem => ({
        id: `tools ${name}`,
        kind: 'program',
        label: `Older upload of ${kind}`,
        path: `tools/${name}`,
        bytes: kib * 1_024,
        at: new Date(modifiedS * 1_000).toISOString(),
      }),
    ),
    ...folders.map(
      ({ job, kib }): RoomItem => ({
        id: `jobs ${job.id}`,
        kind: 'job-folder',
        label: job.name,
        path: `jobs/${job.id}`,
        bytes: kib * 1_024,
        at: job.endedAt ?? job.createdAt,
      }),
    ),
  ];
  const inUse = older.length - free.length;
  return {
    items: largestFirst(items),
    kept: [
      'Of each of our programs the newest upload stays. One that was removed is copied again when it is needed.',
      ...(inUse === 0
        ? []
        : [
            `${counted(inUse, 'older upload')} ${inUse === 1 ? 'stays' : 'stay'}: still used by a process, or by a job that may start again.`,
          ]),
      `Folders of jobs that ended in the last ${OLD_DAYS} days, of trainings, and of jobs that this workbench does not list stay. A folder goes with the samples of its GPUs; its log stays as a copy on this computer.`,
    ],
  };
}

/** What may be removed on this computer: copies of logs of jobs that ended long ago. */
export function planCopiesRoom(
  sizes: ReadonlyMap<string, number>,
  jobs: readonly JobView[],
  nowMs: number,
): RoomPlan {
  const jobsById = new Map(jobs.map((job) => [job.id, job]));
  const items = [...sizes].flatMap(([id, bytes]): RoomItem[] => {
    const job = jobsById.get(id);
    if (job === undefined || !endedLongAgo(job, nowMs)) return [];
    const at = job.endedAt ?? job.createdAt;
    return [
      { id: `copy ${id}`, kind: 'log-copies', label: job.name, path: `jobs/log-copies/${id}.*`, bytes, at },
    ];
  });
  return {
    items: largestFirst(items),
    kept: [
      `Copies of logs of jobs that ended in the last ${OLD_DAYS} days stay. A copy is all that is left of a log whose machine is gone or was cleaned up.`,
    ],
  };
}

function largestFirst(items: readonly RoomItem[]): readonly RoomItem[] {
  return [...items].sort((a, b) => b.bytes - a.bytes || (a.id < b.id ? -1 : 1));
}
