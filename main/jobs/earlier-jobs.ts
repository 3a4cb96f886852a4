import { LOCAL_MACHINE } from '../../preload/contract';
import { isoAt, type JobSurroundings } from './job-surroundings';
import { jobFiles, readCommandFile } from './logic/job-files';
import { type JobRecord, newRecord } from './logic/job-record';
import { lookAtJobs } from './look-at-jobs';

/**
 * Jobs of this computer that have a folder and no record: those of workbench 0.1, which kept no records, and those
 * whose record was damaged. They get one; how they fare the next look tells. Folders that are no job's are left alone.
 */
export async function adoptEarlierJobs(around: JobSurroundings): Promise<void> {
  const machine = around.machines.get(LOCAL_MACHINE);
  if (!machine.ok) return;
  const home = await machine.value.home();
  if (!home.ok) return;
  const names = await machine.value.listFolder(`${home.value}/jobs`);
  if (!names.ok) return;
  let found = 0;
  for (const id of names.value) {
    if (around.book.get(id) !== null) continue;
    const folder = `${home.value}/jobs/${id}`;
    const text = await machine.value.readText(`${folder}/${jobFiles.command}`);
    const file = text.ok ? readCommandFile(text.value, LOCAL_MACHINE) : null;
    if (file === null || file.id !== id) continue;
    const inside = await machine.value.listFolder(folder);
    const attempt = inside.ok ? lastAttempt(inside.value) : 0;
    const record: JobRecord = {
      ...newRecord({ id, spec: file.spec, createdAt: file.createdAt }),
      folder,
      phase: 'started',
      state: { kind: 'starting' },
      attempt: file.version === 1 ? 0 : attempt,
      attempts: Math.max(1, attempt),
      askedAt: file.createdAt,
      startedAt: file.createdAt,
      timeline: [
        { at: isoAt(around.clock.now()), what: 'found', why: 'Its folder was there without a record.' },
      ],
    };
    await around.book.put(record);
    found += 1;
  }
  // Nobody is told of what ended under an earlier version.
  const silent = { ...around, book: { ...around.book, tell: () => undefined } };
  if (found > 0) await lookAtJobs(silent, LOCAL_MACHINE);
}

function lastAttempt(names: readonly string[]): number {
  return Math.max(0, ...names.map((name) => Number(/^attempt-(\d+)$/.exec(name)?.[1] ?? 0)));
}
