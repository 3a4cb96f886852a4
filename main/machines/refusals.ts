import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { reasonOf, systemErrorCode } from '../storage';

/** Makes a value of what the file system refuses; `what` is the start of a sentence, e.g. "/a/b can not be read". */
export async function asked<T>(what: string, work: () => Promise<T>): Promise<Result<T, Refusal>> {
  try {
    return ok(await work());
  } catch (error) {
    return failed({ code: 'unavailable', message: `${what}: ${reasonOf(error)}.` });
  }
}

/** Turns one expected error into a value; every other goes on. */
export function unless<T>(code: string, value: T): (error: unknown) => T {
  return (error) => {
    if (systemErrorCode(error) === code) return value;
    throw error;
  };
}

/** What a script that has to be ended is refused with. */
export function ranTooLong(timeoutMs: number, machineName: string): Refusal {
  const seconds = Math.round(timeoutMs / 100) / 10;
  return {
    code: 'unavailable',
    message: `A question to ${machineName} was not answered within ${seconds} s, so it was ended there.`,
    hint: 'Look at the machine in a terminal: a hanging disk or driver shows there too.',
  };
}

export function wroteTooMuch(maxBytes: number, machineName: string): Refusal {
  const message = `A script on ${machineName} wrote more than ${maxBytes / 1_048_576} MiB, so it was ended.`;
  return { code: 'unavailable', message };
}

export function wasCancelled(machineName: string): Refusal {
  return { code: 'cancelled', message: `A question to ${machineName} was cancelled.` };
}

/** Nothing is known of what was asked: it may have happened or not. */
export function wasCut(machineName: string): Refusal {
  const message = `The connection to ${machineName} was cut in the middle of a question: what was asked there may have happened or not.`;
  return { code: 'unreachable', message };
}

export function isBusy(machineName: string): Refusal {
  return {
    code: 'unavailable',
    message: `${machineName} is still busy with earlier questions, so this one was not asked.`,
    hint: 'Look at the machine in a terminal: a hanging disk or driver shows there too.',
  };
}
