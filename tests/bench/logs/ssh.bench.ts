// Run: npx vitest run --config tests/bench/logs/bench.config.ts
// What it costs to read a log by byte offset over ssh, against `ssh cat` of the same file in the same run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hasEnded, type JobSpec } from '../../../main/jobs';
import { eventually } from '../../support/eventually';
import { openFleet, sshSpec } from '../../support/fleet-bench';
import { openJobsOver } from '../../support/job-bench';
import { hasSshdAccounts, startSshd } from '../../support/sshd';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

const MEGABYTES = 200;
const ROUNDS = 3;

test.skipIf(!hasSshdAccounts)('reading a log by offset over ssh (needs root and sshd)', async () => {
  const sshd = await startSshd();
  onTestFinished(() => sshd.stop());
  const { fleet } = await openFleet(sshd.sshArgs, [sshSpec(sshd)]);
  const jobs = await openJobsOver(fleet, await temporaryFolder());
  onTestFinished(() => jobs.dispose());
  const flood = join(import.meta.dirname, 'flood.mjs');
  const job: JobSpec = {
    machineId: 'lab',
    name: 'flood',
    purpose: 'command',
    command: { kind: 'program', program: process.execPath, args: [flood, `${MEGABYTES}`, '0'] },
  };
  const { id } = await unwrap(jobs.launch(job));
  await eventually('its end', async () => hasEnded((await unwrap(jobs.inspect(id))).view.state));
  const path = join(sshd.home, '.mars2-workbench', 'jobs', id, 'output.log');
  expect((await stat(path)).size).toBe(MEGABYTES * 1e6);

  const lines: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const whole = await seconds(async () => {
      const child = spawn('ssh', [...sshd.sshArgs, sshd.host, 'cat', `'${path}'`], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let bytes = 0;
      for await (const chunk of child.stdout) bytes += chunk.length;
      if (child.exitCode === null) await once(child, 'exit');
      expect(bytes).toBe(MEGABYTES * 1e6);
    });
    const byPiece = async (pieceBytes: number) =>
      seconds(async () => {
        for (let offset = 0; ; ) {
          const piece = await unwrap(jobs.readLog(id, 'output', offset, pieceBytes));
          offset = piece.nextOffset;
          if (offset === piece.size) return;
        }
      });
    const [small, large] = [await byPiece(1_048_576), await byPiece(4_194_304)];
    const glance = await seconds(async () => {
      for (let reads = 0; reads < 20; reads++) await unwrap(jobs.readLog(id, 'output', -65_536, 65_536));
    });
    lines.push(
      `ssh cat ${(MEGABYTES / whole).toFixed(0)} MB/s; pieces of 1 MiB ${(whole / small).toFixed(2)} of it, of 4 MiB ${(whole / large).toFixed(2)}; its last 64 KiB ${((glance / 20) * 1e3).toFixed(0)} ms`,
    );
  }
  process.stdout.write(`${lines.join('\n')}\n`);
});

async function seconds(work: () => Promise<void>): Promise<number> {
  const startMs = performance.now();
  await work();
  return (performance.now() - startMs) / 1_000;
}
