import { setUpLines, setUpScript, shellWord, shellWords } from '../../base';

const MARK = '@mars2-missing@';
const PROGRAM = `import sys; from mars2_learner.packages import missing; print("${MARK}" + ",".join(missing(sys.argv[1:])))`;

/** A script for a POSIX shell; its output is for `readPackages`. */
export function packagesScript(request: {
  readonly python: string;
  /** Folder that holds the package mars2_learner. */
  readonly program: string;
  /** Lines for a shell that run before it; empty: none. */
  readonly setUp: string;
  /** Packages besides those that every model needs. */
  readonly more?: readonly string[];
}): string {
  return setUpScript([
    ...setUpLines(request.setUp),
    `export PYTHONPATH=${shellWord(request.program)} PYTHONDONTWRITEBYTECODE=1`,
    `exec ${shellWords([request.python, '-c', PROGRAM, ...(request.more ?? [])])} </dev/null`,
  ]);
}

/** Names of the missing packages; null: there was no answer. */
export function readPackages(stdout: string): readonly string[] | null {
  const [, list] = new RegExp(`^${MARK}(.*)$`, 'm').exec(stdout) ?? [];
  if (list === undefined) return null;
  return list.split(',').flatMap((advice) => /^pip install ([\w-]{1,60})$/.exec(advice)?.[1] ?? []);
}
