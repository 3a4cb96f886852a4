// See soak.mjs.
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { controlSocketPath, openWorkbench } from '../../../main/app';
import { privateFolder } from '../../../main/app/folders';
import { environmentSecrets } from '../../../main/app/secrets';
import { type Held, heldBy } from './held';
import { makeBenchmark, openSoakWork, type SoakWork } from './soak-work';

/** Share of the full counts. */
const scale = Number(process.argv[2] ?? 1);
const COUNTS: Readonly<Record<keyof SoakWork, number>> = {
  events: 100_000,
  studies: 1_000,
  appLogRotations: 10_000,
  jobLogRotations: 10_000,
};
const NAMES: Readonly<Record<keyof SoakWork, string>> = {
  events: 'events',
  studies: 'studies opened and closed',
  appLogRotations: "rotations of the app's log",
  jobLogRotations: "rotations of a job's log",
};
/** Compiled code and caches with a bound may still grow by this after the warm-up. */
const HEAP_SLACK_BYTES = 6_000_000;

const folder = await mkdtemp(join(tmpdir(), 'soak '));
const dataDir = join(folder, 'data');
await mkdir(dataDir);
await makeBenchmark(dataDir);
const opened = await openWorkbench({
  dataDir,
  project: resolve('.'),
  appVersion: 'soak',
  kind: 'terminal',
  nodeRuntime: { command: process.execPath, env: {} },
  secrets: environmentSecrets({}),
  reconnects: false,
});
if (!opened.ok) throw new Error(opened.error.message);
const workbench = opened.value;
const sockets = await privateFolder(process.env);
if (!sockets.ok) throw new Error(sockets.error.message);
// A terminal that is connected the whole time: events reach it over the socket.
const terminal = createConnection(controlSocketPath(sockets.value, dataDir));
await once(terminal, 'connect');
terminal.resume();

const rounds = await openSoakWork(workbench, dataDir);
const rows: string[][] = [['', 'count', 'seconds', 'heap MB', 'listeners', 'file handles', 'children', '']];
let hasFailed = false;
for (const name of Object.keys(COUNTS) as (keyof SoakWork)[]) {
  const count = Math.max(1, Math.round(COUNTS[name] * scale));
  await rounds[name](Math.max(2, Math.round(count / 20)));
  const before = await settled();
  const beganMs = performance.now();
  await rounds[name](count);
  const seconds = (performance.now() - beganMs) / 1_000;
  const after = await settled();
  const isKept =
    after.heapBytes <= before.heapBytes + HEAP_SLACK_BYTES &&
    after.listeners === before.listeners &&
    after.fileHandles === before.fileHandles &&
    after.childProcesses === before.childProcesses;
  if (!isKept) hasFailed = true;
  const change = (key: keyof Held) => `${before[key]} -> ${after[key]}`;
  rows.push([
    NAMES[name],
    String(count),
    seconds.toFixed(1),
    `${(before.heapBytes / 1e6).toFixed(1)} -> ${(after.heapBytes / 1e6).toFixed(1)}`,
    change('listeners'),
    change('fileHandles'),
    change('childProcesses'),
    isKept ? '' : 'KEEPS',
  ]);
}
terminal.destroy();
await workbench.close();
await rm(folder, { recursive: true, force: true });
const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
for (const row of rows)
  console.log(
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
process.exitCode = hasFailed ? 1 : 0;

/** What is held once delayed work (saving, sending) is done. */
async function settled(): Promise<Held> {
  await new Promise((resume) => setTimeout(resume, 3_000));
  return heldBy(workbench);
}
