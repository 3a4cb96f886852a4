import { scriptCommand } from './shell-words';

/** Exit code of a script whose set-up failed before its program began. */
export const SET_UP_FAILED = 97;

/** Lines for a shell that run a set-up; it gets no input and prints nothing, since both belong to the program behind it. */
export function setUpLines(setUp: string): readonly string[] {
  const lines = setUp.trim();
  return lines === '' ? [] : [`{ ${lines}\n} </dev/null >/dev/null || exit ${SET_UP_FAILED}`];
}

/** A script for a POSIX shell that runs this one in bash where there is one: not every shell has "source". */
export function setUpScript(lines: readonly string[], args: readonly string[] = []): string {
  return `shell=$(command -v bash || echo /bin/sh)\n${scriptCommand('"$shell"', lines.join('\n'), args)}`;
}
