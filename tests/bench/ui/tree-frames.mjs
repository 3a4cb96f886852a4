/**
 * Frame cost of the tree canvas on large trees: while the view is dragged and zoomed, milliseconds between frames
 * and milliseconds of script per frame. Run: node tests/bench/ui/tree-frames.mjs (CHROMIUM names the browser).
 */
import { openPreview } from '../../support/preview-tree/open-preview.mjs';

const FRAMES = 60;
const { browser, url, close } = await openPreview();
for (const nodes of [60, 2_000, 10_000]) {
  const page = await browser.newPage({ viewport: { width: 900, height: 800 } });
  await page.goto(`${url}?show=tree&nodes=${nodes}`);
  await page.waitForTimeout(1_500);
  for (const [name, zoomed] of [
    ['whole tree', false],
    ['near', true],
  ]) {
    if (zoomed) {
      await page.getByRole('tree').focus();
      await page.keyboard.press('0');
      await page.waitForTimeout(500);
    }
    const figures = await page.evaluate(async (frames) => {
      const stage = document.querySelector('[role=tree]');
      const pointer = (kind, x, y) =>
        stage.dispatchEvent(
          new PointerEvent(kind, { pointerId: 1, clientX: x, clientY: y, bubbles: true, button: 0 }),
        );
      stage.setPointerCapture = () => {};
      const original = window.requestAnimationFrame;
      const paints = [];
      window.requestAnimationFrame = (callback) =>
        original((time) => {
          const start = performance.now();
          callback(time);
          paints.push(performance.now() - start);
        });
      const frame = () => new Promise((next) => original(next));
      pointer('pointerdown', 400, 300);
      await frame();
      paints.length = 0;
      const start = performance.now();
      for (let i = 0; i < frames; i++) {
        pointer('pointermove', 400 + 20 * Math.sin(i / 5) + 6, 300 + 20 * Math.cos(i / 5));
        await frame();
      }
      const wall = (performance.now() - start) / frames;
      pointer('pointerup', 400, 300);
      window.requestAnimationFrame = original;
      paints.sort((a, b) => a - b);
      return { wall, median: paints[paints.length >> 1], worst: paints.at(-1) };
    }, FRAMES);
    const round = (value) => value.toFixed(1);
    console.log(
      `${String(nodes).padStart(6)} nodes, ${name.padEnd(10)}: paint median ${round(figures.median)} ms, ` +
        `worst ${round(figures.worst)} ms, a frame every ${round(figures.wall)} ms`,
    );
  }
  await page.close();
}
await close();
