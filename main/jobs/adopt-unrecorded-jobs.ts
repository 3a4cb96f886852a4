import { LOCAL_MACHINE } from '../../preload/contract';
import { isoAt, type JobContext } from './job-context';
import { jobFiles, readCommandFile } from './logic/job-files';
import { type JobRecord, newRecord } from './logic/job-record';
import { probeJobs } from './probe-jobs';

/**
 * Adds records for jobs on this computer that have a folder but no record: those of workbench 0.1, which had no records,
 * and those with a damaged record. The next probe finds their state. Other folders are ignored.
 */
export async function adoptUnrecordedJobs(context: JobContext): Promise<void> {
  const machine = context.machines.get(LOCAL_MACHINE);
  if (!machine.ok) return;
  const home = await machine.value.home();
  if (!home.ok) return;
  const names = await machine.value.listFolder(`${home.value}/jobs`);
  if (!names.ok) return;
  // A record of a newer version stays in its place, and must not be overwritten.
  const newer = context.store.unreadable().filter(({ path }) => !path.endsWith('.unread'));
  let adopted = 0;
  for (const id of names.value) {
    if (context.store.get(id) !== null || newer.some((record) => record.id === id)) continue;
    const folder = `${home.value}/jobs/${id}`;
    const text = await machine.value.readText(`${folder}/${jobFiles.command}`);
    const file = text.ok ? readCommandFile(text.value, LOCAL_MACHINE) : null;
    if (file === null || file.id !== id) continue;
    const entries = await machine.value.listFolder(folder);
    const attempt = entries.ok ? lastAttempt(entries.value) : 0;
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
        { at: isoAt(context.clock.now()), what: 'found', why: 'Its folder existed without a record.' },
      ],
    };
    await context.store.put(record);
    adopted += 1;
  }
  // No notices for jobs that ended under an earlier version.
  const silent = { ...context, store: { ...context.store, notify: () => undefined } };
  if (adopted > 0) await probeJobs(silent, LOCAL_MACHINE);
}

function lastAttempt(names: readonly string[]): number {
  return Math.max(0, ...names.map((name) => Number(/^attempt-(\d+)$/.exec(name)?.[1] ?? 0)));
}
