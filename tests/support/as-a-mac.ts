import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Root that may hide /proc from a process and its children. */
export const canBeAMac =
  process.getuid?.() === 0 &&
  process.platform === 'linux' &&
  spawnSync('unshare', ['--mount', 'true']).status === 0;

/** Programs that macOS has, by the names of POSIX; all others cannot be found. */
const TOOLS =
  'awk basename cat chmod chown cksum cp cut date dd df diff dirname du env expr find getconf git grep head hostname id kill ln ls mkdir mkfifo mktemp mv nohup od perl printf pwd python3 rm rmdir sed sh shasum sleep sort ssh tail tar tee touch tr true uniq wc xargs';

/** Answers as the program of BSD does: other options than those of GNU. */
const STAT = `#!/usr/bin/perl
my ($follow, $format, $failed) = (0, undef, 0);
while (@ARGV and $ARGV[0] =~ /^-./) {
  my $option = shift;
  last if $option eq '--';
  if ($option eq '-L') { $follow = 1 }
  elsif ($option eq '-f') { $format = shift }
  else { print STDERR "stat: illegal option -- $option\\n"; exit 1 }
}
for my $name (@ARGV) {
  my @facts = $follow ? stat $name : lstat $name;
  unless (@facts) { print STDERR "stat: $name: No such file or directory\\n"; $failed = 1; next }
  my %field = (Xp => sprintf('%x', $facts[2]), z => $facts[7], m => $facts[9], i => $facts[1], N => $name);
  (my $line = $format) =~ s/%(Xp|z|m|i|N)/$field{$1}/g;
  print "$line\\n";
}
exit $failed;
`;

/**
 * A computer that is like a Mac as far as Linux can be: Node says "darwin", there is no /proc, and of programs only those
 * that macOS has, with stand-ins for uname, sysctl, stat and crontab. `ps` and all others are those of Linux.
 */
export async function asAMac() {
  // A path without spaces: it goes into scripts as it is.
  const folder = await mkdtemp('/tmp/m2mac-');
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const [bin, home, proc, table] = ['bin', 'home', 'proc', 'crontab'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const path of [bin, home, proc]) await mkdir(path);
  for (const name of TOOLS.split(' ')) {
    const path = ['/usr/bin', '/bin'].map((one) => join(one, name)).find((one) => existsSync(one));
    if (path !== undefined) await symlink(path, join(bin, name));
  }
  const program = (name: string, text: string) => writeFile(join(bin, name), text, { mode: 0o755 });
  await program('stat', STAT);
  await program(
    'uname',
    '#!/bin/sh\ncase "$*" in -m) echo arm64 ;; "-s -r -m") echo Darwin 23.6.0 arm64 ;; *) echo Darwin ;; esac\n',
  );
  await program('sysctl', '#!/bin/sh\necho 17179869184\n');
  await program(
    'crontab',
    `#!/bin/sh\nif [ "$1" = -l ]; then cat ${table} 2>/dev/null || { echo 'crontab: no crontab for me' >&2; exit 1; }; else cat >${table}; fi\n`,
  );
  // That of Linux needs /proc: it alone sees it.
  await program(
    'ps',
    `#!/bin/sh\nexec /usr/bin/unshare --mount /bin/sh -c '/usr/bin/mount --bind ${proc} /proc && exec /usr/bin/ps "$@"' ps "$@"\n`,
  );
  const preload = join(folder, 'mac.mjs');
  await writeFile(
    preload,
    `import Module from 'node:module';
Object.defineProperty(process, 'platform', { value: 'darwin' });
// Node for Linux reads it from /proc.
const rss = () => 100_000_000;
process.memoryUsage = Object.assign(() => ({ rss: rss(), heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }), { rss });
const resolve = Module._resolveFilename;
// Its native part is there for this system alone.
Module._resolveFilename = (name, ...rest) => resolve(name.replace('node-pty-darwin-', 'node-pty-linux-'), ...rest);
`,
  );
  const enter = `mount --make-rprivate / && mount -t proc proc ${proc} && mount -t tmpfs none /proc && PATH=${bin} && exec "$@"`;
  /** A program of Node there. */
  const node = (words: readonly string[]) =>
    spawn('unshare', ['--mount', 'sh', '-c', enter, 'sh', process.execPath, ...words], {
      env: { PATH: process.env.PATH, HOME: home, NODE_OPTIONS: `--import ${preload}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  return { folder, home, node, crontab: () => readFile(table, 'utf8').catch(() => '') };
}
