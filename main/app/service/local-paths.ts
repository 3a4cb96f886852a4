import { existsSync } from 'node:fs';
import { dirname, normalize } from 'node:path';
import { z } from 'zod';
import type { Answer, CommandName } from '../../../preload/contract/index';
import type { Call } from '../dispatch';

/** Which field of a command's payload is a path of this computer: of what it reads, or of what it writes. */
export const PATHS: Partial<Record<CommandName, { readonly reads?: string; readonly writes?: string }>> = {
  'import.benchmark': { reads: 'path' },
  'import.recording': { reads: 'path' },
  'bundle.open': { reads: 'path' },
  'grader.gradeFile': { reads: 'path', writes: 'out' },
  'bundle.write': { writes: 'path' },
  'report.write': { writes: 'path' },
  'export.write': { writes: 'path' },
  'experiment.export': { writes: 'path' },
  'training.export': { writes: 'path' },
  'diagnostics.write': { writes: 'path' },
  'job.saveLog': { writes: 'path' },
};

/**
 * The commands of a service on another machine, for somebody here: files that they read are copied there first, and what
 * they write lands here. `here`: the commands of this computer's own workbench, which holds the connection.
 */
export function withLocalPaths(there: Call, here: Call, machineId: string): Call {
  return async (name, payload, host) => {
    if (name === 'report.check') return ONLY_THERE;
    const fields = Object.hasOwn(PATHS, name) ? PATHS[name as CommandName] : undefined;
    if (fields === undefined || typeof payload !== 'object' || payload === null)
      return there(name, payload, host);
    const values = { ...payload } as Record<string, unknown>;
    const opened: string[] = [];
    const transfer = async (command: 'service.sendPath' | 'service.placeFor', field: string) => {
      const answer = await here(command, { machineId, path: values[field] }, 'terminal');
      if (!answer.ok) return answer;
      const { transferId, path } = answer.value as { readonly transferId: string; readonly path: string };
      opened.push(transferId);
      values[field] = path;
      return { ok: true as const, value: { transferId, path } };
    };
    try {
      const { reads, writes } = fields;
      if (reads !== undefined) {
        const sent = await transfer('service.sendPath', reads);
        if (!sent.ok) return sent;
      }
      const to = writes === undefined ? undefined : values[writes];
      if (writes === undefined || typeof to !== 'string') return await there(name, values, host);
      // There the folder is a new one, so nothing seems to be in the way.
      if (values.overwrite === false && existsSync(to)) return isInTheWay(to);
      const place = await transfer('service.placeFor', writes);
      if (!place.ok) return place;
      const answer = await there(name, values, host);
      if (!answer.ok) return answer;
      const { transferId, path } = place.value;
      const fetched = await here('service.takeFiles', { machineId, transferId, path: to }, 'terminal');
      if (!fetched.ok) return fetched;
      const value = withPrefix(answer.value, dirname(path), dirname(to));
      return namesOtherPath(value, dirname(to)) ? NOT_NAMED : { ok: true, value };
    } finally {
      for (const transferId of opened)
        void here('service.dropTransfer', { machineId, transferId }, 'terminal');
    }
  };
}

const path = z.string();
/** How answers name what was written. */
const writtenSchema = z.object({
  path: path.optional(),
  files: z.array(z.union([path, z.object({ path })])).optional(),
});

/** A window shows what it has written in its folder: a machine must not name other places of this computer. */
function namesOtherPath(value: unknown, folder: string): boolean {
  const written = writtenSchema.safeParse(value);
  if (!written.success) return false;
  const files = (written.data.files ?? []).map((file) => (typeof file === 'string' ? file : file.path));
  const all = written.data.path === undefined ? files : [written.data.path, ...files];
  return all.some((one) => !normalize(one).startsWith(folder.endsWith('/') ? folder : `${folder}/`));
}

/** The answer with the paths of this computer. */
function withPrefix(value: unknown, there: string, here: string): unknown {
  if (typeof value === 'string')
    return value.startsWith(`${there}/`) ? here + value.slice(there.length) : value;
  if (Array.isArray(value)) return value.map((one) => withPrefix(one, there, here));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withPrefix(one, there, here)]));
}

const NOT_NAMED: Answer<never> = {
  ok: false,
  error: {
    code: 'unavailable',
    message: 'The files were written, but the machine named others, so what it said of them is not shown.',
  },
};

const ONLY_THERE: Answer<never> = {
  ok: false,
  error: {
    code: 'unavailable',
    message:
      'An export is compared with the journals of the computer that it is on, not with those of another machine.',
    hint: 'Copy it to the machine that has the journals, and type "mars2 verify --table" there.',
  },
};

const isInTheWay = (path: string): Answer<never> => ({
  ok: false,
  error: {
    code: 'conflict',
    message: `${path} exists already.`,
    hint: 'Choose another name, or allow to replace it.',
  },
});
