import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { startScriptedServer } from './scripted-http-server';
import { type Sshd, startSshd } from './sshd';
import { temporaryFolder } from './temporary-folder';

/** A server as a job on a node would have it: the port at which it listens on that host's loopback. */
export async function serverThere(): Promise<number> {
  const server = await startScriptedServer((response) => response.end('there'));
  onTestFinished(() => server.dispose());
  return Number(new URL(server.baseUrl).port);
}

/** A node with an sshd of its own, which the login node's own ssh (this computer's, in the test) knows by this name. */
export async function sshOfLoginNode(name: string): Promise<Sshd> {
  const node = await startSshd({ host: name });
  onTestFinished(() => node.stop());
  const bin = join(await temporaryFolder(), 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'ssh'), `#!/bin/sh\nexec /usr/bin/ssh -F '${node.configPath}' "$@"\n`);
  await chmod(join(bin, 'ssh'), 0o755);
  const before = process.env.PATH;
  vi.stubEnv('PATH', `${bin}:${before}`);
  onTestFinished(() => void vi.stubEnv('PATH', before));
  return node;
}
