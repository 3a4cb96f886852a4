import { LOGIN_PATH_LINES } from './login-path';
import { shellPath, shellWord } from './shell-words';

const NEWEST_MINOR = 14;

/**
 * Shell lines that set `mars2_python` to a Python with venv, or end the shell with 1 and the reason. `oldestMinor`: 11 for
 * Python 3.11. `base`: the only one to try; null: those on the PATH of a login shell. `hint`: what else can be done where
 * there is none.
 */
export function findPythonLines(oldestMinor: number, base: string | null, hint = ''): string {
  const oldest = `3.${oldestMinor}`;
  const isNewEnough = `import sys, venv, ensurepip; sys.exit(sys.version_info < (3, ${oldestMinor}))`;
  const minors = Array.from({ length: NEWEST_MINOR - oldestMinor + 1 }, (_, i) => NEWEST_MINOR - i);
  const candidates =
    base === null ? ['python3', ...minors.map((minor) => `python3.${minor}`)].join(' ') : shellPath(base);
  const none =
    base === null
      ? `No Python ${oldest} or newer with venv was found (on Debian and Ubuntu: python3-venv).${hint}`
      : `${base} is no Python ${oldest} or newer with venv.`;
  return [
    LOGIN_PATH_LINES,
    'mars2_python=',
    `for python in ${candidates}; do`,
    `  "$python" -c ${shellWord(isNewEnough)} 2>/dev/null </dev/null && { mars2_python=$python; break; }`,
    'done',
    `[ -n "$mars2_python" ] || { echo ${shellWord(none)} >&2; exit 1; }`,
  ].join('\n');
}
