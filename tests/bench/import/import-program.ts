import { readFileSync, writeSync } from 'node:fs';
import { createBenchmarkLibrary } from '../../../main/benchmarks';

/** Imports a file in a separate process and prints the time it took; or, with an option, reads what was imported. */
const [dataDir = '', path = ''] = process.argv.slice(2);
const library = createBenchmarkLibrary({ dataDir, clock: () => 0 });
const peakBytes = (): number =>
  1024 * Number(/VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0);
const idleBytes = peakBytes();
const begin = process.hrtime.bigint();
const imported = await library.importBenchmark({ path, id: 'large' });
if (!imported.ok) throw new Error(imported.error.message);
const seconds = Number(process.hrtime.bigint() - begin) / 1e9;
const { user, system } = process.cpuUsage();
const importPeakBytes = peakBytes();
const outline = await library.outline('large');
if (!outline.ok) throw new Error(outline.error.message);
const [longest] = [...outline.value].sort((a, b) => b.bytes - a.bytes);
const problem = await library.problem('large', longest?.id ?? '');
if (!problem.ok) throw new Error(problem.error.message);
const { problems } = imported.value.value;
const report = {
  problems,
  seconds,
  cpuSeconds: (user + system) / 1e6,
  idleBytes,
  importPeakBytes,
  longestProblemBytes: longest?.bytes,
  longestProblemTests: problem.value.privateTests.length,
  peakBytesAfterReadingIt: peakBytes(),
};
writeSync(1, `${JSON.stringify(report)}\n`);
