import type { StoreApi } from 'zustand/vanilla';
import type { Payload } from '../../preload/contract/commands/index';
import type { JobLog, JobView } from '../../preload/contract/job';
import { counted } from '../../preload/contract/plans/index';
import type { Refusal } from '../../preload/contract/refusal';
import { savedText } from '../text/tasks';
import type { WorkbenchClient } from '../workbench-client';
import { createNewestFirst, type LiveList } from './live-list';
import type { Location } from './location';
import type { Notices } from './notices';
import { createPendingActions } from './pending-actions';
import type { Tasks } from './tasks';

/** An action that main has not answered yet. */
export type JobAction = 'stop' | 'retry' | 'remove';

export type Jobs = LiveList<JobView> & {
  /** By job id. */
  readonly pendingActions: StoreApi<ReadonlyMap<string, JobAction>>;
  /** Starts it and goes to it; returns a refusal for the form. */
  readonly start: (request: Payload<'job.start'>) => Promise<Refusal | null>;
  /** One job per line; refused ones become notices. */
  readonly startMany: (
    request: Payload<'job.start'>,
    commandLines: readonly string[],
  ) => Promise<Refusal | null>;
  readonly stop: (jobId: string) => Promise<void>;
  readonly retry: (jobId: string) => Promise<void>;
  readonly remove: (jobId: string) => Promise<void>;
  /** One after the other; a notice says how many were refused, and why the first. */
  readonly removeMany: (jobIds: readonly string[]) => Promise<void>;
  readonly saveLog: (jobId: string, log: JobLog) => Promise<void>;
};

export function createJobs(
  client: WorkbenchClient,
  notices: Notices,
  location: Location,
  tasks: Tasks,
): Jobs {
  const list = createNewestFirst(() => client.call('job.list', {}));
  const { store: pendingActions, run } = createPendingActions<JobAction>(notices);
  const { changed } = list;
  const removed = (jobId: string): void => {
    list.removed(jobId);
    const route = location.store.getState().route;
    if (route.kind === 'jobs' && route.jobId === jobId) {
      location.go({ kind: 'jobs', jobId: null }, { replace: true });
    }
  };
  return {
    ...list,
    pendingActions,
    removed,
    start: async (request) => {
      const answer = await client.call('job.start', request);
      if (!answer.ok) return answer.error;
      changed(answer.value);
      location.go({ kind: 'jobs', jobId: answer.value.id });
      return null;
    },
    startMany: async (request, commandLines) => {
      const answer = await client.call('job.startMany', {
        request,
        commandLines: [...commandLines],
      });
      if (!answer.ok) return answer.error;
      for (const job of answer.value.jobs) changed(job);
      for (const { line, message } of answer.value.refused) {
        notices.show({ level: 'error', message: `Command ${line} was not started: ${message}` });
      }
      location.go({ kind: 'jobs', jobId: null });
      return null;
    },
    stop: async (jobId) => {
      const job = await run(jobId, 'stop', client.call('job.stop', { jobId }));
      if (job !== null) changed(job);
    },
    retry: async (jobId) => {
      const job = await run(jobId, 'retry', client.call('job.retry', { jobId }));
      if (job !== null) changed(job);
    },
    remove: async (jobId) => {
      await run(jobId, 'remove', client.call('job.remove', { jobId }));
    },
    removeMany: async (jobIds) => {
      const refused: Refusal[] = [];
      for (const jobId of jobIds) {
        const answer = await client.call('job.remove', { jobId });
        if (!answer.ok) refused.push(answer.error);
      }
      const [first] = refused;
      if (first === undefined) return;
      const message = `${refused.length} of ${counted(jobIds.length, 'job')} could not be removed. ${first.message}`;
      notices.showRefusal({ ...first, message });
    },
    saveLog: async (jobId, log) => {
      const answer = await tasks.run('log-download', () => client.call('job.chooseLogFile', { jobId, log }));
      if (!answer.ok) return notices.showRefusal(answer.error);
      notices.showWritten(savedText('log', answer.value), answer.value.path);
    },
  };
}
