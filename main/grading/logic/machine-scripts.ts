import { shellWord } from '../../base';

/** Finds a Python (the system's own first) and lets it run `probe`, which reads its facts from $PYTHON; 3: there is none. */
export function hostScript(pythonProbe: string, probe: string): string {
  return `for python in /usr/bin/python3 "$(command -v python3)"; do
  [ -x "$python" ] && answer=$("$python" -I -S -c ${shellWord(pythonProbe)}) && break
done
[ -n "$answer" ] || exit 3
PYTHON=$answer
export PYTHON
"$python" -I -S -c ${shellWord(probe)}`;
}

export function packagesScript(python: string, probe: string): string {
  return `${shellWord(python)} -I -c ${shellWord(probe)}`;
}

/** Links packages into the runner's folder, compiles the runner for that Python, and lets every user read both. */
export function openRunnerScript(runner: {
  readonly folder: string;
  /** Name of the folder of packages in it. */
  readonly packages: string;
  /** A package's folder on the machine, and its name. */
  readonly links: readonly (readonly [path: string, name: string])[];
  readonly python: string;
}): string {
  const packages = shellWord(runner.packages);
  return [
    `cd ${shellWord(runner.folder)} && mkdir -p ${packages} && chmod a+rX . .. || exit 1`,
    ...runner.links.map(([path, name]) => `ln -sfn ${shellWord(path)} ${packages}/${shellWord(name)}`),
    // -f: compiled files that are already there may not match the sources.
    `${shellWord(runner.python)} -I -S -m compileall -q -f mars2_grader`,
    'chmod -R a+rX mars2_grader',
  ].join('\n');
}

/** Fails where the folder is not this user's own. */
export function ownFolderScript(folder: string): string {
  const word = shellWord(folder);
  return `mkdir -m 755 ${word} 2>/dev/null; [ -d ${word} ] && [ ! -L ${word} ] && [ -O ${word} ]`;
}
