// Start-up and memory of the workbench next to a blank Electron window, alternating in one run.
// Run: node tests/bench/startup/startup.mjs [ROUNDS]   (starts its own virtual display when there is none)
// Prints medians and ratios; only the ratios compare between machines.
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron } from '@playwright/test';
import { createReporter, electronLaunch, ensure, ensureBuilt } from '../../../scripts/ensure/index.mjs';
import { openVirtualDisplay } from '../../../scripts/testing/virtual-display.mjs';

const project = join(import.meta.dirname, '..', '..', '..');
const rounds = Number(process.argv[2] ?? 7);

const blankMain = `
const { app, BrowserWindow } = require('electron');
app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 1280, height: 800, show: false, webPreferences: { sandbox: true } });
  window.once('ready-to-show', () => window.show());
  window.loadFile(require('node:path').join(__dirname, 'index.html'));
});
`;

async function blankApp(folder) {
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'blank', version: '0.0.0', main: 'main.cjs' }),
  );
  await writeFile(join(folder, 'main.cjs'), blankMain);
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>blank</title><p>blank</p>');
  return folder;
}

/** Proportional set size in MB of a process and all its descendants: shared pages are counted once. */
async function memoryOf(root) {
  const parents = new Map();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const status = await readFile(`/proc/${name}/status`, 'utf8').catch(() => '');
    const parent = /^PPid:\s+(\d+)$/m.exec(status);
    if (parent) parents.set(Number(name), Number(parent[1]));
  }
  const family = new Set([root]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const [pid, parent] of parents) {
      if (family.has(parent) && !family.has(pid)) {
        family.add(pid);
        grown = true;
      }
    }
  }
  let kilobytes = 0;
  for (const pid of family) {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
    kilobytes += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
  }
  return kilobytes / 1024;
}

async function measure(executablePath, env, app, more) {
  const begun = Date.now();
  const { args } = electronLaunch();
  const electron = await _electron.launch({ executablePath, args: [...args, app, ...more], env });
  const page = await electron.firstWindow();
  const painted = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const told = (entry) => resolve(performance.timeOrigin + entry.startTime);
        const [seen] = performance.getEntriesByName('first-contentful-paint');
        if (seen) told(seen);
        else
          new PerformanceObserver((list) => {
            const [entry] = list.getEntriesByName('first-contentful-paint');
            if (entry) told(entry);
          }).observe({ type: 'paint', buffered: true });
      }),
  );
  await page.waitForTimeout(1_500);
  const memory = await memoryOf(electron.process().pid);
  await electron.close();
  return { paint: painted - begun, memory };
}

async function bytesOf(folder) {
  let sum = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) sum += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return sum;
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

const reporter = createReporter(process.stderr);
const executablePath = await ensure(['window', 'tests', 'sandbox'], reporter);
await ensureBuilt(reporter);
const scratch = await mkdtemp(join(tmpdir(), 'mars2 startup '));
const display = await openVirtualDisplay(scratch);
try {
  const env = { ...process.env, ...display.env };
  const blank = await blankApp(join(scratch, 'blank'));
  const data = join(scratch, 'data');
  const runs = { blank: [], workbench: [] };
  for (let round = 0; round < rounds; round++) {
    runs.blank.push(
      await measure(executablePath, env, blank, [`--user-data-dir=${join(scratch, 'chromium')}`]),
    );
    runs.workbench.push(await measure(executablePath, env, project, ['--data', data]));
  }
  const of = (name, what) => median(runs[name].map((run) => run[what]));
  const line = (what, blankValue, ours, unit) =>
    `${what.padEnd(24)} blank ${blankValue.toFixed(0)} ${unit}, workbench ${ours.toFixed(0)} ${unit}, ratio ${(ours / blankValue).toFixed(2)}`;
  process.stdout.write(
    [
      `medians of ${rounds} alternating starts`,
      line('start to first paint', of('blank', 'paint'), of('workbench', 'paint'), 'ms'),
      line('memory (PSS, 1.5 s later)', of('blank', 'memory'), of('workbench', 'memory'), 'MB'),
      `built app (out/)          ${((await bytesOf(join(project, 'out'))) / 1e6).toFixed(2)} MB`,
      '',
    ].join('\n'),
  );
} finally {
  await display.close();
  await rm(scratch, { recursive: true, force: true });
}
