import type { Refusal } from '../../preload/contract/index';
import type { Result } from '../base/index';
import type { StudyRecord } from '../storage/index';
import type { StudyDeps } from './active-study';
import type { StudyStore } from './study-store';
import type { StudySession } from './study-views';

/**
 * Does this with a study that does not work. One that works stops for it with its servers kept, and continues as its
 * record then is. Until that is written a kill leaves the study as any kill does; where it is refused, the study stays
 * stopped. To be called between two ticks of the reconciler.
 */
export async function restartStudy<T>(
  studyId: string,
  change: () => Promise<Result<T, Refusal>>,
  options: {
    readonly session: Pick<StudySession, 'running'>;
    readonly store: StudyStore;
    readonly deps: { readonly servers: Pick<StudyDeps['servers'], 'stopOwnedBy'> };
    readonly start: (record: StudyRecord) => Promise<Result<null, Refusal>>;
  },
): Promise<Result<T, Refusal>> {
  const { session, store, deps, start } = options;
  const active = session.running.get(studyId)?.active;
  active?.stop('paused', { keepsServers: true });
  await active?.ended;
  const changed = await change();
  const record = store.find(studyId);
  if (active === undefined || !record.ok) return changed;
  // What could not be written is saved by the next tick, as a pause.
  const started = changed.ok ? await start(record.value) : changed;
  if (!started.ok) await deps.servers.stopOwnedBy(studyId);
  return started.ok ? changed : started;
}
