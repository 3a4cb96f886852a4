import type { ExitFile } from './logic/job-files';
import type { Observation } from './logic/observation';
import type { JobTraces, ProbedMachine } from './logic/probe-script';

/** With less free space than this the disk counts as full. */
const FULL_KIB = 1_024;

/**
 * Derives a job's state from its traces. A process id alone proves nothing, since it may be reused: `isAlive` compares
 * start times, and the boot id shows whether it can be the same process at all. `waitedForProcess`: its wrapper had
 * enough time to make its folder and its process file.
 */
export function resolveState(
  traces: JobTraces,
  machine: ProbedMachine & { readonly isAlwaysThisHost: boolean },
  times: { readonly nowMs: number; readonly waitedForProcess: boolean },
): Observation {
  const { process } = traces;
  if (traces.exit !== null) return exited(traces.exit, machine, times.nowMs);
  if (!traces.hasStarted) {
    const why =
      'Its folder on the machine is gone, so its state is unknown. Stop it to end any remaining processes.';
    return times.waitedForProcess ? { kind: 'lost', why } : { kind: 'starting' };
  }
  if (process === null) {
    if (!times.waitedForProcess) return { kind: 'starting' };
    const why = 'It ended before it could write its process id';
    return { kind: 'lost', why: isFull(traces) ? `${why}: the disk there is full.` : `${why}.` };
  }
  if (process.bootId !== machine.bootId) {
    const isElsewhere = !machine.isAlwaysThisHost && process.host !== null && process.host !== machine.host;
    if (isElsewhere) {
      const why = `It was started on ${process.host}, but now ${machine.host} answers, which cannot see it.`;
      return { kind: 'unknown', why };
    }
    return { kind: 'lost', why: 'The machine was restarted since.' };
  }
  if (process.isAlive) return { kind: 'running', pid: process.pid };
  // Its wrapper was killed but the command continues; its exit code will not be recorded.
  if (traces.members.length > 0) return { kind: 'running', pid: traces.members[0] ?? null };
  const why = isFull(traces)
    ? 'It ended without an exit code, and the disk there is full, so none could be written.'
    : 'It was killed together with its wrapper, so no exit code was written.';
  return { kind: 'lost', why };
}

/** Converts a time of the machine's clock to this computer's clock. */
export function localIso(machineSeconds: number, machine: ProbedMachine, nowMs: number): string {
  const skewMs = nowMs - machine.nowSeconds * 1_000;
  // Differences below two seconds are measurement noise: the machine's time is kept.
  const shiftMs = Math.abs(skewMs) < 2_000 ? 0 : skewMs;
  return new Date(machineSeconds * 1_000 + shiftMs).toISOString();
}

function exited(exit: ExitFile, machine: ProbedMachine, nowMs: number): Observation {
  const at = Date.parse(exit.endedAt);
  const endedAt = Number.isNaN(at) ? new Date(nowMs).toISOString() : localIso(at / 1_000, machine, nowMs);
  return { kind: 'exited', code: exit.code, endedAt, why: describeExit(exit) };
}

/** Why it ended, as sentences; empty for exit code 0. */
export function describeExit(exit: Pick<ExitFile, 'code' | 'stage' | 'full'>): string {
  const full = exit.full ? ' The disk there was full: its output may be incomplete.' : '';
  if (exit.stage === 'never-began') return 'It was stopped before it started.';
  if (exit.stage === 'stopped') return 'It was killed before it could write an exit code.';
  if (exit.code === null) return `It ended without writing an exit code.${full}`;
  if (exit.stage === 'set-up') {
    return `The set-up ${describeExitCode(exit.code)}; the command was not started. See the set-up log.${full}`;
  }
  return exit.code === 0 ? full.trim() : `It ${describeExitCode(exit.code)}.${full}`;
}

function describeExitCode(code: number): string {
  if (code === 127) return 'ended with exit code 127: a program was not found';
  if (code === 137) return 'was killed (signal 9), often because the machine ran out of memory';
  return code > 128 && code < 193 ? `was ended by signal ${code - 128}` : `ended with exit code ${code}`;
}

function isFull(traces: JobTraces): boolean {
  return traces.freeKib !== null && traces.freeKib < FULL_KIB;
}
