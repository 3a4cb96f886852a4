import type { ComponentType } from 'react';
import { useMemo } from 'react';
import type { Value } from '../../preload/contract/commands/index';
import type { JobLog } from '../../preload/contract/job';
import type { Answer } from '../../preload/contract/refusal';
import type { LogPiece } from '../../preload/contract/server';
import { useWorkbench } from './hooks';

/** A log that can be read by offset; null: the operation is not available. */
export type LogSource = {
  /** `offset` is in bytes from the file's start. */
  readonly read: (offset: number, maxBytes: number) => Promise<Answer<LogPiece>>;
  /** Searches the whole file on its machine, from `offset` on. */
  readonly search: ((text: string, offset: number) => Promise<Answer<Value<'job.searchLog'>>>) | null;
  readonly cancelSearch: () => void;
  /** The byte offset of a line, counted on its machine. */
  readonly findLine: ((line: number) => Promise<Answer<Value<'job.findLine'>>>) | null;
  /** Saves the whole file; asks where. */
  readonly save: (() => Promise<void>) | null;
};

/**
 * Shows a log; passed in by the page, because a screen cannot import another screen's folder. `size`: last known bytes;
 * `live`: more may come. Use another `key` for another file.
 */
export type LogPaneComponent = ComponentType<{
  readonly label: string;
  readonly source: LogSource;
  readonly size: number;
  readonly live: boolean;
}>;

/** Shows the logs of a job; passed in like the pane. `size`: last known bytes of output. */
export type JobLogsComponent = ComponentType<{
  readonly jobId: string;
  readonly name: string;
  readonly hasSetUp: boolean;
  readonly size: number;
  readonly live: boolean;
}>;

/** The same object for the same job and log. */
export function useJobLog(jobId: string, log: JobLog): LogSource {
  const { client, tasks, jobs } = useWorkbench();
  return useMemo(
    () => ({
      read: (offset, maxBytes) => client.call('job.readLog', { jobId, log, offset, maxBytes, orCopy: true }),
      search: (text, offset) =>
        tasks.run('log-search', () => client.call('job.searchLog', { jobId, log, text, offset, limit: 500 })),
      cancelSearch: () => void tasks.cancel('log-search'),
      findLine: (line) => tasks.run('log-search', () => client.call('job.findLine', { jobId, log, line })),
      save: () => jobs.saveLog(jobId, log),
    }),
    [client, tasks, jobs, jobId, log],
  );
}

/** A file of a machine. */
export function useMachineFile(machineId: string, path: string): LogSource {
  const { client, machineActions } = useWorkbench();
  return useMemo(
    () => ({
      read: (offset, maxBytes) => client.call('machine.readFile', { machineId, path, offset, maxBytes }),
      search: null,
      cancelSearch: () => undefined,
      findLine: null,
      save: () => machineActions.saveFile(machineId, path),
    }),
    [client, machineActions, machineId, path],
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
