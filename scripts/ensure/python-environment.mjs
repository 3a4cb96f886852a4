// Shared parts of environments of Python packages: their base interpreter, and pip.
import { runChild } from '../child.mjs';
import { findProgram } from '../project.mjs';
import { isAtLeast } from './toolchain.mjs';

/** What the pinned packages themselves ask for. */
export const oldestPython = [3, 11];
const candidates = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11'];
/** Where PyTorch publishes its builds without CUDA; on Linux the usual index has only those with it, of some 3 GB. */
export const withoutCuda = 'https://download.pytorch.org/whl/cpu';

/** An interpreter that is new enough and can make environments: { path, version }. */
export async function findBase() {
  for (const name of candidates) {
    const path = findProgram(name);
    if (!path) continue;
    const question = 'import sys, venv, ensurepip; print(sys.executable, "%d.%d.%d" % sys.version_info[:3])';
    const { code, output } = await runChild(path, ['-c', question], { collect: true });
    const [, executable, version] = /^(.+) (\S+)\n$/.exec(output) ?? [];
    if (code === 0 && isAtLeast(version, oldestPython)) return { path: executable, version };
  }
  return undefined;
}

/** What the user's own Python settings add must not get in, and pip must not ask anything. */
export function runPip(python, args, timeoutMs) {
  const { PYTHONPATH: _, PYTHONHOME: __, ...env } = process.env;
  return runChild(python, ['-m', 'pip', '--disable-pip-version-check', '--no-input', ...args], {
    collect: true,
    forwardSignals: true,
    ...(timeoutMs ? { timeout: timeoutMs, killSignal: 'SIGKILL' } : {}),
    env: { ...env, PYTHONNOUSERSITE: '1' },
  });
}

export const lastLines = (text) => text.trim().split('\n').slice(-12).join('\n');

export const reasonOf = (output) => {
  const lines = output.trim().split('\n');
  return (
    (lines.findLast((line) => /error|refused|timed out/i.test(line)) ?? lines.at(-1))?.trim() ||
    'no answer in time'
  );
};
