import { execFile } from 'node:child_process';
import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { bundleScript } from '../../support/bundled-script';
import { temporaryFolder } from '../../support/temporary-folder';
import { writeLargeFile } from './large-file';

const reportSchema = z.object({
  problems: z.number(),
  seconds: z.number(),
  cpuSeconds: z.number(),
  idleBytes: z.number(),
  importPeakBytes: z.number(),
  peakBytesAfterReadingIt: z.number(),
});

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

it('imports a file of LiveCodeBench form and 2 GB in less than 300 MB of memory', async () => {
  const folder = await temporaryFolder();
  const { bavail, bsize } = await statfs(folder);
  // The file, and its tests unpacked.
  const bytes = bavail * bsize > 10 * GIB ? 2 * GIB : GIB;
  const path = join(folder, 'test.jsonl');
  const { rows, longest } = await writeLargeFile(path, bytes);
  const script = await bundleScript(join(import.meta.dirname, 'import-program.ts'), folder);
  const { stdout } = await promisify(execFile)(process.execPath, [script, join(folder, 'data'), path]);
  const report = reportSchema.parse(JSON.parse(stdout));
  const size = (await stat(path)).size;
  const stored = (await stat(join(folder, 'data', 'benchmarks', 'large', 'problems.jsonl'))).size;
  console.log({
    problems: report.problems,
    fileMiB: Math.round(size / MIB),
    longestLineMiB: Math.round(longest / MIB),
    storedMiB: Math.round(stored / MIB),
    idleMiB: Math.round(report.idleBytes / MIB),
    importPeakMiB: Math.round(report.importPeakBytes / MIB),
    peakMiBAfterReadingTheLongestProblem: Math.round(report.peakBytesAfterReadingIt / MIB),
    seconds: report.seconds,
    cpuSeconds: report.cpuSeconds,
    mebibytesPerSecond: Math.round(size / MIB / report.seconds),
    mebibytesPerCpuSecond: Math.round(size / MIB / report.cpuSeconds),
  });
  expect(report.problems).toBe(rows);
  expect(report.importPeakBytes).toBeLessThan(300 * MIB);
});
