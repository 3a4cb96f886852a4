// Whether the real cron and the real `systemd --user` start the service again that `mars2 service start` has registered.
// All of it happens in mount and PID namespaces of its own, for a user that exists only there: nothing outside changes, and
// no daemon outlives it. Takes six minutes. Needs root on Linux, a built project, and the packages cron, systemd and
// dbus-user-session:
//   sudo node tests/bench/service/starters.mjs [cron] [systemd]
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const self = fileURLToPath(import.meta.url);
const project = process.env.MARS2_PROJECT ?? join(self, '..', '..', '..', '..');
const [UID, NAME] = [4242, 'mars2try'];
const kinds = process.argv.slice(2).filter((word) => word !== 'inside');

/** Control groups of the user's, where `systemd --user` makes its own: one in each hierarchy that it asks for. */
function groups() {
  const roots = ['/sys/fs/cgroup/systemd', '/sys/fs/cgroup/unified', '/sys/fs/cgroup'];
  return roots
    .filter((root) => existsSync(join(root, 'cgroup.procs')))
    .map((root) => join(root, 'mars2-starters'));
}

if (process.argv[2] !== 'inside') {
  const own = [
    '--mount',
    '--pid',
    '--fork',
    '--mount-proc',
    '--kill-child',
    process.execPath,
    self,
    'inside',
  ];
  const { status } = spawnSync('unshare', [...own, ...kinds], { stdio: 'inherit' });
  // Their processes have ended with the namespace.
  for (const group of groups())
    spawnSync('find', [group, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';']);
  process.exit(status ?? 1);
}

const folder = mkdtempSync(join(tmpdir(), 'mars2-starters-'));
const home = join(folder, 'home');
const runtime = `/run/user/${UID}`;
const dataDir = join(home, 'data');
const env = { HOME: home, USER: NAME, LOGNAME: NAME, PATH: process.env.PATH, XDG_RUNTIME_DIR: runtime };
const words = ['--reuid', String(UID), '--regid', String(UID), '--init-groups'];
/** Output of a command of the user's; what it did wrong is part of it. */
function asUser(command, ...args) {
  const end = spawnSync('setpriv', [...words, command, ...args], { env, cwd: home, encoding: 'utf8' });
  return { code: end.status, text: `${end.stdout}${end.stderr}`.trim() };
}
const mars2 = (...args) =>
  asUser(process.execPath, join(project, 'out', 'main', 'cli.js'), ...args, '--data', dataDir);
const status = () => {
  const { text } = mars2('service', 'status', '--json');
  try {
    return JSON.parse(text);
  } catch {
    return { running: false };
  }
};
const startedAt = performance.now();
const say = (text) =>
  console.log(`${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s  ${text}`);

/** Seconds until another process than `before` is the service; null: none within `most` seconds. */
async function backAfter(before, most) {
  const from = performance.now();
  while (performance.now() - from < most * 1_000) {
    const { running, openBy } = status();
    if (running && openBy.pid !== before) return (performance.now() - from) / 1_000;
    await sleep(most > 100 ? 5_000 : 500);
  }
  return null;
}

function makeUser() {
  mkdirSync(home);
  for (const path of [folder, home]) chownSync(path, UID, UID);
  const lines = {
    passwd: `${NAME}:x:${UID}:${UID}::${home}:/bin/sh\n`,
    group: `${NAME}:x:${UID}:\n`,
    shadow: `${NAME}:*:19000:0:99999:7:::\n`,
  };
  for (const [name, line] of Object.entries(lines)) {
    copyFileSync(`/etc/${name}`, join(folder, name));
    appendFileSync(join(folder, name), line);
    execFileSync('mount', ['--bind', join(folder, name), `/etc/${name}`]);
  }
  execFileSync('mount', ['-t', 'tmpfs', 'none', '/run']);
  mkdirSync('/run/user');
  mkdirSync(runtime, { mode: 0o700 });
  chownSync(runtime, UID, UID);
}

async function killAndWait(most, pids) {
  const before = status().openBy.pid;
  for (const pid of pids(before)) process.kill(pid, 'SIGKILL');
  const seconds = await backAfter(before, most);
  return seconds === null ? `NOT back within ${most} s` : `back after ${seconds.toFixed(1)} s`;
}

const parentOf = (pid) => Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1]);

async function tryCron() {
  if (!existsSync('/usr/sbin/cron')) return say('cron is not installed: apt-get install cron');
  execFileSync('mount', ['-t', 'tmpfs', 'none', '/var/spool/cron']);
  mkdirSync('/var/spool/cron/crontabs');
  execFileSync('chown', ['root:crontab', '/var/spool/cron/crontabs']);
  execFileSync('chmod', ['1730', '/var/spool/cron/crontabs']);
  const daemon = spawn('cron', ['-f'], { stdio: 'inherit' });
  say(`cron runs (${execFileSync('dpkg-query', ['-W', 'cron'], { encoding: 'utf8' }).trim()})`);
  say(mars2('service', 'start').text.replaceAll('\n', ' | '));
  say(`crontab -l: ${asUser('crontab', '-l').text}`);
  say(`the service killed: ${await killAndWait(60, (pid) => [pid])}`);
  say(`it and its supervisor killed: ${await killAndWait(330, (pid) => [parentOf(pid), pid])}`);
  say(mars2('service', 'stop').text);
  say(`crontab -l: ${asUser('crontab', '-l').text || '(empty)'}`);
  daemon.kill('SIGKILL');
}

async function trySystemd() {
  if (!existsSync('/lib/systemd/systemd')) return say('systemd is not installed: apt-get install systemd');
  // What says that the computer was booted with systemd: else no instance of a user starts.
  mkdirSync('/run/systemd/system', { recursive: true });
  for (const group of groups()) {
    mkdirSync(group, { recursive: true });
    execFileSync('chown', ['-R', `${UID}:${UID}`, group]);
  }
  const enter = groups()
    .map((group) => `echo $$ >${group}/cgroup.procs`)
    .join('; ');
  const start = `${enter}; exec setpriv ${words.join(' ')} /lib/systemd/systemd --user`;
  const daemon = spawn('sh', ['-c', start], {
    env: { ...env, SYSTEMD_LOG_TARGET: 'console' },
    cwd: home,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  try {
    await sleep(4_000);
    if (daemon.exitCode !== null) return say(`systemd --user ended with exit code ${daemon.exitCode}`);
    say(asUser('systemctl', '--version').text.split('\n')[0]);
    say(`systemctl --user is-system-running: ${asUser('systemctl', '--user', 'is-system-running').text}`);
    say(mars2('service', 'start').text.replaceAll('\n', ' | '));
    say(`linger: ${asUser('loginctl', 'enable-linger', NAME).text || 'enabled'}`);
    say(`the service killed: ${await killAndWait(60, (pid) => [pid])}`);
    say(mars2('service', 'stop').text);
    say(asUser('systemctl', '--user', 'list-unit-files', 'mars2*').text);
    const broken = spawnSync('sh', ['-c', `rm -rf ${dataDir}/registry.json; mkdir ${dataDir}/registry.json`]);
    if (broken.status === 0)
      say(`a service that cannot start: ${mars2('service', 'start').text.replaceAll('\n', ' | ')}`);
  } finally {
    daemon.kill('SIGKILL');
  }
}

try {
  makeUser();
  if (kinds.length === 0 || kinds.includes('cron')) await tryCron();
  if (kinds.length === 0 || kinds.includes('systemd')) await trySystemd();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
