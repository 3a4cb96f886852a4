// A flood of output through a terminal of the real window, next to the same flood through a plain pipe and through a
// bare pty that only counts, all taking turns in one run.
// Run: node tests/bench/logs/terminal-window.mjs [ROUNDS]   (starts its own virtual display when there is none)
// Prints medians and ratios; only the ratios compare between machines.
import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as pty from '@lydell/node-pty';
import { _electron } from '@playwright/test';
import { createReporter, electronLaunch, ensure, ensureBuilt } from '../../../scripts/ensure/index.mjs';
import { openVirtualDisplay } from '../../../scripts/testing/virtual-display.mjs';

const project = join(import.meta.dirname, '..', '..', '..');
const program = join(import.meta.dirname, 'flood.mjs');
const rounds = Number(process.argv[2] ?? 5);
const MEGABYTES = 40;

/** Megabytes a second of a stream that is only counted; a pty makes two bytes of a line's end. */
async function counted(open) {
  const startMs = performance.now();
  await open();
  return (MEGABYTES / (performance.now() - startMs)) * 1_000;
}

const throughPipe = () =>
  counted(async () => {
    const child = spawn(process.execPath, [program, `${MEGABYTES}`, '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const _chunk of child.stdout);
  });

const throughPty = () =>
  counted(
    () =>
      new Promise((done) => {
        const terminal = pty.spawn(process.execPath, [program, `${MEGABYTES}`, '0'], { cols: 120, rows: 32 });
        terminal.onData(() => {});
        terminal.onExit(done);
      }),
  );

/** The app with one terminal on this computer; `bin` stands first in its PATH. */
async function openWindow(executablePath, env, data, bin) {
  const { args } = electronLaunch();
  const path = bin === null ? env.PATH : `${bin}:${env.PATH}`;
  const electron = await _electron.launch({
    executablePath,
    args: [...args, project, '--data', data],
    env: { ...env, PATH: path },
  });
  const page = await electron.firstWindow();
  await page.goto('workbench://app/index.html#/machines/local');
  await page.getByRole('button', { name: 'Open terminal' }).click();
  await page.locator('.xterm-rows').waitFor();
  const type = async (text) => {
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };
  /** Milliseconds from now until the screen shows the text; looked at in every frame. */
  const untilShown = (text) =>
    page.evaluate(
      (wanted) =>
        new Promise((resolve) => {
          const startMs = performance.now();
          const gaps = [];
          let lastMs = startMs;
          const look = (nowMs) => {
            gaps.push(nowMs - lastMs);
            lastMs = nowMs;
            if (document.querySelector('.xterm-rows')?.textContent?.includes(wanted)) {
              gaps.sort((a, b) => a - b);
              resolve({ ms: performance.now() - startMs, longestFrameMs: gaps.at(-1) });
            } else requestAnimationFrame(look);
          };
          requestAnimationFrame(look);
        }),
      text,
    );
  await type('PS1="> "; echo re""ady');
  await untilShown('ready');
  return {
    flood: async (round) => {
      await type(`clear; '${process.execPath}' '${program}' ${MEGABYTES} 0; echo do""ne-${round}`);
      return untilShown(`done-${round}`);
    },
    /** From pressing Ctrl+C in the middle of an endless flood until the shell says that it is over. */
    interrupt: async (round) => {
      await type(`clear; '${process.execPath}' '${program}' 1000000 0; echo stop""ped-${round}`);
      await page.waitForTimeout(1_500);
      await page.keyboard.press('Control+c');
      const { ms } = await untilShown('^C');
      await type(`echo stop""ped-${round}`);
      await untilShown(`stopped-${round}`);
      return ms;
    },
    close: async () => {
      await page.evaluate(async () => {
        const listed = await window.workbench.call('terminal.list', {});
        for (const { id } of listed.ok ? listed.value : [])
          await window.workbench.call('terminal.close', { terminalId: id });
      });
      await electron.close();
    },
  };
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

const reporter = createReporter(process.stderr);
const executablePath = await ensure(['window', 'tests', 'sandbox'], reporter);
await ensureBuilt(reporter);
const scratch = await mkdtemp(join(tmpdir(), 'mars2 flood '));
const display = await openVirtualDisplay(scratch);
try {
  const env = { ...process.env, ...display.env };
  // One that is too old counts as none.
  const bin = join(scratch, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'tmux'), '#!/bin/sh\necho "tmux 1.8"\n');
  await chmod(join(bin, 'tmux'), 0o755);
  const windows = {
    'window, shell in tmux': await openWindow(executablePath, env, join(scratch, 'a'), null),
    'window, shell in a pty': await openWindow(executablePath, env, join(scratch, 'b'), bin),
  };
  const rates = { pipe: [], pty: [] };
  const seen = Object.fromEntries(
    Object.keys(windows).map((name) => [name, { rate: [], frame: [], stop: [] }]),
  );
  for (let round = 0; round < rounds; round++) {
    rates.pipe.push(await throughPipe());
    rates.pty.push(await throughPty());
    for (const [name, window] of Object.entries(windows)) {
      const { ms, longestFrameMs } = await window.flood(round);
      seen[name].rate.push((MEGABYTES / ms) * 1_000);
      seen[name].frame.push(longestFrameMs);
      seen[name].stop.push(await window.interrupt(round));
    }
  }
  for (const window of Object.values(windows)) await window.close();
  const pipe = median(rates.pipe);
  const line = (name, rate, more = '') =>
    `${name.padEnd(26)} ${rate.toFixed(1).padStart(6)} MB/s, ${(rate / pipe).toFixed(3)} of the pipe${more}`;
  process.stdout.write(
    [
      `medians of ${rounds} rounds, ${MEGABYTES} MB each`,
      line('plain pipe', pipe),
      line('bare pty, counted', median(rates.pty)),
      ...Object.entries(seen).map(([name, { rate, frame, stop }]) =>
        line(
          name,
          median(rate),
          `; longest frame ${median(frame).toFixed(0)} ms, Ctrl+C seen after ${median(stop).toFixed(0)} ms`,
        ),
      ),
      '',
    ].join('\n'),
  );
} finally {
  await display.close();
  await rm(scratch, { recursive: true, force: true });
}
