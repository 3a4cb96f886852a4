// Node and Python: checked, and not installed by us, so a missing one is a clear error.
import { findProgram } from '../project.mjs';
import { Refusal } from './refusal.mjs';

/** Node 20.18 is what Electron 33, the oldest runtime that we start in, brings along. */
const oldestNode = [20, 18];

export function checkNode(version = process.versions.node) {
  if (!isAtLeast(version, oldestNode))
    throw new Refusal(
      `Node ${version} is too old: the workbench needs Node ${oldestNode.join('.')} or newer.\n` +
        'Install a newer one (nodejs.org, or `nvm install 20`) and run the same command again.',
    );
}

/** Candidates are Python programs; without an interpreter nothing can be graded. */
export function checkPython() {
  if (!findProgram('python3'))
    throw new Refusal(
      'python3 was not found on PATH: the workbench grades Python programs with it.\n' +
        'Install it (on Debian and Ubuntu: sudo apt-get install -y python3) and run the same command again.',
    );
}

export function isAtLeast(version, [major, minor]) {
  const [actualMajor = 0, actualMinor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return actualMajor > major || (actualMajor === major && actualMinor >= minor);
}
