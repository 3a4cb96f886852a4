import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createFigureWorker } from '../../../main/reports';
import { renderFigure } from '../../../main/reports/render-figure';
import { sampleBars, sampleLines } from '../../support/sample-report';

const project = join(import.meta.dirname, '../../..');
let folder = '';

/** Built as the app builds it: packages stay where they are installed. */
beforeAll(async () => {
  const cache = join(project, 'node_modules', '.cache');
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(join(cache, 'figure-program-'));
  await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      ssr: join(project, 'main/reports/figure-program.ts'),
      outDir: folder,
      target: 'node20.18',
      rollupOptions: { output: { format: 'es', entryFileNames: 'figure-program.mjs' } },
    },
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('a figure from the worker thread has the same bytes, and the main thread is never blocked meanwhile', async () => {
  const worker = createFigureWorker(join(folder, 'figure-program.mjs'));
  onTestFinished(() => worker.dispose());
  const figures = [sampleLines(4), sampleBars()] as const;
  // The thread's start is not what is measured.
  await worker.draw(sampleBars(), 'png', 'one-column');
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  const drawn = await Promise.all(
    figures.flatMap((figure) =>
      (['svg', 'pdf', 'png'] as const).map(async (format) => ({
        figure,
        format,
        bytes: await worker.draw(figure, format, 'two-columns'),
      })),
    ),
  );
  clearInterval(timer);
  const began = performance.now();
  for (const { figure, format, bytes } of drawn) {
    expect(bytes.equals(await renderFigure(figure, format, 'two-columns'))).toBe(true);
  }
  // On a busy computer everything waits; what counts is that it was not the drawing.
  expect(longest).toBeLessThan(performance.now() - began);
});

it('a thread that cannot start reports it, and the next figure tries again', async () => {
  const worker = createFigureWorker(join(folder, 'missing.mjs'));
  for (let time = 0; time < 2; time++) {
    await expect(worker.draw(sampleBars(), 'svg', 'one-column')).rejects.toThrow('Drawing figures failed');
  }
});
