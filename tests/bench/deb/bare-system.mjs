// A bare Debian in a folder, and programs in it as on a computer of its own: their own mounts and processes, their own
// root. Nothing of it stays when they end, and nothing outside the folder is changed.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Refusal } from '../../../scripts/ensure/index.mjs';

export const USER = 'student';
export const HOME = `/home/${USER}`;

const run = (command, args) => execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });

/** Debian's least, with a user, and with what the package `deb` says that it depends on. Needs the network. */
export async function makeBareSystem(root, deb, release, mirror) {
  if (!existsSync(root)) {
    run('debootstrap', ['--variant=minbase', release, `${root}.part`, mirror]);
    run('chroot', [`${root}.part`, 'useradd', '--create-home', '--uid', '1000', USER]);
    await rename(`${root}.part`, root);
  }
  const inside = (...words) => run('chroot', [root, 'env', 'DEBIAN_FRONTEND=noninteractive', ...words]);
  const depends = execFileSync('dpkg-deb', ['--field', deb, 'Depends'], { encoding: 'utf8' }).trim();
  inside('apt-get', 'update', '-qq');
  inside('apt-get', 'satisfy', '-qq', '--yes', '--no-install-recommends', depends);
  inside('apt-get', 'clean');
}

/** `pivot_root`, not `chroot`: in a changed root the kernel lets nobody make user namespaces, and so no sandbox. */
const ENTER = `set -e
mount --make-rprivate /
mount --bind "$1" "$1"
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
mount --rbind /sys "$1/sys"
mount -t tmpfs -o mode=1777 tmpfs "$1/tmp"
mkdir -m 1777 "$1/tmp/.X11-unix"
mount --bind /tmp/.X11-unix "$1/tmp/.X11-unix"
cd "$1"
pivot_root . mnt
cd /
umount -l /mnt
echo ready
# Its first process takes in orphans, as an init does.
while :; do sleep 60 & wait $!; done`;

/** Starts the system: { as(user, words, options), close() }. `as` gives a child process. */
export async function startBareSystem(root) {
  const words = ['--mount', '--pid', '--ipc', '--fork', '--kill-child', 'sh', '-c', ENTER, 'enter', root];
  const holder = spawn('unshare', words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const first = await firstProcess(holder);
  const as = (user, command, { env = {}, ...options } = {}) => {
    const home = user === 'root' ? '/root' : HOME;
    const shown = Object.entries({ HOME: home, USER: user, LANG: 'C.UTF-8', ...env });
    const path = `/usr/local/bin:/usr/bin:/bin${user === 'root' ? ':/usr/local/sbin:/usr/sbin:/sbin' : ''}`;
    const who = user === 'root' ? [] : ['--reuid=1000', '--regid=1000', '--clear-groups', '--inh-caps=-all'];
    const enter = ['--target', first, '--mount', '--pid', '--ipc'];
    const clean = [
      'env',
      '--ignore-environment',
      `--chdir=${home}`,
      `PATH=${path}`,
      ...shown.map((pair) => pair.join('=')),
    ];
    return spawn('nsenter', [...enter, '--', 'setpriv', ...who, ...clean, ...command], options);
  };
  return { as, close: () => closeHolder(holder) };
}

/** The one that keeps the system up, once that has its root. */
async function firstProcess(holder) {
  const isReady = await Promise.race([
    new Promise((resolve) => holder.stdout.once('data', () => resolve(true))),
    new Promise((resolve) => holder.once('exit', () => resolve(false))),
  ]);
  if (!isReady) throw new Error('The bare system did not start: see above.');
  return (await readFile(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8')).trim();
}

function closeHolder(holder) {
  const ended = new Promise((resolve) => holder.once('exit', resolve));
  // With its first process end all others of the system.
  holder.kill('SIGKILL');
  return ended;
}

/** A command in the system, to its end; gives what it wrote. */
export function outputOf(system, user, command, options) {
  return new Promise((done, refuse) => {
    const child = system.as(user, command, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (more) => (text += more));
    child.once('close', (code) =>
      code === 0
        ? done(text.trim())
        : refuse(new Refusal(`${command.join(' ')} ended with ${code}:\n${text}`)),
    );
  });
}

/** What a package may leave behind: every path but those of users, of the running system, and dpkg's own lists. */
export async function pathsOf(root) {
  const skipped = /^(?:proc|sys|dev|tmp|run|home|root|mnt|var\/(?:log|cache|lib\/(?:apt|dpkg)))(?:\/|$)/;
  const found = [];
  const open = [''];
  while (open.length > 0) {
    const folder = open.pop();
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (skipped.test(path)) continue;
      found.push(path);
      if (entry.isDirectory()) open.push(path);
    }
  }
  return found.sort();
}
