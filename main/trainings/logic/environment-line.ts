import { LOGIN_PATH_LINES, shellPath, shellWord, shellWords } from '../../base';

/** What the pinned packages themselves ask for. */
const OLDEST_PYTHON = '3.11';
const CANDIDATES = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11'];

/** Lines for a job's shell that make the learner's environment. `base`: the Python that it stands on; null: one is found. */
export function environmentLine(
  places: { readonly program: string; readonly requirements: string; readonly environment: string },
  base: string | null,
): string {
  const isNewEnough = `import sys, venv, ensurepip; sys.exit(sys.version_info < (${OLDEST_PYTHON.replace('.', ', ')}))`;
  const candidates = base === null ? CANDIDATES.join(' ') : shellPath(base);
  const none =
    base === null
      ? `No Python ${OLDEST_PYTHON} or newer with venv was found (on Debian and Ubuntu: python3-venv). Name one with --python.`
      : `${base} is no Python ${OLDEST_PYTHON} or newer with venv.`;
  return [
    LOGIN_PATH_LINES,
    'mars2_python=',
    `for python in ${candidates}; do`,
    `  "$python" -c ${shellWord(isNewEnough)} 2>/dev/null </dev/null && { mars2_python=$python; break; }`,
    'done',
    `[ -n "$mars2_python" ] || { echo ${shellWord(none)} >&2; exit 1; }`,
    `export PYTHONPATH=${shellWord(places.program)} PYTHONDONTWRITEBYTECODE=1`,
    `exec "$mars2_python" ${shellWords(['-m', 'mars2_learner.environment', '--folder', places.environment, '--requirements', places.requirements])}`,
  ].join('\n');
}
