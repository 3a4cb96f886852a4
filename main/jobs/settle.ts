import type { ExitFile } from './logic/job-files';
import type { JobTraces, LookedAt } from './logic/look-script';
import type { Sighting } from './logic/sighting';

/** Less than this free and nothing of use can be written. */
const FULL_KIB = 1_024;

/**
 * What a job's traces mean. A number alone proves nothing: it may have gone to another process since, so `isAlive`
 * compares start times, and the boot tells whether the number can be its at all. `waitedForProcess` is true when
 * its wrapper had time enough to make its folder and to name its process.
 */
export function settle(
  traces: JobTraces,
  machine: LookedAt & { readonly isAlwaysThisHost: boolean },
  times: { readonly nowMs: number; readonly waitedForProcess: boolean },
): Sighting {
  const { process } = traces;
  if (traces.exit !== null) return exited(traces.exit, machine, times.nowMs);
  if (!traces.hasBegun) {
    const why =
      'Its folder on the machine is gone, so nobody can tell how it fares. Stopping it ends what is left.';
    return times.waitedForProcess ? { kind: 'lost', why } : { kind: 'starting' };
  }
  if (process === null) {
    if (!times.waitedForProcess) return { kind: 'starting' };
    const why = 'It ended before it could name its process';
    return { kind: 'lost', why: isFull(traces) ? `${why}: the disk there is full.` : `${why}.` };
  }
  if (process.bootId !== machine.bootId) {
    const isElsewhere = !machine.isAlwaysThisHost && process.host !== null && process.host !== machine.host;
    if (isElsewhere) {
      const why = `It was started on ${process.host}, and now ${machine.host} answers, which cannot tell.`;
      return { kind: 'unknown', why };
    }
    return { kind: 'lost', why: 'The machine was restarted since.' };
  }
  if (process.isAlive) return { kind: 'running', pid: process.pid };
  // Its wrapper was killed and the command goes on. How it ends nobody will write down.
  if (traces.members.length > 0) return { kind: 'running', pid: traces.members[0] ?? null };
  const why = isFull(traces)
    ? 'It is gone without an exit code, and the disk there is full: its end could not be written.'
    : 'It was killed so hard, with all around it, that nobody wrote an exit code.';
  return { kind: 'lost', why };
}

/** Times of the machine by this computer's clock; seconds are what the machine's clock gives. */
export function hereIso(machineSeconds: number, machine: LookedAt, nowMs: number): string {
  const skewMs = nowMs - machine.nowSeconds * 1_000;
  // Within a second or so the clocks agree, and the machine's own word is the better one.
  const shiftMs = Math.abs(skewMs) < 2_000 ? 0 : skewMs;
  return new Date(machineSeconds * 1_000 + shiftMs).toISOString();
}

function exited(exit: ExitFile, machine: LookedAt, nowMs: number): Sighting {
  const at = Date.parse(exit.endedAt);
  const endedAt = Number.isNaN(at) ? new Date(nowMs).toISOString() : hereIso(at / 1_000, machine, nowMs);
  return { kind: 'exited', code: exit.code, endedAt, why: wordsOfExit(exit) };
}

/** Why it ended, in sentences; empty for exit code 0. */
export function wordsOfExit(exit: Pick<ExitFile, 'code' | 'stage' | 'full'>): string {
  const full = exit.full ? ' The disk there was full: its output may be incomplete.' : '';
  if (exit.stage === 'never-began') return 'It was stopped before it began.';
  if (exit.stage === 'stopped') return 'It was killed and could not say how it ended.';
  if (exit.code === null) return `Nobody wrote down how it ended.${full}`;
  if (exit.stage === 'set-up') {
    return `The set-up ${wordsOfCode(exit.code)}; the command was not started. Its log tells more.${full}`;
  }
  return exit.code === 0 ? full.trim() : `It ${wordsOfCode(exit.code)}.${full}`;
}

function wordsOfCode(code: number): string {
  if (code === 127) return 'ended with exit code 127: a program was not found';
  if (code === 137) return 'was killed (signal 9), often because the memory of the machine ran out';
  return code > 128 && code < 193 ? `was ended by signal ${code - 128}` : `ended with exit code ${code}`;
}

function isFull(traces: JobTraces): boolean {
  return traces.freeKib !== null && traces.freeKib < FULL_KIB;
}
