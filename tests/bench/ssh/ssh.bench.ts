// Run: npx vitest run --config tests/bench/ssh/bench.config.ts
// Commands a second on a machine behind ssh (a real sshd on loopback): over the workbench's one connection, against a
// fresh `ssh` each and a fresh session over a connection that is shared (ControlMaster), all in one run; once with the
// login shell as it is, once with an rc file that takes 150 ms. Then the bytes a second of a file read in slices,
// against `ssh HOST cat FILE`.
import { execFile } from 'node:child_process';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { Machine } from '../../../main/machines';
import { connectedMachine } from '../../support/fleet-bench';
import { hasSshdAccounts, type Sshd, startSshd } from '../../support/sshd';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

const run = promisify(execFile);
const SCRIPT = 'cat /proc/loadavg';
const SLICE = 4 * 1_048_576;
const FILE = 64 * 1_048_576;

/** Times of each call in milliseconds, sorted. */
async function timed(count: number, call: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const startMs = performance.now();
    await call();
    times.push(performance.now() - startMs);
  }
  return times.sort((a, b) => a - b);
}

async function timedWell(name: string, count: number, call: () => Promise<unknown>): Promise<string> {
  await call();
  const startMs = performance.now();
  const times = await timed(count, call);
  const perSecond = count / ((performance.now() - startMs) / 1_000);
  const at = (part: number) => (times[Math.floor(times.length * part)] ?? 0).toFixed(1);
  return `${name.padEnd(44)} ${perSecond.toFixed(1).padStart(7)} /s   median ${at(0.5)} ms, p95 ${at(0.95)} ms`;
}

async function compare(title: string, sshd: Sshd, machine: Machine): Promise<readonly string[]> {
  const control = `${sshd.folder}/bench-control`;
  await run('ssh', [...sshd.sshArgs, '-M', '-N', '-f', '-S', control, '-o', 'ControlPersist=60', sshd.host]);
  onTestFinished(async () => {
    await run('ssh', [...sshd.sshArgs, '-S', control, '-O', 'exit', sshd.host]).catch(() => undefined);
  });
  const ours = async () => expect((await unwrap(machine.run(SCRIPT))).code).toBe(0);
  return [
    title,
    await timedWell('  a fresh ssh each', 20, () => run('ssh', [...sshd.sshArgs, sshd.host, SCRIPT])),
    await timedWell('  a fresh session over a shared connection', 40, () =>
      run('ssh', [...sshd.sshArgs, '-S', control, sshd.host, SCRIPT]),
    ),
    await timedWell('  the workbench, one after the other', 300, ours),
    await timedWell('  the workbench, eight at once (time of eight)', 60, () =>
      Promise.all(Array.from({ length: 8 }, ours)),
    ),
  ];
}

test.skipIf(!hasSshdAccounts)('commands and bytes over one connection', async () => {
  const plain = await startSshd();
  onTestFinished(plain.stop);
  const { machine } = await connectedMachine(plain);
  const slow = await startSshd({ loginShell: '/bin/bash', homeFiles: { '.bashrc': 'sleep 0.15\n' } });
  onTestFinished(slow.stop);
  const slowMachine = (await connectedMachine(slow)).machine;
  const lines = [
    ...(await compare('login shell as it is', plain, machine)),
    ...(await compare('an rc file that takes 150 ms', slow, slowMachine)),
  ];

  const path = join(await temporaryFolder(), 'big');
  await writeFile(path, 'x');
  await truncate(path, FILE);
  const slices = async () => {
    for (let offset = 0; offset < FILE; offset += SLICE) {
      const slice = await unwrap(machine.readSlice(path, offset, SLICE));
      expect(slice?.bytes).toHaveLength(SLICE);
    }
  };
  const cat = () =>
    run('ssh', [...plain.sshArgs, plain.host, `cat '${path}'`], { encoding: 'buffer', maxBuffer: 2 * FILE });
  const [sliced, catted] = [await timed(5, slices), await timed(5, cat)];
  const rate = (times: readonly number[]) => (FILE / 1e6 / ((times[2] ?? 1) / 1_000)).toFixed(0);
  lines.push(
    'bytes',
    `  read in slices of 4 MiB ${rate(sliced)} MB/s; a fresh ssh with cat ${rate(catted)} MB/s (medians of 5)`,
  );
  process.stdout.write(`${lines.join('\n')}\n`);
});
