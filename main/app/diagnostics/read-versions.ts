import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { cpus, release, totalmem, type } from 'node:os';
import type { Value } from '../../../preload/contract/index';
import { counted } from '../../base/index';

/** A program that cannot say its version in this time hangs. */
const TIMEOUT_MS = 5_000;

/** Versions of the workbench and of what it stands on, as lines. `grading`: as `app.info` has it. */
export async function readVersions(
  appVersion: string,
  grading: Pick<Value<'app.info'>, 'grader' | 'sandboxProblem' | 'pythonIsAtFault'>,
): Promise<string> {
  const { electron, chrome, node } = process.versions;
  const [system, python, bubblewrap, ssh] = await Promise.all([
    systemName(),
    versionOf('python3', ['--version']),
    versionOf('bwrap', ['--version']),
    versionOf('ssh', ['-V']),
  ]);
  const { grader, sandboxProblem, pythonIsAtFault } = grading;
  return [
    `Workbench: ${appVersion}, ${electron === undefined ? 'in the terminal' : 'with its window'}`,
    ...(electron === undefined ? [] : [`Electron: ${electron}, Chromium ${chrome}`]),
    `Node: ${node}`,
    `System: ${system}${type()} ${release()}, ${process.arch}`,
    `Hardware: ${counted(cpus().length, 'processor')}, ${Math.round(totalmem() / 2 ** 20)} MiB of memory`,
    `Python: ${python}`,
    `bubblewrap: ${bubblewrap}`,
    `ssh: ${ssh}`,
    `Grading: ${
      grader === null
        ? 'nothing was graded since the start'
        : `Python ${grader.python}${grader.path === undefined ? '' : ` in ${grader.path}`}, ${grader.isolation === 'sandbox' ? 'in the sandbox' : 'without a sandbox'}, limits x ${grader.cpuFactor}`
    }`,
    ...(sandboxProblem === null
      ? []
      : [`${pythonIsAtFault ? 'Python of the grader' : 'Sandbox'}: ${sandboxProblem}`]),
    ...(grader === null || grader.problem === null ? [] : [`Grader: ${grader.problem}`]),
    ...(process.getuid?.() === 0 ? ['It runs as root.'] : []),
  ].join('\n');
}

/** "Debian GNU/Linux 12 (bookworm), " of Linux; empty elsewhere. */
async function systemName(): Promise<string> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const name = /^PRETTY_NAME="?([^"\n]{1,80})/m.exec(text)?.[1];
  return name === undefined ? '' : `${name}, `;
}

function versionOf(program: string, words: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, [...words], { timeout: TIMEOUT_MS }, (error, out, err) => {
      const [first = ''] = `${out}${err}`.trim().split('\n');
      if (error === null) resolve(first.slice(0, 200));
      else if (error.code === 'ENOENT') resolve('not found');
      else resolve(error.killed === true ? `no answer in ${TIMEOUT_MS / 1_000} s` : 'it fails');
    });
  });
}
