import type { DoctorCheck } from '../../../preload/contract/index';

const MARKS: Readonly<Record<DoctorCheck['state'], string>> = {
  good: 'ok     ',
  warning: 'warning',
  bad: 'BAD    ',
  unknown: 'unknown',
};

/** The doctor's findings, a line each, with what to do under it. */
export function doctorText(checks: readonly DoctorCheck[]): string {
  return checks
    .flatMap(({ state, title, found, todo }) => [
      `${MARKS[state]}  ${title}: ${found}`,
      ...(todo === null ? [] : todo.split('\n').map((line) => `           ${line}`)),
    ])
    .join('\n');
}
