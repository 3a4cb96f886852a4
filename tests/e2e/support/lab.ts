import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Sshd, type SshdOptions, startSshd } from '../../support/sshd';

/** A machine that is reached by ssh on loopback, and a user whose ssh config names it. */
export type Lab = {
  readonly sshd: Sshd;
  /** For the app or the command line: this user's home folder, and the system's ssh reading its config. */
  readonly env: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
};

export async function startLab(options: SshdOptions = {}): Promise<Lab> {
  const sshd = await startSshd(options);
  const home = join(sshd.folder, 'home-of-client');
  const bin = join(home, 'bin');
  await mkdir(bin, { recursive: true });
  await mkdir(join(home, '.ssh'), { mode: 0o700 });
  await writeFile(join(home, '.ssh', 'config'), await readFile(sshd.configPath));
  // OpenSSH finds its config by the account's home folder, whatever HOME says: this puts the test's in front.
  await writeFile(join(bin, 'ssh'), `#!/bin/sh\nexec /usr/bin/ssh -F '${sshd.configPath}' "$@"\n`);
  await chmod(join(bin, 'ssh'), 0o755);
  return {
    sshd,
    env: { HOME: home, PATH: `${bin}:${process.env.PATH ?? ''}` },
    stop: () => sshd.stop(),
  };
}
