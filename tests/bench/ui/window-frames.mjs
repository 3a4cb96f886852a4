/**
 * The real window under a large load: a tree of 10,000 nodes, 175 trees, 500 runs, comparisons. For every movement:
 * frames a second, the work of the page's thread for one of them (processor time, so that a busy computer does not
 * change it), tasks that blocked input for more than 50 ms, and how long an input waited until it was handled at most.
 * Run: node tests/bench/ui/window-frames.mjs [DATA]   (DATA: a folder to keep and use again; else a temporary one)
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron } from '@playwright/test';
import { build } from 'vite';
import { createReporter, electronLaunch, ensure, ensureBuilt } from '../../../scripts/ensure/index.mjs';
import { openVirtualDisplay } from '../../../scripts/testing/virtual-display.mjs';

const project = join(import.meta.dirname, '..', '..', '..');
const SECONDS = 3;
const COMPARED = 100;

async function writeLab(data) {
  if (existsSync(join(data, 'registry.json'))) return;
  const outDir = join(project, 'node_modules', '.cache', 'bench-ui');
  await build({
    configFile: false,
    logLevel: 'silent',
    root: project,
    build: {
      ssr: join(import.meta.dirname, 'write-lab.ts'),
      outDir,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'write-lab.mjs', codeSplitting: false } },
    },
  });
  const { status } = spawnSync(process.execPath, [join(outDir, 'write-lab.mjs'), data], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The data folder could not be written');
}

/** Process of the page; its first thread is the one that has to keep up with the user. */
let pagePid = 0;

/** Time that the page's thread was on a processor so far, which other work on the computer does not lengthen. */
async function processorMs() {
  const [onProcessorNs] = (await readFile(`/proc/${pagePid}/task/${pagePid}/schedstat`, 'utf8')).split(' ');
  return Number(onProcessorNs) / 1e6;
}

/** What the page's thread does while `work` goes on. */
async function measured(page, name, work) {
  await page.waitForTimeout(400);
  await page.evaluate(() => {
    const told = { frames: [], tasks: [], waits: [], stop: false };
    window.benchTold = told;
    const each = (type, options, hear) => {
      const observer = new PerformanceObserver((list) => list.getEntries().forEach(hear));
      observer.observe({ type, ...options });
      return observer;
    };
    told.observers = [
      each('longtask', {}, ({ duration }) => told.tasks.push(duration)),
      each('event', { durationThreshold: 16 }, ({ startTime, processingStart }) =>
        told.waits.push(processingStart - startTime),
      ),
    ];
    const frame = (now) => {
      told.frames.push(now);
      if (!told.stop) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  const began = Date.now();
  const before = await processorMs();
  await work();
  const busyMs = (await processorMs()) - before;
  const spent = Date.now() - began;
  const { frames, tasks, waits } = await page.evaluate(async () => {
    const told = window.benchTold;
    told.stop = true;
    await new Promise((done) => setTimeout(done, 200)); // observers are told a little later
    for (const observer of told.observers) observer.disconnect();
    return { frames: told.frames, tasks: told.tasks, waits: told.waits };
  });
  const gaps = frames.slice(1).map((at, i) => at - frames[i]);
  const fps = (1_000 * gaps.length) / gaps.reduce((sum, gap) => sum + gap, 0);
  const most = (values) => Math.max(0, ...values);
  const over =
    tasks.length === 0
      ? 'none over 50 ms'
      : `${tasks.length} over 50 ms, longest ${most(tasks).toFixed(0)} ms`;
  console.log(
    `${name.padEnd(44)} ${fps.toFixed(0).padStart(3)} frames/s, ${(busyMs / gaps.length).toFixed(1).padStart(4)} ms of work a frame, ` +
      `worst frame ${most(gaps).toFixed(0)} ms; tasks: ${over}; input waited ${most(waits).toFixed(0)} ms at most; ${spent} ms in all`,
  );
}

const moving = async (step) => {
  const end = Date.now() + SECONDS * 1_000;
  for (let i = 0; Date.now() < end; i++) await step(i);
};

const reporter = createReporter(process.stderr);
const executablePath = await ensure(['window', 'tests'], reporter);
await ensureBuilt(reporter);
const scratch = await mkdtemp(join(tmpdir(), 'mars2 ui '));
const data = process.argv[2] ?? join(scratch, 'data');
const display = process.env.DISPLAY === undefined ? await openVirtualDisplay(scratch) : null;
try {
  await writeLab(data);
  const { args } = electronLaunch();
  const electron = await _electron.launch({
    executablePath,
    args: [...args, project, '--data', data],
    env: { ...process.env, ...display?.env },
  });
  const page = await electron.firstWindow();
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1280, 800));
  pagePid = await electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId(),
  );
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await page.waitForTimeout(2_000);
  const go = async (address, ready) => {
    await page.evaluate((hash) => {
      window.location.hash = hash;
    }, address);
    await ready.waitFor();
  };
  const tree = page.getByRole('tree', { name: 'Nodes of the search tree' });
  const slider = page.getByRole('slider', { name: 'Position in the search' });
  const TREE = '#/studies/deep/runs/deep.c1.1';

  console.log('A tree of 10,000 nodes');
  await measured(page, 'opened', () => go(TREE, tree));
  const slide = async (name) => {
    const rail = await slider.boundingBox();
    await page.mouse.move(rail.x + 20, rail.y + rail.height / 2);
    await page.mouse.down();
    await measured(page, name, () =>
      moving((i) => page.mouse.move(rail.x + rail.width * (0.5 + 0.48 * Math.sin(i / 25)), rail.y + 10)),
    );
    await page.mouse.up();
  };
  await tree.focus();
  await measured(page, 'the whole tree walked by keys', () => moving(() => page.keyboard.press('ArrowDown')));
  const picture = () => tree.locator('canvas').evaluate((canvas) => canvas.toDataURL());
  const resized = async (width) => {
    await electron.evaluate(
      ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(...size),
      [width, 800],
    );
    await page.waitForTimeout(500);
  };
  await page.waitForTimeout(500);
  const walked = await picture();
  await resized(1_300);
  await resized(1_280);
  if ((await picture()) !== walked)
    throw new Error('A walked tree is not what is drawn when all is drawn again');
  await page.keyboard.press('Escape');
  await slide('the slider dragged below the whole tree');
  await slider.press('End');
  const box = await tree.boundingBox();
  const drag = async (name) => {
    await page.mouse.move(box.x + 200, box.y + 200);
    await page.mouse.down();
    await measured(page, name, () =>
      moving((i) => page.mouse.move(box.x + 200 + 60 * Math.sin(i / 6), box.y + 200 + 60 * Math.cos(i / 6))),
    );
    await page.mouse.up();
  };
  await drag('the whole tree dragged');
  await measured(page, 'zoomed in and out', () =>
    moving(async (i) => {
      await page.mouse.wheel(0, i % 40 < 20 ? -120 : 120);
      await page.waitForTimeout(16);
    }),
  );
  await tree.focus();
  await page.keyboard.press('0');
  await drag('near, dragged');
  await measured(page, 'near, walked by keys', () => moving(() => page.keyboard.press('ArrowDown')));
  await page.keyboard.press('Escape');
  await slider.focus();
  for (const [share, name] of [
    [0.02, 'replayed from 200 nodes, 100 a second'],
    [0.95, 'replayed from 9,500 nodes, 100 a second'],
  ]) {
    await slider.fill(String(Math.round(share * 10_000)));
    await page.getByLabel('Speed', { exact: true }).first().click();
    await page.getByRole('option', { name: '100/s' }).click();
    await measured(page, name, async () => {
      await page.getByRole('button', { name: 'Play (Space)' }).click();
      await page.waitForTimeout(SECONDS * 1_000);
      await page.getByRole('button', { name: 'Stop (Space)' }).click();
    });
  }
  await slide('the slider dragged over the whole search');
  await go(`${TREE}?part=search&beside=deep.c2.1`, tree.nth(1));
  await slider.fill('5000');
  await measured(page, 'two such trees replayed from 5,000, 100/s', async () => {
    await page.getByRole('button', { name: 'Play (Space)' }).click();
    await page.waitForTimeout(SECONDS * 1_000);
    await page.getByRole('button', { name: 'Stop (Space)' }).click();
  });

  console.log('175 trees in three configurations');
  await measured(page, 'study opened', () =>
    go('#/studies/wide', page.getByRole('heading', { name: '175 problems' })),
  );
  await page.mouse.move(700, 500);
  const wheel = (name) =>
    measured(page, name, () =>
      moving(async (i) => {
        await page.mouse.wheel(0, i % 60 < 30 ? 90 : -90);
        await page.waitForTimeout(16);
      }),
    );
  await wheel('study scrolled');
  await measured(page, 'run opened', () => go('#/studies/wide/runs/wide.c1.1', tree));
  await measured(page, 'from problem to problem by J', () =>
    moving(async () => {
      await page.keyboard.press('j');
      await page.waitForTimeout(30);
    }),
  );
  await page.mouse.move(300, 500);
  await wheel('list of problems scrolled');

  console.log('500 runs in 101 studies');
  await measured(page, 'studies opened', () =>
    go('#/studies', page.getByRole('heading', { name: 'Studies', level: 1 })),
  );
  await page.mouse.move(700, 500);
  await wheel('studies scrolled');
  await measured(page, 'palette opened, "ablation 7" typed', async () => {
    await page.keyboard.press('Control+k');
    await page
      .getByRole('combobox', { name: 'Search the palette' })
      .pressSequentially('ablation 7', { delay: 60 });
    await page.keyboard.press('Escape');
  });
  const allRuns = await page.evaluate(async () => {
    const listed = await window.workbench.call('study.list', {});
    return listed.ok ? listed.value.flatMap(({ study }) => study.runs.map(({ id }) => [study.id, id])) : [];
  });
  console.log(`   (${allRuns.length} runs)`);
  await measured(page, 'home opened', () => go('#/', page.getByRole('heading', { name: 'Home', level: 1 })));
  await measured(page, 'activity opened', () =>
    go('#/activity', page.getByRole('heading', { name: 'Activity', level: 1 })),
  );

  console.log('Comparisons and exhibits');
  const values = page.getByRole('table').first().getByRole('rowheader').first();
  await measured(page, 'three configurations over 175 problems', () => go('#/compare/wide', values));
  await measured(page, 'differences of pairs', () =>
    go('#/compare/wide?view=pairs', page.getByRole('table', { name: 'Differences of configurations' })),
  );
  await measured(page, 'who solves what', () =>
    go('#/compare/wide?view=problems', page.getByRole('grid', { name: /^Who solves what/ })),
  );
  await page.mouse.move(700, 500);
  await wheel('who solves what, scrolled');
  const some = allRuns.filter(([studyId]) => studyId.startsWith('small-')).slice(0, COMPARED);
  await measured(page, `${COMPARED} runs of ${COMPARED / 5} studies compared`, () =>
    go(`#/compare?${some.map(([, id]) => `run=${encodeURIComponent(id)}`).join('&')}`, values),
  );
  await wheel('their values, scrolled');
  await measured(page, 'exhibits opened', () =>
    go('#/exhibits', page.getByRole('heading', { name: 'Exhibits', level: 1 })),
  );
  await measured(page, 'exhibit opened', () =>
    go('#/exhibits/mars2-models', page.getByRole('table').first().getByRole('rowheader').first()),
  );
  await electron.close();
} finally {
  await display?.close();
  await rm(scratch, { recursive: true, force: true });
}
