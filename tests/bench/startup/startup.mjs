// Start-up and memory of the workbench next to a blank Electron window, alternating in one run.
// Run: node tests/bench/startup/startup.mjs [ROUNDS]   (starts its own virtual display when there is none)
// Prints the least and the median of each and their ratios; only ratios compare between machines. Where others use the
// machine, the least says more than the median, and processor time more than time.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { createReporter, electronLaunch, ensure, ensureBuilt } from '../../../scripts/ensure/index.mjs';
import { openVirtualDisplay } from '../../../scripts/testing/virtual-display.mjs';

const project = join(import.meta.dirname, '..', '..', '..');
const rounds = Number(process.argv[2] ?? 9);
/** After a start: everything that it begins has ended, also on a busy machine. */
const SETTLED_MS = 4_000;

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

/** A process and all its descendants. */
async function familyOf(pid) {
  const listed = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const children = listed.split(' ').filter((text) => text !== '');
  return [pid, ...(await Promise.all(children.map((child) => familyOf(Number(child))))).flat()];
}

/** Proportional set size in MB of processes: shared pages are counted once. */
async function memoryOf(pids) {
  const rollups = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')),
  );
  return rollups.reduce((sum, rollup) => sum + Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0), 0) / 1024;
}

/** Milliseconds of processor time that processes, and what they waited for, have used: 100 ticks a second. */
async function cpuOf(pids) {
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
  return stats.reduce((sum, stat) => {
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return sum + fields.slice(11, 15).reduce((all, ticks) => all + Number(ticks ?? 0) * 10, 0);
  }, 0);
}

/** Asks the page only long after its start: whoever drives a window from its first moment slows it down. */
async function paintsOf(address) {
  const browser = await chromium.connectOverCDP(address);
  try {
    const context = browser.contexts()[0];
    const page = context.pages()[0] ?? (await context.waitForEvent('page'));
    return await page.evaluate(
      () =>
        new Promise((resolve) => {
          new PerformanceObserver((list) => {
            const [first] = performance.getEntriesByName('first-contentful-paint');
            const largest = list.getEntries().at(-1);
            if (!first || !largest) return;
            const { timeOrigin } = performance;
            resolve({ first: timeOrigin + first.startTime, largest: timeOrigin + largest.startTime });
          }).observe({ type: 'largest-contentful-paint', buffered: true });
        }),
    );
  } finally {
    await browser.close();
  }
}

/** One start, from nothing to `SETTLED_MS` later. */
async function measure(executablePath, env, app, more) {
  const begun = Date.now();
  const { args } = electronLaunch();
  const electron = spawn(executablePath, [...args, '--remote-debugging-port=0', app, ...more], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(electron, 'exit');
  let told = '';
  electron.stderr.setEncoding('utf8').on('data', (text) => {
    told += text;
  });
  try {
    const used = [];
    while (Date.now() - begun < SETTLED_MS) {
      used.push({ at: Date.now(), cpu: await cpuOf(await familyOf(electron.pid)) });
      await sleep(20);
    }
    const memory = await memoryOf(await familyOf(electron.pid));
    const address = /DevTools listening on (\S+)/.exec(told)?.[1];
    if (address === undefined) throw new Error(`It did not start within ${SETTLED_MS} ms:\n${told}`);
    const { first, largest } = await paintsOf(address);
    const cpu = used.findLast(({ at }) => at <= first)?.cpu ?? 0;
    return { first: first - begun, largest: largest - begun, cpu, memory };
  } finally {
    electron.kill();
    const forced = setTimeout(() => electron.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(forced);
  }
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
  const apps = {
    blank: [blank, [`--user-data-dir=${join(scratch, 'chromium')}`]],
    workbench: [project, ['--data', data]],
  };
  const runs = { blank: [], workbench: [] };
  // The first start of each fills caches that every later one has.
  for (let round = 0; round <= rounds; round++) {
    for (const [name, [app, more]] of Object.entries(apps)) {
      const run = await measure(executablePath, env, app, more);
      if (round > 0) runs[name].push(run);
    }
  }
  const line = (title, what, unit) => {
    const row = (name, choose) => {
      const blankValue = choose(runs.blank.map((run) => run[what]));
      const ours = choose(runs.workbench.map((run) => run[what]));
      return `${name} ${blankValue.toFixed(0)} -> ${ours.toFixed(0)} ${unit} (${(ours / blankValue).toFixed(2)})`;
    };
    const least = row('least', (values) => Math.min(...values));
    return `${title.padEnd(32)} ${least.padEnd(34)} ${row('median', median)}`;
  };
  process.stdout.write(
    [
      `blank window -> workbench (ratio), ${rounds} alternating starts`,
      line('start to first paint', 'first', 'ms'),
      line('start to largest paint', 'largest', 'ms'),
      line('processor time to first paint', 'cpu', 'ms'),
      line('memory (PSS, at the end)', 'memory', 'MB'),
      `built app (out/)                 ${((await bytesOf(join(project, 'out'))) / 1e6).toFixed(2)} MB`,
      '',
    ].join('\n'),
  );
} finally {
  await display.close();
  await rm(scratch, { recursive: true, force: true });
}
