import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { hasSshd, hasSshdAccounts, type SshdOptions, startSshd } from '../../support/sshd';

const run = promisify(execFile);

async function start(options: SshdOptions = {}) {
  const sshd = await startSshd(options);
  onTestFinished(sshd.stop);
  return sshd;
}

test.skipIf(!hasSshd)('the tests can start a real server and log in', async () => {
  const sshd = await start();
  const { stdout } = await run('ssh', [...sshd.sshArgs, sshd.host, 'echo $HOME']);
  expect(stdout).toBe(`${sshd.home}\n`);
});

test.skipIf(!hasSshdAccounts)('accounts of a server are seen by it alone', async () => {
  const before = await readFile('/etc/passwd', 'utf8');
  const sshd = await start({ loginShell: '/bin/dash', login: 'key', password: 'x' });
  const { stdout } = await run('ssh', [...sshd.sshArgs, sshd.host, 'echo $0; echo $SHELL']);
  expect(stdout).toBe('dash\n/bin/dash\n');
  expect(await readFile('/etc/passwd', 'utf8')).toBe(before);
});

test.skipIf(!hasSshd)('a server is reached through another', async () => {
  const jump = await start({ host: 'jump' });
  const sshd = await start({ via: jump });
  const { stdout } = await run('ssh', [...sshd.sshArgs, sshd.host, 'echo $SSH_CONNECTION']);
  expect(stdout).toContain(String(sshd.port));
  expect(await jump.log()).toContain('Accepted publickey');
});

test.skipIf(!hasSshd)('a server goes down and comes back with another key', async () => {
  const sshd = await start();
  await sshd.changeHostKey();
  await sshd.down();
  await sshd.up();
  const refused = await run('ssh', ['-o', 'BatchMode=yes', ...sshd.sshArgs, sshd.host, 'true']).catch(String);
  expect(refused).toContain('REMOTE HOST IDENTIFICATION HAS CHANGED');
});
