import { copyFile, open, stat, truncate } from 'node:fs/promises';
import { hideSecrets, printableText } from '../../base/index';
import { serviceLog } from './start-files';

const MAX_LOG_BYTES = 5_000_000;
/** How much is shown of the output of a service that did not start. */
const MAX_SHOWN_BYTES = 4_000;
const MAX_SHOWN_LINES = 6;

/** Keeps what the service has printed within limits: the newest part in `service.log`, the one before it beside it. */
export async function limitServiceLog(dataDir: string): Promise<void> {
  const path = serviceLog(dataDir);
  if ((await logBytes(dataDir)) <= MAX_LOG_BYTES) return;
  // Emptied rather than renamed: the service and its supervisor have it open, and continue at its end.
  await copyFile(path, `${path}.1`);
  await truncate(path);
}

/** How much the services of this data folder have printed so far. */
export async function logBytes(dataDir: string): Promise<number> {
  return stat(serviceLog(dataDir)).then(
    (found) => found.size,
    () => 0,
  );
}

/** The last lines that were printed behind `from`, to be shown. */
export async function printedSince(dataDir: string, from: number): Promise<string> {
  const file = await open(serviceLog(dataDir), 'r').catch(() => null);
  if (file === null) return '';
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.min(MAX_SHOWN_BYTES, Math.max(0, size - from)));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, size - bytes.length);
    const lines = bytes.subarray(0, bytesRead).toString('utf8').split('\n').map(printableText);
    return hideSecrets(
      lines
        .filter((line) => line !== '')
        .slice(-MAX_SHOWN_LINES)
        .join('\n'),
    );
  } finally {
    await file.close();
  }
}
