import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { reasonOf, systemErrorCode } from '../storage';

/** Turns a file system error into a refusal; `failure` begins its sentence, e.g. "Cannot read /a/b". */
export async function attempt<T>(failure: string, work: () => Promise<T>): Promise<Result<T, Refusal>> {
  try {
    return ok(await work());
  } catch (error) {
    return failed({ code: 'unavailable', message: `${failure}: ${reasonOf(error)}.` });
  }
}

/** Turns one expected error into a value; throws every other. */
export function valueOnCode<T>(code: string, value: T): (error: unknown) => T {
  return (error) => {
    if (systemErrorCode(error) === code) return value;
    throw error;
  };
}

export function timedOut(timeoutMs: number, machineName: string): Refusal {
  const seconds = Math.round(timeoutMs / 100) / 10;
  return {
    code: 'unavailable',
    message: `A command on ${machineName} did not finish within ${seconds} s and was killed.`,
    hint: 'Check the machine in a terminal: a hanging disk or driver shows there too.',
  };
}

export function outputTooLarge(maxBytes: number, machineName: string): Refusal {
  const message = `A script on ${machineName} wrote more than ${maxBytes / 1_048_576} MiB, so it was killed.`;
  return { code: 'unavailable', message };
}

export function cancelled(machineName: string): Refusal {
  return { code: 'cancelled', message: `A command on ${machineName} was cancelled.` };
}

/** The outcome is unknown. */
export function connectionCutRefusal(machineName: string): Refusal {
  const message = `The connection to ${machineName} was cut during a command: it may have been done or not.`;
  return { code: 'unreachable', message };
}

export function busy(machineName: string): Refusal {
  return {
    code: 'unavailable',
    message: `${machineName} is still busy with earlier commands, so this one was not run.`,
    hint: 'Check the machine in a terminal: a hanging disk or driver shows there too.',
  };
}
