import type { Regrade, Verification } from '../../preload/contract/checks';
import type { Payload, Value } from '../../preload/contract/commands/index';
import type { Answer } from '../../preload/contract/refusal';
import type { WorkbenchClient } from '../workbench-client';
import type { Tasks } from './tasks';

/** Checks of a study; each takes a while and can be cancelled. */
export type StudyChecks = {
  readonly verify: (studyId: string) => Promise<Answer<Verification>>;
  readonly regrade: (
    studyId: string,
    options: Omit<Payload<'study.regrade'>, 'studyId'>,
  ) => Promise<Answer<Value<'study.regrade'>>>;
  /** The nodes whose private verdict a re-grade changed. */
  readonly changes: (studyId: string, regradeId: string) => Promise<Answer<Regrade['changed']>>;
  /** Lets a re-grade count, null: the first grading. */
  readonly count: (studyId: string, regradeId: string | null) => Promise<Answer<null>>;
};

export function createStudyChecks(client: WorkbenchClient, tasks: Tasks): StudyChecks {
  return {
    verify: (studyId) => tasks.run('verify', () => client.call('study.verify', { studyId })),
    regrade: (studyId, options) =>
      tasks.run('regrade', () => client.call('study.regrade', { studyId, ...options })),
    changes: (studyId, regradeId) => client.call('study.regradeChanges', { studyId, regradeId }),
    count: (studyId, regradeId) => client.call('study.countRegrade', { studyId, regradeId }),
  };
}
