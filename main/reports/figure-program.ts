import { parentPort } from 'node:worker_threads';
import type { FigureAnswer, FigureRequest } from './figure-worker';
import { renderFigure } from './render-figure';

/** Entry of a worker thread: drawing a page of figures takes seconds and must not block the window. */
parentPort?.on('message', ({ id, figure, format, width }: FigureRequest) => {
  renderFigure(figure, format, width).then(
    (bytes) => parentPort?.postMessage({ id, bytes } satisfies FigureAnswer),
    (error: unknown) => parentPort?.postMessage({ id, error: String(error) } satisfies FigureAnswer),
  );
});
