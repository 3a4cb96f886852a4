import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { JobView, MachineView } from '../../preload/contract/index';
import { freePort, hasSshd } from '../support/sshd';
import { launchApp } from './support/app';
import { type CliResult, runCli, startCli } from './support/cli';
import { type Lab, startLab } from './support/lab';
import { temporaryPocketData } from './support/pocket-data';

test.describe.configure({ mode: 'serial' });
test.skip(!hasSshd, 'openssh-server is not installed');

let lab: Lab;
let data: Awaited<ReturnType<typeof temporaryPocketData>>;
test.beforeAll(async () => {
  data = await temporaryPocketData();
  lab = await startLab();
});
test.afterAll(async () => {
  await lab.stop();
  await data.remove();
});

const cli = (...args: string[]): CliResult =>
  runCli([...args, '--data', data.dataDir], 240_000, { ...process.env, ...lab.env });
/** Options come before "--". */
const startJob = (...args: string[]): JobView => {
  const at = args.indexOf('--');
  const options = ['--data', data.dataDir, '--json'];
  const all = ['jobs', 'start', ...args.slice(0, at), ...options, ...args.slice(at)];
  const started = runCli(all, 60_000, { ...process.env, ...lab.env });
  expect(started.stderr).toBe('');
  return JSON.parse(started.stdout) as JobView;
};

test('a machine is added by its ssh name, looked at and examined', () => {
  const added = cli('machines', 'add', 'lab', '--json');
  expect(added.stderr).toBe('');
  const [view] = JSON.parse(added.stdout) as MachineView[];
  expect(view).toMatchObject({
    spec: { id: 'lab', kind: 'ssh', host: 'lab' },
    connection: { kind: 'connected' },
  });
  expect(view?.facts?.cores).toBeGreaterThan(0);
  expect(cli('machines', 'hosts').stdout).toBe('lab  (added)\n');
  expect(cli('machines', 'list').stdout).toMatch(/^lab +lab +ssh lab +/m);
  const doctor = cli('doctor', 'lab', '--json');
  const checks = JSON.parse(doctor.stdout) as { id: string; state: string; found: string }[];
  expect(checks.length).toBeGreaterThan(8);
  expect(checks.filter(({ state }) => state === 'unknown')).toEqual([]);
});

test('a port is forwarded by one terminal, listed and closed by another', async () => {
  const server = createServer((_, response) => response.end('the board')).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const address = server.address();
    const port = String(typeof address === 'object' ? address?.port : '');
    const localPort = String(await freePort());
    const words = ['machines', 'forward', 'lab', port];
    const holding = startCli([...words, '--local-port', localPort, '--data', data.dataDir], {
      ...process.env,
      ...lab.env,
    });
    const read = () =>
      fetch(`http://127.0.0.1:${localPort}/`).then(
        (answer) => answer.text(),
        () => '',
      );
    await expect.poll(read, { timeout: 60_000 }).toBe('the board');
    expect(cli('machines', 'forwards').stdout).toContain(`http://127.0.0.1:${localPort}`);
    expect(cli(...words, '--close').status).toBe(0);
    expect(await holding.ended).toBe(0);
    expect(await read()).toBe('');
    expect(cli('machines', 'forwards').stdout).toBe('');
  } finally {
    server.close();
  }
});

test('a file is listed, shown and copied from there, and nothing is overwritten', async () => {
  const folder = join(data.dataDir, "on the lab's disk");
  const out = join(data.dataDir, 'copy.log');
  await mkdir(folder);
  await writeFile(join(folder, 'run 1.log'), `${'x'.repeat(100_000)}\nthe end\n`);
  expect(cli('machines', 'files', 'lab', folder).stdout).toMatch(/100009 .* run 1\.log/);
  expect(cli('machines', 'tail', 'lab', join(folder, 'run 1.log'), '--bytes', '8').stdout).toBe('the end\n');
  expect(cli('machines', 'download', 'lab', join(folder, 'run 1.log'), '--out', out).status).toBe(0);
  expect(await readFile(out, 'utf8')).toBe(await readFile(join(folder, 'run 1.log'), 'utf8'));
  const again = cli('machines', 'download', 'lab', join(folder, 'run 1.log'), '--out', out);
  expect(again.status).toBe(1);
  expect(again.stderr).toContain('exists already');
  expect(cli('machines', 'files', 'lab', join(folder, 'gone')).status).toBe(1);
});

test('a host that no ssh reaches is named with why, and kept to be tried again', () => {
  const added = cli('machines', 'add', 'no-such-host.invalid');
  expect(added.status).toBe(1);
  expect(added.stdout).toContain('unreachable since');
  expect(cli('machines', 'remove', 'no-such-host-invalid').status).toBe(0);
  expect(cli('machines', 'add', '-oProxyCommand=x').status).toBe(2);
});

test('a job on the machine outlives the command; its log and its end are there later', async () => {
  const job = startJob(
    'lab',
    '--name',
    'counting',
    '--',
    'for i in 1 2 3; do echo line $i; sleep 0.5; done; exit 3',
  );
  expect(job.machineId).toBe('lab');
  const followed = cli('jobs', 'logs', job.id.slice(0, 8), '-f');
  expect(followed.stdout).toBe('line 1\nline 2\nline 3\n');
  expect(cli('jobs', 'show', job.id).stdout).toContain('failed with code 3');
  expect(cli('jobs', 'logs', job.id, '--search', 'LINE 2').stdout).toBe('2: line 2\n');
  const again = cli('jobs', 'retry', job.id);
  expect(again.status).toBe(0);
  expect(cli('jobs', 'logs', job.id, '-f').stdout.match(/line/g)).toHaveLength(6);
  expect(cli('jobs', 'remove', job.id).status).toBe(0);
  expect(cli('jobs', 'list').stderr).toContain('There are no jobs');
});

test('a list of commands becomes a job each', async () => {
  const list = join(data.path, 'runs.txt');
  await writeFile(list, '# seeds\necho seed 1\n\necho seed 2\nexit 4\n');
  const started = cli('jobs', 'start', 'lab', '--each', list, '--name', 'sweep', '--json');
  expect(started.stderr).toBe('');
  const jobs = JSON.parse(started.stdout) as JobView[];
  expect(jobs.map(({ name }) => name)).toEqual(['sweep 1', 'sweep 2', 'sweep 3']);
  for (const [i, { id }] of jobs.entries()) {
    expect(cli('jobs', 'logs', id, '-f').stdout).toBe(i < 2 ? `seed ${i + 1}\n` : '');
  }
  expect(cli('jobs', 'list').stdout).toContain('failed with code 4');
  expect(cli('jobs', 'start', 'lab', '--each', '/nowhere/list').status).toBe(2);
});

test('stopping a job ends everything that it started', async () => {
  const mark = `sleep 98${Math.floor(Math.random() * 1e6)}`;
  const job = startJob('lab', '--', `${mark} & ${mark}`);
  await expect.poll(() => running(mark)).toBe(2);
  const stopped = cli('jobs', 'stop', job.id);
  expect(stopped.stderr).toBe('');
  expect(await running(mark)).toBe(0);
});

test('followed through cuts of the connection and kills of the follower, a log of 20 MB is whole', async () => {
  test.setTimeout(180_000);
  const job = startJob('lab', '--', 'seq -f "%.0f some words to fill the line with" 500000');
  for (let i = 0; i < 4; i += 1) {
    const follower = startCli(['jobs', 'logs', job.id, '-f', '--data', data.dataDir], {
      ...process.env,
      ...lab.env,
    });
    await new Promise((done) => setTimeout(done, 300 + i * 200));
    await lab.sshd.killSessions();
    follower.child.kill('SIGKILL');
    await follower.ended;
  }
  const out = join(data.path, 'whole.log');
  const saved = cli('jobs', 'logs', job.id, '--out', out);
  expect(saved.stderr).toContain('bytes written to');
  const expected = createHash('sha256');
  for (let i = 1; i <= 500_000; i += 1) expected.update(`${i} some words to fill the line with\n`);
  expect(
    createHash('sha256')
      .update(await readFile(out))
      .digest('hex'),
  ).toBe(expected.digest('hex'));
});

test('a machine that is down makes its jobs unknown, not failed, and they are found again', async () => {
  test.setTimeout(180_000);
  const job = startJob('lab', '--', 'sleep 4; echo done');
  await lab.sshd.down();
  const shown = cli('jobs', 'show', job.id);
  expect(shown.stdout).toContain('unknown since');
  await lab.sshd.up();
  await expect.poll(() => cli('jobs', 'show', job.id).stdout, { timeout: 60_000 }).toContain('  done\n');
  expect(cli('jobs', 'logs', job.id).stdout).toBe('done\n');
});

test('a study with its servers and its grading on the machine gives the same bytes as on this computer', async () => {
  test.setTimeout(600_000);
  const size = ['--problems', '6', '--nodes', '8', '--seed', '5'];
  const local = cli('quickstart', ...size, '--out', join(data.path, 'here'));
  expect(local.stderr).toContain('Written:');
  const remote = cli(
    'quickstart',
    ...size,
    '--out',
    join(data.path, 'there'),
    '--machine',
    'lab',
    '--grade-on',
    'lab',
  );
  expect(remote.stderr).toContain('Written:');
  for (const name of ['table.csv', 'nodes.csv', 'curves.csv']) {
    const [a, b] = await Promise.all(
      ['here', 'there'].map((folder) => readFile(join(data.path, folder, name), 'utf8')),
    );
    expect(b, name).toBe(a);
  }
  // It ran there: the servers' program lies in the machine's own folder, and its grading was calibrated.
  const tools = await readdir(join(lab.sshd.home, '.mars2-workbench', 'tools'));
  expect(tools.some((name) => name.startsWith('model-server'))).toBe(true);
  const registry = JSON.parse(await readFile(join(data.dataDir, 'registry.json'), 'utf8')) as {
    machineCalibrations: Record<string, unknown>;
  };
  expect(Object.keys(registry.machineCalibrations)).toEqual(['lab']);
});

test('while a window is open, the CLI uses the workbench of that window', async () => {
  const folder = data.dataDir;
  const app = await launchApp(folder, lab.env);
  try {
    const job = startJob('lab', '--name', 'seen in the window', '--', 'echo hello');
    await app.page.evaluate(() => {
      window.location.hash = '#/jobs';
    });
    await expect(app.page.getByText('seen in the window').first()).toBeVisible();
    expect(cli('jobs', 'logs', job.id, '-f').stdout).toBe('hello\n');
  } finally {
    await app.close();
  }
});

/** Processes of the whole computer whose command line holds these words. */
async function running(pattern: string): Promise<number> {
  let count = 0;
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (line.split('\0').join(' ').trimEnd() === pattern) count += 1;
  }
  return count;
}
