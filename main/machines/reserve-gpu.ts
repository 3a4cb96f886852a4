import type { Reservation } from '../../preload/contract';
import { failed, ok } from '../base';
import {
  readOwnScript,
  reservationText,
  runningEntries,
  withReservation,
  writeReservationScript,
} from './logic/reservation-files';
import type { AsyncResult, Machine } from './machine';

/** Long enough for a slow login; nothing here takes time by itself. */
const TIMEOUT_MS = 30_000;

/**
 * Reserves a GPU for this user for so many minutes from now (by the machine's clock), or cancels the reservation with 0.
 * Writes only this user's own file.
 */
export async function reserveGpu(
  machine: Machine,
  root: string,
  {
    gpuId,
    minutes,
    note,
  }: { readonly gpuId: Reservation['gpuId']; readonly minutes: number; readonly note: string },
): AsyncResult<null> {
  const read = await machine.run(readOwnScript(root), { timeoutMs: TIMEOUT_MS });
  if (!read.ok) return read;
  const [now = '', ...text] = read.value.stdout.split('\n');
  if (read.value.code !== 0 || !/^\d+$/.test(now))
    return failed({
      code: 'unavailable',
      message: `Cannot read the clock of ${machine.spec.name}: ${read.value.stderr.trim() || `the command ended with ${read.value.code}`}.`,
    });

  const untilSeconds = minutes === 0 ? null : Number(now) + minutes * 60;
  const entries = withReservation(runningEntries(text.join('\n'), Number(now)), {
    gpuId,
    untilSeconds,
    note,
  });
  const stdin = reservationText(entries);
  const written = await machine.run(writeReservationScript(root), { stdin, timeoutMs: TIMEOUT_MS });
  if (!written.ok) return written;
  if (written.value.code === 0) return ok(null);
  return failed({
    code: 'unavailable',
    message: `Cannot write the reservation on ${machine.spec.name}: ${written.value.stderr.trim() || 'no reason given.'}`,
    hint: 'Reservations of yours are kept in a folder that belongs to you and in which only you may write, or not at all.',
  });
}
