/**
 * A log of 10 GB in the window, to which 50 MB a second are written: how soon it is open, the milliseconds between
 * frames while it is followed and while it is read elsewhere, the work of the page's thread, and the memory that is
 * held; the list of jobs for comparison. The page makes the log up itself, which costs it a part of the work.
 * Run: node tests/bench/ui/log-frames.mjs (CHROMIUM names the browser).
 */
import { openPreview } from '../../support/preview/open-preview.mjs';

const SECONDS = 10;
const { browser, url, close } = await openPreview();
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await page.goto(`${url}?scene=flood#/jobs`);
const row = page.getByRole('row', { name: /Ten gigabytes/ });
await row.waitFor();

// In thread time, so that other work of the computer does not count.
const session = await page.context().newCDPSession(page);
await session.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' });
await session.send('Performance.enable');
async function workOf(doing, seconds) {
  const spent = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const of = (name) => metrics.find((one) => one.name === name)?.value ?? 0;
    return { task: of('TaskDuration'), script: of('ScriptDuration'), layout: of('LayoutDuration') };
  };
  const before = await spent();
  const figures = await doing();
  const after = await spent();
  const share = (name) => (100 * (after[name] - before[name])) / seconds;
  return { ...figures, task: share('task'), script: share('script'), layout: share('layout') };
}

/** Milliseconds between frames, and tasks that kept the page busy for more than 50 ms. */
const framesDuring = (seconds) =>
  page.evaluate(async (length) => {
    const long = [];
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) long.push(entry.duration);
    });
    observer.observe({ entryTypes: ['longtask'] });
    const gaps = [];
    const end = performance.now() + length * 1_000;
    for (let last = performance.now(); last < end; ) {
      const now = await new Promise((next) => requestAnimationFrame(next));
      gaps.push(now - last);
      last = now;
    }
    observer.disconnect();
    gaps.sort((a, b) => a - b);
    return {
      frames: gaps.length,
      median: gaps[gaps.length >> 1],
      p99: gaps[Math.floor(gaps.length * 0.99)],
      worst: gaps.at(-1),
      longest: Math.max(0, ...long),
      heap: performance.memory.usedJSHeapSize,
      rows: document.querySelectorAll('[role=log] [data-index]').length,
    };
  }, seconds);
const round = (value) => value.toFixed(1);
const report = (name, { frames, median, p99, worst, longest, heap, rows, task, script, layout }) =>
  console.log(
    `${name.padEnd(28)} ${frames} frames, every ${round(median)} ms, 99 % within ${round(p99)} ms, ` +
      `worst ${round(worst)} ms; longest task ${round(longest)} ms; ${round(heap / 1e6)} MB held, ${rows} rows in the page; ` +
      `the page's thread works ${round(task)} % of the time (script ${round(script)}, layout ${round(layout)})`,
  );

report('the list of jobs', await workOf(() => framesDuring(SECONDS / 2), SECONDS / 2));
const started = Date.now();
await row.click();
await page.getByRole('log').getByText('step').first().waitFor();
console.log(`10 GB opened at its end        ${Date.now() - started} ms from the press to its lines`);
report('followed at 50 MB/s', await workOf(() => framesDuring(SECONDS), SECONDS));
report('the same, later', await workOf(() => framesDuring(SECONDS), SECONDS));

await page.getByRole('log').hover();
await page.mouse.wheel(0, -3_000);
report('read above the end meanwhile', await workOf(() => framesDuring(SECONDS / 2), SECONDS / 2));

const jumped = Date.now();
await page.getByRole('button', { name: /Go to a position in the log$/ }).click();
await page.getByLabel('Go to', { exact: true }).fill('50 %');
await page.getByRole('button', { name: 'Go', exact: true }).click();
await page.getByRole('log').getByText('step 00005').first().waitFor();
console.log(`gone to the middle             ${Date.now() - jumped} ms`);
report('scrolled from there', await workOf(scrolled, SECONDS / 2));
await close();

/** Turns the wheel all the while. */
async function scrolled() {
  const frames = framesDuring(SECONDS / 2);
  await page.getByRole('log').hover();
  const end = Date.now() + (SECONDS / 2) * 1_000;
  while (Date.now() < end) {
    await page.mouse.wheel(0, 600);
    await page.waitForTimeout(30);
  }
  return frames;
}
