// Installs node_modules as package-lock.json specifies.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { npmCommand, runChild } from '../child.mjs';
import { withLock } from '../lock.mjs';
import { inProject } from '../project.mjs';
import { Refusal } from './refusal.mjs';
import { formatSeconds, withElapsedLine } from './reporter.mjs';

const lockFile = () => inProject('package-lock.json');
const marker = () => inProject('node_modules', '.mars2-lock');
/** npm's own note of what it installed; written at the end of an install, so half an install has none. */
const installedFile = () => inProject('node_modules', '.package-lock.json');
/** Beside node_modules, not in it: npm ci removes that folder. */
const mutex = () => inProject('.npm-ci.lock');

export async function ensurePackages(reporter) {
  if (await isFresh()) return;
  await withLock(
    mutex(),
    async () => {
      if (!(await isFresh())) await install(reporter);
    },
    () => reporter.say('waiting for another `npm ci` in this folder to end ...'),
  );
}

async function isFresh() {
  const expectedDigest = await lockDigest();
  if ((await readText(marker()))?.trim() === expectedDigest) return true;
  // Whoever ran npm by hand has the right packages but not our marker; a second install would cost a minute.
  const [lock, installed] = await Promise.all([readText(lockFile()), readText(installedFile())]);
  if (!installed || !installedMatches(JSON.parse(lock), JSON.parse(installed))) return false;
  await writeFile(marker(), `${expectedDigest}\n`).catch(() => {}); // a read-only checkout is asked again next time
  return true;
}

/** Both are parsed lock files. Optional packages are those of other platforms and may be absent. */
export function installedMatches(lock, installed) {
  const expectedPackages = Object.entries(lock.packages ?? {}).filter(([path]) => path !== '');
  return expectedPackages.every(([path, entry]) => {
    const actual = installed.packages?.[path];
    if (!actual) return Boolean(entry.optional || entry.devOptional);
    return actual.version === entry.version && actual.integrity === entry.integrity;
  });
}

async function install(reporter) {
  const startedAt = Date.now();
  reporter.say('installing npm packages (npm ci) ...');
  const { command, prefix } = npmCommand();
  // No package of ours needs its install script, and those scripts could download binaries. `npm run -s` makes npm
  // silent here too, but a failure must still be shown.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];
  const result = await withElapsedLine(reporter, 'npm ci', () =>
    runChild(command, [...prefix, ...args], { cwd: inProject(), collect: true }),
  );
  if (result.code !== 0) throw new Refusal(explainFailure(result));
  await writeFile(marker(), `${await lockDigest()}\n`);
  reporter.say(`npm packages installed in ${formatSeconds(Date.now() - startedAt)}`);
}

export function explainFailure({ code, output }) {
  // Where it blames our lock file, npm continues with two pages about its own options.
  const [firstError] = output.trim().split(/^npm error Clean install a project$/m);
  const lastLines = firstError.trim().split('\n').slice(-20).join('\n') || '(npm said nothing)';
  return (
    `npm ci failed with exit code ${code}, so the packages of the workbench are not installed. npm said:\n${lastLines}\n` +
    `${adviceFor(output)} Then run the same command again.`
  );
}

function adviceFor(output) {
  if (/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH)\b/.test(output))
    return 'The npm registry was out of reach: check the network, a proxy (HTTPS_PROXY) or `npm config get registry`.';
  if (/\bENOSPC\b/.test(output)) return 'The disk is full: free about 1 GB.';
  if (/\b(EACCES|EPERM)\b/.test(output))
    return 'Some files here belong to another user (was node_modules made by root?): make them yours with chown.';
  if (/\bEUSAGE\b|in sync/.test(output))
    return 'package.json and package-lock.json disagree: run `npm install` and commit the lock file.';
  if (/spawn npm\S* ENOENT|npm: not found/.test(output))
    return 'Check that npm is installed (`npm --version`).';
  return 'Repair what npm names above.';
}

async function lockDigest() {
  const text = await readText(lockFile());
  if (text === undefined)
    throw new Refusal(
      `package-lock.json is missing in ${inProject()}: restore it with \`git checkout package-lock.json\`.`,
    );
  return createHash('sha256').update(text).digest('hex');
}

const readText = (path) => readFile(path, 'utf8').catch(() => undefined);
