import type { JobLog, Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import type { Machine } from '../machines';
import { findLineOfFile } from './find-line';
import type { JobService } from './job-api';
import type { JobSurroundings } from './job-surroundings';
import { logFile } from './logic/job-files';
import { LONGEST_CHARACTER_BYTES, leadingPart, trailingPart } from './logic/log-text';
import { saveLogFile } from './save-log';
import { searchLogFile } from './search-log';

/** Where a job's files are; null: its machine has not been asked for it yet. */
type Place = { readonly machine: Machine; readonly folder: string };

type JobLogs = {
  readonly placeOf: (id: string) => Result<Place | null, Refusal>;
  readonly read: JobService['readLog'];
  readonly search: JobService['searchLog'];
  readonly findLine: JobService['findLine'];
  readonly save: JobService['saveLog'];
};

/** Logs are files: whoever reads says from which byte, so nothing is lost or doubled by what happens between. */
export function jobLogs({ book, machines }: JobSurroundings): JobLogs {
  const placeOf = (id: string): Result<Place | null, Refusal> => {
    const record = book.ask(id);
    if (!record.ok) return record;
    const { folder, spec } = record.value;
    if (folder === null) return ok(null);
    const machine = machines.get(spec.machineId);
    return machine.ok ? ok({ machine: machine.value, folder }) : machine;
  };
  const fileOf = (id: string, log: JobLog) => {
    const place = placeOf(id);
    if (!place.ok) return place;
    if (place.value === null) return ok(null);
    return ok({ machine: place.value.machine, path: `${place.value.folder}/${logFile(log)}` });
  };

  return {
    placeOf,
    read: async (id, log, offset, maxBytes) => {
      const file = fileOf(id, log);
      if (!file.ok) return file;
      // At the end of an ended job's log nobody completes a character any more. Asked before the file is read.
      const isOver = book.get(id)?.phase === 'ended';
      const wanted = Math.max(maxBytes, LONGEST_CHARACTER_BYTES);
      const slice =
        file.value === null ? null : await file.value.machine.readSlice(file.value.path, offset, wanted);
      if (slice !== null && !slice.ok) return slice;
      if (slice === null || slice.value === null) return ok({ text: '', nextOffset: 0, size: 0 });
      const { bytes, size } = slice.value;
      const start = offset < 0 ? Math.max(0, size + offset) : Math.min(offset, size);
      const from = offset < 0 && start > 0 ? leadingPart(bytes) : 0;
      const isEnd = start + bytes.length === size;
      const held = isOver && isEnd ? 0 : trailingPart(bytes);
      const whole = bytes.subarray(from, bytes.length - held);
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(whole);
      return ok({ text, nextOffset: start + from + whole.length, size });
    },
    search: async (id, log, query, report, signal) => {
      if (/[\r\n\0]/.test(query.text)) {
        const message = 'A log is searched line by line, so what is looked for can not hold a line break.';
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
    save: async (id, log, path, report, signal) => {
      const file = fileOf(id, log);
      if (!file.ok) return file;
      if (file.value === null) {
        const message = `The job "${id}" has written nothing: it has not begun.`;
        return failed({ code: 'conflict', message });
      }
      return saveLogFile(file.value.machine, file.value.path, path, report, signal);
    },
  };
}
