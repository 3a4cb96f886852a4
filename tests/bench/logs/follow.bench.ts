// Run: npx vitest run --config tests/bench/logs/bench.config.ts
// What it costs to follow a job's log by byte offset: against a plain pipe, and for the job itself. Ratios of rounds
// that take turns in one run, since other work on the machine slows all of them alike.
import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasEnded, type JobService } from '../../../main/jobs';
import { openJobBench } from '../../support/job-bench';
import { unwrap } from '../../support/unwrap';

const program = join(import.meta.dirname, 'flood.mjs');
const ROUNDS = 5;
const MEGABYTES = 400;
/** The rate that the window has to bear, for so many seconds. */
const [PACED_RATE, PACED_SECONDS] = [50, 4];
const PIECE_BYTES = 1_048_576;
const POLL_MS = 20;

/** Megabytes a second through a pipe that does nothing but count. */
async function throughPipe(): Promise<number> {
  const startMs = performance.now();
  const child = spawn(process.execPath, [program, `${MEGABYTES}`, '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let bytes = 0;
  for await (const chunk of child.stdout) bytes += chunk.length;
  expect(bytes).toBe(MEGABYTES * 1_000_000);
  return (MEGABYTES / (performance.now() - startMs)) * 1_000;
}

type Round = { readonly jobMs: number; readonly followMs: number; readonly lagBytes: number };

/** Starts a job that floods, follows it or not, and waits for its end. */
async function asJob(
  jobs: JobService,
  folder: string,
  flood: { readonly megabytes: number; readonly rate: number; readonly follow: boolean },
): Promise<Round> {
  const timesPath = join(folder, 'times');
  await rm(timesPath, { force: true });
  const startMs = performance.now();
  const { id } = await unwrap(
    jobs.launch({
      machineId: 'local',
      name: 'flood',
      purpose: 'command',
      command: {
        kind: 'program',
        program: process.execPath,
        args: [program, `${flood.megabytes}`, `${flood.rate}`, timesPath],
      },
    }),
  );
  let [offset, lagBytes] = [0, 0];
  for (;;) {
    const isOver = hasEnded((await unwrap(jobs.view(id))).state);
    if (flood.follow) {
      const piece = await unwrap(jobs.readLog(id, 'output', offset, PIECE_BYTES));
      offset = piece.nextOffset;
      if (!isOver) lagBytes = Math.max(lagBytes, piece.size - offset);
      if (offset < piece.size) continue;
    }
    if (isOver) break;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    await jobs.inspect(id);
  }
  const followMs = performance.now() - startMs;
  if (flood.follow) expect(offset).toBe(flood.megabytes * 1_000_000);
  await unwrap(jobs.remove(id));
  return { jobMs: Number(await readFile(timesPath, 'utf8')), followMs, lagBytes };
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

test('following a log against a pipe, and what it costs the job', async () => {
  const bench = await openJobBench();
  try {
    const measurements: { pipe: number; alone: Round; followed: Round; pacedAlone: Round; paced: Round }[] =
      [];
    for (let round = 0; round < ROUNDS; round++) {
      const fast = { megabytes: MEGABYTES, rate: 0 };
      const paced = { megabytes: PACED_RATE * PACED_SECONDS, rate: PACED_RATE };
      measurements.push({
        pipe: await throughPipe(),
        alone: await asJob(bench.jobs, bench.folder, { ...fast, follow: false }),
        followed: await asJob(bench.jobs, bench.folder, { ...fast, follow: true }),
        pacedAlone: await asJob(bench.jobs, bench.folder, { ...paced, follow: false }),
        paced: await asJob(bench.jobs, bench.folder, { ...paced, follow: true }),
      });
    }
    const rate = ({ followMs }: Round) => (MEGABYTES / followMs) * 1_000;
    const of = (pick: (round: (typeof measurements)[number]) => number) => median(measurements.map(pick));
    process.stdout.write(
      [
        `medians of ${ROUNDS} rounds, ${MEGABYTES} MB each, pieces of 1 MiB`,
        `plain pipe                       ${of(({ pipe }) => pipe).toFixed(0)} MB/s`,
        `followed log, start to end       ${of(({ followed }) => rate(followed)).toFixed(0)} MB/s = ${of(({ pipe, followed }) => rate(followed) / pipe).toFixed(2)} of the pipe`,
        `the job's own time, followed / not   ${of(({ alone, followed }) => followed.jobMs / alone.jobMs).toFixed(2)} (as fast as it can write)`,
        `                                     ${of(({ pacedAlone, paced }) => paced.jobMs / pacedAlone.jobMs).toFixed(3)} (at ${PACED_RATE} MB/s; at most ${(of(({ paced }) => paced.lagBytes) / 1e6).toFixed(1)} MB behind)`,
        '',
      ].join('\n'),
    );
  } finally {
    await bench.dispose();
  }
});
