import { readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { SshProgram } from '../logic/ssh-arguments';
import { namePattern, parseSshConfig } from '../logic/ssh-config';

/** Like ssh: deeper Includes must be circular. */
const MAX_INCLUDE_DEPTH = 16;

/** Hosts in the user's ssh config, in its order; none where there is no config. */
export async function configuredHosts(ssh: SshProgram): Promise<readonly string[]> {
  const flag = ssh.args.lastIndexOf('-F');
  const configPath = flag >= 0 ? ssh.args[flag + 1] : undefined;
  const names = new Set<string>();
  await read(configPath ?? join(homedir(), '.ssh', 'config'), names, 0);
  return [...names];
}

async function read(path: string, names: Set<string>, depth: number): Promise<void> {
  // A file that does not exist or cannot be read has no hosts, as for ssh.
  const text = await readFile(path, 'utf8').catch(() => '');
  for (const line of parseSshConfig(text)) {
    if (line.kind === 'hosts') for (const name of line.names) names.add(name);
    else if (depth < MAX_INCLUDE_DEPTH)
      for (const included of line.paths)
        for (const file of await matching(included)) await read(file, names, depth + 1);
  }
}

/** Files that an Include means, sorted. Patterns are understood in the last part of a path. */
async function matching(path: string): Promise<readonly string[]> {
  const absolute = path.startsWith('~/')
    ? join(homedir(), path.slice(2))
    : isAbsolute(path)
      ? path
      : join(homedir(), '.ssh', path);
  const name = basename(absolute);
  if (!/[*?[]/.test(name)) return [absolute];
  const pattern = namePattern(name);
  // As for a file above: a folder that cannot be read matches nothing.
  const names = await readdir(dirname(absolute)).catch(() => []);
  return names
    .filter((entry) => pattern.test(entry))
    .sort()
    .map((entry) => join(dirname(absolute), entry));
}
