import type { JobLog, Refusal } from '../../preload/contract';
import { failed, LONGEST_CHARACTER_BYTES, leadingPart, ok, type Result, trailingPart } from '../base';
import type { AsyncResult, Machine } from '../machines';
import type { JobService } from './job-api';
import type { JobContext } from './job-context';
import { logFile } from './logic/job-files';
import { saveLogFile } from './save-file';
import { findLineOfFile, searchLogFile } from './search-log';
import { readStored } from './stored-log';

/** The location of a job's files. */
type JobLocation = { readonly machine: Machine; readonly folder: string };

type JobLogs = {
  /** null: its machine has not been asked yet. */
  readonly locationOf: (id: string) => Result<JobLocation | null, Refusal>;
  /** Fails as the job's machine does, and reads nothing. */
  readonly contact: (id: string, log: JobLog) => AsyncResult<unknown>;
} & Pick<JobService, 'readLog' | 'searchLog' | 'findLine' | 'saveLog'>;

/** Logs are files read from byte offsets, so that interruptions neither skip nor repeat anything. */
export function jobLogs({ store, machines }: JobContext): JobLogs {
  const locationOf = (id: string): Result<JobLocation | null, Refusal> => {
    const record = store.require(id);
    if (!record.ok) return record;
    const { folder, spec } = record.value;
    if (folder === null) return ok(null);
    const machine = machines.get(spec.machineId);
    return machine.ok ? ok({ machine: machine.value, folder }) : machine;
  };
  const fileOf = (id: string, log: JobLog) => {
    const location = locationOf(id);
    if (!location.ok) return location;
    if (location.value === null) return ok(null);
    return ok({ machine: location.value.machine, path: `${location.value.folder}/${logFile(log)}` });
  };

  return {
    locationOf,
    contact: async (id, log) => {
      const file = fileOf(id, log);
      return file.ok && file.value !== null ? file.value.machine.readSlice(file.value.path, 0, 0) : file;
    },
    readLog: async (id, log, offset, maxBytes) => {
      const file = fileOf(id, log);
      if (!file.ok) return file;
      // An ended job never completes a character at its log's end. Checked before the file is read.
      const isEnded = store.get(id)?.phase === 'ended';
      const bytesToRead = Math.max(maxBytes, LONGEST_CHARACTER_BYTES);
      const slice =
        file.value === null
          ? null
          : await readStored(file.value.machine, file.value.path, offset, bytesToRead);
      if (slice !== null && !slice.ok) return slice;
      if (slice === null || slice.value === null) return ok({ text: '', nextOffset: 0, size: 0 });
      const { bytes, size, start } = slice.value;
      const leftOut = slice.value.leftOut ?? (log === 'output' ? store.get(id)?.logLeftOut : null);
      const isElsewhere = start !== (offset < 0 ? Math.max(0, size + offset) : Math.min(offset, size));
      const from = (offset < 0 || isElsewhere) && start > 0 ? leadingPart(bytes) : 0;
      const end = start + bytes.length;
      const isComplete = (isEnded && end === size) || end === leftOut?.from;
      const incomplete = isComplete ? 0 : trailingPart(bytes);
      const completeCharacters = bytes.subarray(from, bytes.length - incomplete);
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(completeCharacters);
      return ok({
        text,
        ...(isElsewhere ? { start: start + from } : {}),
        ...(leftOut === null || leftOut === undefined ? {} : { leftOut }),
        nextOffset: start + from + completeCharacters.length,
        size,
      });
    },
    searchLog: async (id, log, query, report, signal) => {
      if (/[\r\n\0]/.test(query.text)) {
        const message = 'Logs are searched line by line, so the text cannot contain a line break.';
        return failed({ code: 'bad-input', message });
      }
      const file = fileOf(id, log);
      if (!file.ok) return file;
      if (file.value === null) return ok({ matches: [], isComplete: true });
      return searchLogFile(file.value.machine, file.value.path, query, report, signal);
    },
    findLine: async (id, log, line, signal) => {
      const file = fileOf(id, log);
      if (!file.ok) return file;
      if (file.value === null) return ok({ offset: 0, isThere: false });
      return findLineOfFile(file.value.machine, file.value.path, line, signal);
    },
    saveLog: async (id, log, path, report, signal) => {
      const file = fileOf(id, log);
      if (!file.ok) return file;
      if (file.value === null) {
        const message = `The job "${id}" has no log yet: it has not started.`;
        return failed({ code: 'conflict', message });
      }
      return saveLogFile(file.value.machine, file.value.path, path, report, signal);
    },
  };
}
