import type { ComponentType } from 'react';
import { useMemo } from 'react';
import type { Value } from '../../preload/contract/commands/index';
import type { JobLog } from '../../preload/contract/job';
import type { Answer } from '../../preload/contract/refusal';
import type { LogPiece } from '../../preload/contract/server';
import { useWorkbench } from './hooks';

/** A log that can be read by offset, and what else can be done with it; null: it cannot. */
export type LogSource = {
  /** `offset` is in bytes from the file's start. */
  readonly read: (offset: number, maxBytes: number) => Promise<Answer<LogPiece>>;
  /** Searches the whole file where it lies, from `offset` on. */
  readonly search: ((text: string, offset: number) => Promise<Answer<Value<'job.searchLog'>>>) | null;
  readonly cancelSearch: () => void;
  /** The byte that a line begins with, counted where the file lies. */
  readonly findLine: ((line: number) => Promise<Answer<Value<'job.findLine'>>>) | null;
  /** Saves the whole file; asks where. */
  readonly save: (() => Promise<void>) | null;
};

/**
 * Shows a log; handed in by the page, since a screen imports no other folder of screens. `size`: bytes as last heard;
 * `live`: more may come. Mount it anew (a `key`) for another file.
 */
export type LogPaneComponent = ComponentType<{
  readonly label: string;
  readonly source: LogSource;
  readonly size: number;
  readonly live: boolean;
}>;

/** Shows what a job writes; handed in like the pane. `size`: bytes of output as last heard. */
export type JobLogsComponent = ComponentType<{
  readonly jobId: string;
  readonly name: string;
  readonly hasSetUp: boolean;
  readonly size: number;
  readonly live: boolean;
}>;

/** The log of a job; the object stays the same while the job and the log do. */
export function useJobLog(jobId: string, log: JobLog): LogSource {
  const { client, tasks, jobs } = useWorkbench();
  return useMemo(
    () => ({
      read: (offset, maxBytes) => client.call('job.readLog', { jobId, log, offset, maxBytes }),
      search: (text, offset) =>
        tasks.run('log-search', () => client.call('job.searchLog', { jobId, log, text, offset, limit: 500 })),
      cancelSearch: () => void tasks.cancel('log-search'),
      findLine: (line) => tasks.run('log-search', () => client.call('job.findLine', { jobId, log, line })),
      save: () => jobs.saveLog(jobId, log),
    }),
    [client, tasks, jobs, jobId, log],
  );
}

/** The log of a server: its job's where it has one. */
export function useServerLog(serverId: string, jobId: string | null): LogSource {
  const { client, tasks, jobs } = useWorkbench();
  return useMemo(
    () => ({
      read: (offset, maxBytes) => client.call('server.readLog', { serverId, offset, maxBytes }),
      search:
        jobId === null
          ? null
          : (text, offset) =>
              tasks.run('log-search', () =>
                client.call('job.searchLog', { jobId, text, offset, limit: 500 }),
              ),
      cancelSearch: () => void tasks.cancel('log-search'),
      findLine:
        jobId === null
          ? null
          : (line) => tasks.run('log-search', () => client.call('job.findLine', { jobId, line })),
      save: jobId === null ? null : () => jobs.saveLog(jobId, 'output'),
    }),
    [client, tasks, jobs, serverId, jobId],
  );
}
