// A Python with what the learner and its tests need, in a virtual environment of the cache: <cache>/learner/<digest>/.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runChild } from '../child.mjs';
import { withLock } from '../lock.mjs';
import { cacheRoot, inProject } from '../project.mjs';
import { findBase, lastLines, oldestPython, reasonOf, runPip, withoutCuda } from './python-environment.mjs';
import { Refusal } from './refusal.mjs';
import { formatMegabytes, formatSeconds, withElapsedLine } from './reporter.mjs';

/** Until an index has answered for one small package; a firewall that drops packets would hold us for minutes. */
const probeTimeoutMs = 20_000;
const planTimeoutMs = 180_000;
/** Measured: the environment without CUDA is 1.3 GB on Linux; pip unpacks before it moves. */
const neededDiskBytes = 3e9;
const chosenVariable = 'MARS2_LEARNER_PYTHON';
/** Another trainer that tests compare with, and what it imports but does not ask for; learners do without them. */
const oracle = ['trl==1.13.0', 'requests==2.34.2'];
const oracleTimeoutMs = 180_000;

const requirementsFile = () => inProject('resources', 'learner', 'requirements.txt');

/**
 * Gives { kind: 'ready', python } or { kind: 'absent', reason }: no index, no Python that fits. MARS2_LEARNER_PYTHON
 * names an interpreter whose packages are there already.
 */
export async function learnerPython(reporter) {
  const chosen = process.env[chosenVariable];
  if (chosen) return { kind: 'ready', python: chosen };
  const base = await findBase();
  if (!base)
    return {
      kind: 'absent',
      reason: `no Python ${oldestPython.join('.')} or newer with venv is on PATH (on Debian and Ubuntu: python3-venv)`,
    };
  const folder = join(cacheRoot(), 'learner', await digestOf(base));
  if ((await isWhole(folder)) && (await hasOracle(folder)))
    return { kind: 'ready', python: pythonOf(folder) };
  return withLock(
    join(cacheRoot(), 'learner', '.lock'),
    async () => {
      const found = (await isWhole(folder))
        ? { kind: 'ready', python: pythonOf(folder) }
        : await install(base, folder, reporter);
      if (found.kind === 'ready' && !(await hasOracle(folder))) await installOracle(folder, reporter);
      return found;
    },
    () => reporter.say('waiting for another run that sets up Python for the learner ...'),
  );
}

/** The one that `learnerPython` would give with TRL, if it is there already; null: it would have to be made. */
export async function madeLearnerPython() {
  const base = process.env[chosenVariable] ? null : await findBase();
  if (!base) return process.env[chosenVariable] ?? null;
  const folder = join(cacheRoot(), 'learner', await digestOf(base));
  return (await isWhole(folder)) && (await hasOracle(folder)) ? pythonOf(folder) : null;
}

const pythonOf = (folder) => join(folder, 'bin', 'python');
const markerOf = (folder) => join(folder, '.mars2-learner');

/** The marker is written last; the interpreter it stands on may have gone since. */
async function isWhole(folder) {
  try {
    await Promise.all([stat(markerOf(folder)), stat(pythonOf(folder))]);
    return true;
  } catch {
    return false;
  }
}

/** Other packages, or another Python, are another environment. */
async function digestOf(base) {
  const hash = createHash('sha256');
  hash.update(await readFile(requirementsFile()));
  hash.update(`\n${base.path} ${base.version} ${process.platform} ${process.arch}`);
  return hash.digest('hex').slice(0, 16);
}

async function install(base, folder, reporter) {
  const startedAt = Date.now();
  await rm(folder, { recursive: true, force: true }); // what a killed run left has no marker
  await mkdir(folder, { recursive: true });
  const made = await runChild(base.path, ['-m', 'venv', folder], { collect: true });
  if (made.code !== 0) throw new Refusal(`${base.path} -m venv ${folder} failed:\n${lastLines(made.output)}`);
  const absent = async (reason) => {
    await rm(folder, { recursive: true, force: true });
    return { kind: 'absent', reason };
  };
  const pip = (args, timeoutMs) => runPip(pythonOf(folder), args, timeoutMs);
  const requirements = await readRequirements();

  const probe = ['--dry-run', '--no-deps', '--retries', '0', '--timeout', '6', requirements.at(-1)];
  const reached = await pip(['install', ...probe], probeTimeoutMs);
  if (reached.code !== 0)
    return absent(`no Python package index is within reach (${reasonOf(reached.output)})`);

  const plan = await planWithoutCuda(pip, reporter);
  if (plan.kind === 'absent') return absent(plan.reason);
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < neededDiskBytes)
    return absent(
      `${folder} has ${formatMegabytes(bavail * bsize)} free, ${formatMegabytes(neededDiskBytes)} are needed`,
    );
  reporter.say(
    `Python packages for the learner's tests: ${plan.packages.length} packages, ${describeSize(plan.size)} to download or copy, 1.3 GB on disk in ${folder}`,
  );
  // torch first and alone: with others pip may look for another version of it, and those are large.
  for (const wanted of [requirements.slice(0, 1), requirements]) {
    const label = `pip install ${wanted.length === 1 ? wanted[0] : 'the others'}`;
    const options = ['--progress-bar', 'off', ...plan.options];
    const { code, output } = await withElapsedLine(reporter, label, () =>
      pip(['install', ...options, ...wanted]),
    );
    if (code !== 0)
      throw new Refusal(
        `pip could not install the learner's packages:\n${lastLines(output)}\nSet ${chosenVariable} to a Python that has them, or run the same command again.`,
      );
  }
  await writeFile(markerOf(folder), `${base.version}\n`);
  reporter.say(`Python for the learner is ready (${formatSeconds(Date.now() - startedAt)})`);
  return { kind: 'ready', python: pythonOf(folder) };
}

const oracleMarkerOf = (folder) => join(folder, `.mars2-${oracle.join('-')}`);
const hasOracle = (folder) =>
  stat(oracleMarkerOf(folder)).then(
    () => true,
    () => false,
  );

/** Without it, or where it wants other versions than the pinned ones, one file of tests is left out. */
async function installOracle(folder, reporter) {
  const wanted = ['--retries', '0', '--timeout', '6', '--constraint', requirementsFile(), ...oracle];
  const pip = (options) => runPip(pythonOf(folder), ['install', ...options, ...wanted], oracleTimeoutMs);
  const plan = await pip(['--dry-run', '--quiet', '--report', '-']);
  if (plan.code === 0) {
    const packages = packagesOf(plan.output);
    reporter.say(
      `To compare with ${oracle[0]}: ${packages.length} packages, ${describeSize(await sizeOf(packages))} to download or copy, 0.3 GB on disk`,
    );
  }
  const { code, output } =
    plan.code === 0
      ? await withElapsedLine(reporter, `pip install ${oracle[0]}`, () => pip(['--progress-bar', 'off']))
      : plan;
  if (code === 0) await writeFile(oracleMarkerOf(folder), '');
  else
    reporter.say(
      `${oracle[0]} could not be installed, so what compares with it is left out: ${reasonOf(output)}`,
    );
}

/** What would be installed, without CUDA: { kind: 'planned', packages, size, options } or { kind: 'absent', reason }. */
async function planWithoutCuda(pip, reporter) {
  for (const options of [[], ['--extra-index-url', withoutCuda]]) {
    const args = ['install', '--dry-run', '--quiet', '--report', '-', ...options, '-r', requirementsFile()];
    const { code, output } = await withElapsedLine(reporter, 'looking for the packages', () =>
      pip(args, planTimeoutMs),
    );
    if (code !== 0) return { kind: 'absent', reason: `pip finds no set of packages: ${reasonOf(output)}` };
    const packages = packagesOf(output);
    if (!packages.some(({ name }) => name.startsWith('nvidia-')))
      return { kind: 'planned', packages, size: await sizeOf(packages), options };
  }
  return {
    kind: 'absent',
    reason: `the index has torch only with CUDA, some 3 GB; set ${chosenVariable} to a Python that has the packages`,
  };
}

/** The packages of pip's report, which may have warnings around it: [{ name, version, url }]. */
export function packagesOf(output) {
  const report = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1));
  return report.install.map(({ metadata, download_info }) => ({
    name: metadata.name.toLowerCase(),
    version: metadata.version,
    url: download_info.url,
  }));
}

/** { bytes, unknown }: the sum of the files' sizes, and how many files have no known size. */
async function sizeOf(packages) {
  const sizes = await Promise.all(packages.map(({ url }) => sizeOfFile(url)));
  return {
    bytes: sizes.reduce((sum, size) => sum + (size ?? 0), 0),
    unknown: sizes.filter((size) => size === undefined).length,
  };
}

async function sizeOfFile(url) {
  try {
    if (url.startsWith('file:')) return (await stat(fileURLToPath(url))).size;
    const response = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(10_000) });
    return Number(response.headers.get('content-length')) || undefined;
  } catch {
    return undefined;
  }
}

export const describeSize = ({ bytes, unknown }) =>
  unknown === 0 ? formatMegabytes(bytes) : `${formatMegabytes(bytes)} and ${unknown} of unknown size`;

/** The pinned packages: torch first, a very small one last. */
async function readRequirements() {
  const lines = (await readFile(requirementsFile(), 'utf8')).split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}
