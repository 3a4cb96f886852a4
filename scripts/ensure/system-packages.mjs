// Programs and shared libraries of the operating system: detected by their files, installed with apt where apt exists.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { runChild } from '../child.mjs';
import { findProgram, isRoot } from '../project.mjs';
import { Refusal } from './refusal.mjs';
import { formatSeconds, withElapsedLine } from './reporter.mjs';
import { debianNames, describeNeeds, hasTime64Names, missingNeeds, systemNeeds } from './system-needs.mjs';

/** Another apt may be at work (unattended upgrades); it is usually done within a minute or two. */
const aptLockTimeoutSeconds = 180;
const skipVariable = 'MARS2_SKIP_SYSTEM_PACKAGES';

export async function ensureSystemPackages(purposes, reporter, asks) {
  if (process.platform !== 'linux') return;
  const machine = readSystem();
  const all = missingNeeds(purposes, machine);
  // A test must not open a port of this computer to the world: packages with a service are the user's to install.
  const left = all.filter((need) => need.service && machine.startsServices);
  if (left.length > 0) reporter.say(`not here, so that some tests are left out:\n${describeNeeds(left)}`);
  const missing = all.filter((need) => !left.includes(need));
  if (missing.length === 0) return;
  reporter.say(`missing on this machine:\n${describeNeeds(missing)}`);
  if (process.env[skipVariable]) return reporter.say(`going on without, as ${skipVariable} is set`);
  if (!findProgram('apt-get'))
    return reporter.say(
      'no apt-get here: please install them with the package manager of this system; going on without',
    );

  const line = () => installLine(missing, isRoot() ? '' : 'sudo ');
  const how =
    asks && !(await mayInstall(line(), process.stdin, process.stderr)) ? { kind: 'ask' } : chooseInstaller();
  if (how.kind === 'ask') {
    if (missing.every((need) => need.optional))
      return reporter.say('going on without: some tests are left out');
    throw new Refusal(explainByHand(missing.filter((need) => !need.optional)));
  }
  await install(missing, how.prefix, reporter);

  const stillMissing = missingNeeds(purposes, readSystem()).filter((need) => !need.optional);
  if (stillMissing.length > 0)
    throw new Refusal(
      `apt-get reported success, but still missing are:\n${describeNeeds(stillMissing)}\n${skipAdvice}`,
    );
}

/** Asks once, with the line that would run. The end of the input is a no. */
export async function mayInstall(line, input, output) {
  const prompt = createInterface({ input, output });
  try {
    const closed = once(prompt, 'close').then(() => 'no');
    const answer = prompt.question(
      `Install them now, with this line? (--yes: never ask)\n\n  ${line}\n\n[Y/n] `,
    );
    return isConsent(await Promise.race([answer, closed]));
  } finally {
    prompt.close();
  }
}

export const isConsent = (answer) => /^(y|yes)?$/i.test(answer.trim());

const skipAdvice = `Or set ${skipVariable}=1 to go on without them; what needs them will then not work.`;

/** Read once per look: the list changes under us when apt installs. */
function readSystem() {
  const known = readLibraryCache();
  return {
    // Servers lie where an ordinary user's PATH does not look.
    program: (name) => Boolean(findProgram(name)) || existsSync(`/usr/sbin/${name}`),
    library: (soname) => known === undefined || known.includes(`${soname}\0`),
    startsServices: existsSync('/run/systemd/system'),
  };
}

/** The dynamic linker's own index; undefined (musl, NixOS) means that we cannot tell and do not complain. */
function readLibraryCache() {
  try {
    return readFileSync('/etc/ld.so.cache', 'latin1');
  } catch {
    return undefined;
  }
}

function chooseInstaller() {
  if (isRoot()) return { kind: 'run', prefix: [] };
  if (!findProgram('sudo')) return { kind: 'ask' };
  if (spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0)
    return { kind: 'run', prefix: ['sudo', '-n'] };
  if (!process.stdin.isTTY || !process.stderr.isTTY) return { kind: 'ask' };
  process.stderr.write('sudo asks for your password to install them (Ctrl+C to do it yourself):\n');
  const granted = spawnSync('sudo', ['-v'], { stdio: 'inherit' }).status === 0;
  return granted ? { kind: 'run', prefix: ['sudo', '-n'] } : { kind: 'ask' };
}

async function install(missing, prefix, reporter) {
  const startedAt = Date.now();
  const apt = async (label, ...args) => {
    const command = [
      ...prefix,
      ...['env', 'DEBIAN_FRONTEND=noninteractive', 'LC_ALL=C', 'apt-get', '-q', '-y'],
      ...['-o', `DPkg::Lock::Timeout=${aptLockTimeoutSeconds}`, '-o', 'Dpkg::Use-Pty=0'],
      ...args,
    ];
    const result = await withElapsedLine(reporter, label, () =>
      runChild(command[0], command.slice(1), { collect: true }),
    );
    return { ...result, label };
  };

  reporter.say(`fetching the package lists (${[...prefix, 'apt-get update'].join(' ')}) ...`);
  // A single dead third-party source fails the update; the lists that did come are often enough.
  const update = await apt('apt-get update', 'update');
  const names = debianNames(missing, isKnownToApt);
  reporter.say(`installing ${names.join(' ')} ...`);
  const result = await apt('apt-get install', 'install', '--no-install-recommends', ...names);
  if (result.code !== 0) {
    const output = [update, result]
      .filter(({ code }) => code !== 0)
      .map(({ label, output }) => `${label}:\n${lastLines(output)}`);
    throw new Refusal(
      `apt-get could not install ${names.join(' ')}.\n${output.join('\n')}\n\n${explainByHand(missing)}`,
    );
  }
  reporter.say(`system packages installed in ${formatSeconds(Date.now() - startedAt)}`);
}

const lastLines = (text) => text.trim().split('\n').slice(-8).join('\n');

/** A name that others merely provide has no candidate, and apt would refuse it. */
function isKnownToApt(name) {
  const answer = spawnSync('apt-cache', ['policy', name], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  const candidate = /Candidate: (\S+)/.exec(answer.stdout ?? '')?.[1];
  return candidate !== undefined && candidate !== '(none)';
}

/** `prefix`: "sudo " or nothing. */
function installLine(missing, prefix) {
  const renamed = hasTime64Names(readOsRelease());
  const names = debianNames(missing, (name) => isKnownToApt(name) || (renamed && wasRenamed(name)));
  const install = `apt-get install -y --no-install-recommends ${names.join(' ')}`;
  return `${prefix}apt-get update && ${prefix}${install}`;
}

function explainByHand(missing) {
  return (
    'Only root may install them. Run this line:\n\n' +
    `  ${installLine(missing, 'sudo ')}\n\n` +
    `Then run the same command again. ${skipAdvice}`
  );
}

const wasRenamed = (name) => systemNeeds.some(({ debian, time64 }) => time64 && name === `${debian}t64`);

function readOsRelease() {
  try {
    return readFileSync('/etc/os-release', 'utf8');
  } catch {
    return '';
  }
}
