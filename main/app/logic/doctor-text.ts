import { abilitiesOf, abilityLines, type DoctorCheck } from '../../../preload/contract/index';

const MARKS: Readonly<Record<DoctorCheck['state'], string>> = {
  good: 'ok     ',
  warning: 'warning',
  bad: 'BAD    ',
  unknown: 'unknown',
};

/** Nothing to fix, and nothing there: "ok" would promise too much. */
const ABSENT_MARK = 'none   ';

/** The doctor's findings, a line each, with what to do under it; at the end what the machine can do, and what not. */
export function doctorText(checks: readonly DoctorCheck[]): string {
  const abilities = abilitiesOf(checks);
  return [
    ...checks.flatMap(({ state, title, found, todo, isAbsent }) => [
      `${state === 'good' && isAbsent === true ? ABSENT_MARK : MARKS[state]}  ${title}: ${found}`,
      ...(todo === null ? [] : todo.split('\n').map((line) => `           ${line}`)),
    ]),
    ...(abilities === null ? [] : ['', ...abilityLines(abilities)]),
  ].join('\n');
}
