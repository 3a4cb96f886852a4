import type { DoctorCheck } from '../../../preload/contract';
import { failed, ok } from '../../base';
import type { Finding } from '../logic/doctor/finding';
import type { AsyncResult } from '../machine';
import { cancelled } from '../refusals';
import type { Examination, ExaminationDeps } from './examination';
import { examinationsFor } from './examinations';

/** Called when the examination begins and after each check: how many are done, of how many, and which was the last. */
export type DoctorProgress = (done: number, total: number, check: string) => void;

/** At once: a connection carries ten sessions by default (sshd's MaxSessions), and others use it meanwhile. */
const CONCURRENT_CHECKS = 4;

/**
 * All checks of a machine, in a fixed order. A machine that does not answer at all is a refusal; of one that stops
 * answering midway the rest is `unknown`.
 */
export async function examine(
  deps: ExaminationDeps & { readonly report: DoctorProgress },
): AsyncResult<readonly DoctorCheck[]> {
  const { machine, signal, report } = deps;
  const examinations = examinationsFor(machine.spec);
  const total = examinations.flatMap(({ checks }) => checks).length;
  report(0, total, 'Connection');
  const answered = await machine.run('exit 0', { signal });
  if (!answered.ok) return answered;

  const findings: (readonly Finding[])[] = [];
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < examinations.length && !signal.aborted; index = next++) {
      const examination = examinations[index];
      if (examination === undefined) return;
      findings[index] = await examination.run(deps);
      done += examination.checks.length;
      if (!signal.aborted) report(done, total, examination.checks.at(-1)?.title ?? '');
    }
  };
  // Who cancels does not wait for the probe of the GPUs, which others may share.
  await Promise.race([Promise.all(Array.from({ length: CONCURRENT_CHECKS }, work)), abortOf(signal)]);
  if (signal.aborted) return failed(cancelled(machine.spec.name));
  return ok(examinations.flatMap((examination, index) => checksOf(examination, findings[index] ?? [])));
}

/** Resolves when the signal is given. */
async function abortOf(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

function checksOf({ checks }: Examination, findings: readonly Finding[]): readonly DoctorCheck[] {
  return checks.flatMap(({ id, title }, index) => {
    const finding = findings[index];
    return finding === undefined ? [] : [{ id, title, ...finding }];
  });
}
