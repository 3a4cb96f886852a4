import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { canMakeNamespaces, makeNamespace } from '../support/network-namespace';
import { freePort, hasSshdAccounts } from '../support/sshd';
import { temporaryData } from './support/app';
import { type CliResult, runCli, startCli } from './support/cli';
import { startLab } from './support/lab';

test.skip(
  !hasSshdAccounts || !canMakeNamespaces,
  'needs openssh-server, unshare, ip and root: the machine has a network and a home folder of its own',
);

const SERVER = `require('node:http').createServer((_, response) => response.end('the board'))
  .listen(Number(process.argv[1]), '127.0.0.1', () => console.log('listens'))`;

test('a port that only the loopback of a service’s machine has is opened on this computer, and closed', async () => {
  const data = await temporaryData();
  const network = await makeNamespace();
  const lab = await startLab({ network });
  const env = { ...process.env, ...lab.env };
  const all = (words: readonly string[]) => [...words, '--data', join(data.path, 'data')];
  const cli = (...words: string[]): CliResult => runCli(all(words), 240_000, env);
  const port = String(await freePort());
  const forward = ['machines', 'forward', 'local', port, '--service', 'lab'];
  const [ip = '', ...words] = [...network.enter, process.execPath, '-e', SERVER, port];
  const server = spawn(ip, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const text = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      (answer) => answer.text(),
      () => 'nobody',
    );
  try {
    await once(server.stdout, 'data');
    expect(cli('machines', 'add', 'lab').status).toBe(0);
    expect(cli('service', 'start', '--temporary', '--service', 'lab').status).toBe(0);
    expect(await text()).toBe('nobody');
    const holding = startCli(all(forward), env);
    await expect.poll(text, { timeout: 60_000 }).toBe('the board');
    const listed = cli('machines', 'forwards', '--service', 'lab').stdout;
    expect(listed).toContain(`http://127.0.0.1:${port}`);
    expect(cli(...forward, '--close').status).toBe(0);
    expect(await holding.ended).toBe(0);
    expect(await text()).toBe('nobody');
  } finally {
    cli('service', 'stop', '--service', 'lab');
    server.kill();
    await lab.stop();
    await network.remove();
    await data.remove();
  }
});
