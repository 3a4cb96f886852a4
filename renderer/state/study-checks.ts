import type { Regrade, Verification } from '../../preload/contract/checks';
import type { Answer } from '../../preload/contract/refusal';
import type { WorkbenchClient } from '../workbench-client';
import type { Tasks } from './tasks';

/** Checks of a study; each takes a while and can be cancelled. */
export type StudyChecks = {
  readonly verify: (studyId: string) => Promise<Answer<Verification>>;
  readonly regrade: (
    studyId: string,
    options: { readonly programs?: number; readonly grading?: 'as-program' | 'as-published' },
  ) => Promise<Answer<Regrade>>;
};

export function createStudyChecks(client: WorkbenchClient, tasks: Tasks): StudyChecks {
  return {
    verify: (studyId) => tasks.run('verify', () => client.call('study.verify', { studyId })),
    regrade: (studyId, options) =>
      tasks.run('regrade', () => client.call('study.regrade', { studyId, ...options })),
  };
}
