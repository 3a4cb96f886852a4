import { findPythonLines, shellWord, shellWords } from '../../base';

/** What the pinned packages themselves ask for: Python 3.11. */
const OLDEST_MINOR = 11;

/** Lines for a job's shell that make the learner's environment. `base`: the Python that it stands on; null: one is found. */
export function environmentLine(
  paths: { readonly program: string; readonly requirements: string; readonly environment: string },
  base: string | null,
): string {
  return [
    findPythonLines(OLDEST_MINOR, base, ' Name one with --python.'),
    `export PYTHONPATH=${shellWord(paths.program)} PYTHONDONTWRITEBYTECODE=1`,
    `exec "$mars2_python" ${shellWords(['-m', 'mars2_learner.environment', '--folder', paths.environment, '--requirements', paths.requirements])}`,
  ].join('\n');
}
