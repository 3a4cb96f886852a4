import { createHash } from 'node:crypto';
import {
  type Answer,
  commands,
  LOCAL_MACHINE,
  type Value,
  type WorkbenchEvent,
} from '../../../preload/contract/index';
import type { Call } from '../dispatch';

const SAVE = commands['machine.saveFile'];

/**
 * Copies of files of machines, for somebody at another computer than the service's. The way from the service's machine to
 * here is this computer's own copy, which continues after a cut and shows its progress. A file of a further machine is
 * copied to the service's machine first; it stays there until it is here, so that the next call continues.
 */
export function withLocalDownloads(there: Call, here: Call, machineId: string): Call {
  const copyHere = (path: string, to: string): Promise<Answer<unknown>> =>
    here('machine.saveFile', { machineId, path, to }, 'terminal');
  return async (name, payload, host) => {
    if (name === 'task.cancel') {
      // Which of the two ways it is on is not known.
      if ((payload as { readonly task?: unknown } | null)?.task === 'file-download')
        await here(name, payload, 'terminal');
      return there(name, payload, host);
    }
    const request = name === 'machine.saveFile' ? SAVE.payload.safeParse(payload) : null;
    if (request === null || !request.success) return there(name, payload, host);
    const { path, to } = request.data;
    if (request.data.machineId === LOCAL_MACHINE) return copyHere(path, to);
    const transferId = uuidOf([request.data.machineId, path, to]);
    const opened = await here('service.placeFor', { machineId, path: to, transferId }, 'terminal');
    if (!opened.ok) return opened;
    const place = opened.value as Value<'service.placeFor'>;
    const first = await there(name, { ...request.data, to: place.path }, host);
    if (!first.ok) return first;
    const copied = await copyHere(place.path, to);
    if (copied.ok) await here('service.dropTransfer', { machineId, transferId }, 'terminal');
    return copied;
  };
}

/** Whether an event of this computer's own workbench tells how far such a copy is. */
export const isDownloadProgress = (event: WorkbenchEvent): boolean =>
  event.kind === 'progress' && event.task === 'file-download';

/** The same words have the same number (RFC 9562, version 8). */
function uuidOf(words: readonly string[]): string {
  const hex = createHash('sha256').update(JSON.stringify(words)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
