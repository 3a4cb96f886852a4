import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import type { Machine } from '../machines';
import type { JobService } from './job-api';

const plainName = /^[\w-][\w.-]*$/;

/** Of a file in a folder of ours, or of the folder. */
export const isPlainName = (name: string): boolean => plainName.test(name);

/** Files in the folder of a job on its machine. */
export function folderFiles(
  locationOf: (id: string) => Result<{ readonly machine: Machine; readonly folder: string } | null, Refusal>,
): Pick<JobService, 'readFile' | 'writeFile'> {
  return {
    readFile: async (id, name) => {
      const location = locationOf(id);
      if (!location.ok) return location;
      if (!isPlainName(name)) return failed(badFileName(name));
      return location.value === null
        ? ok(null)
        : location.value.machine.readText(`${location.value.folder}/${name}`);
    },
    writeFile: async (id, name, text) => {
      const location = locationOf(id);
      if (!location.ok) return location;
      if (!isPlainName(name)) return failed(badFileName(name));
      if (location.value !== null)
        return location.value.machine.writeText(`${location.value.folder}/${name}`, text);
      const message = `The job "${id}" has no folder yet: its machine has not answered yet.`;
      return failed({ code: 'conflict', message });
    },
  };
}

function badFileName(name: string): Refusal {
  return { code: 'bad-input', message: `"${name}" is not a valid name of a file in a job's folder.` };
}
