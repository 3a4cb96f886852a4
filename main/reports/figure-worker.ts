import { Worker } from 'node:worker_threads';
import type { Disposable } from '../base/index';
import type { FigureFormat } from './formats';
import type { FigureWidth } from './logic/frame';
import type { ReportFigure } from './logic/report-figure';

/** As `renderFigure`. */
export type DrawFigure = (figure: ReportFigure, format: FigureFormat, width: FigureWidth) => Promise<Buffer>;

export type FigureRequest = {
  readonly id: number;
  readonly figure: ReportFigure;
  readonly format: FigureFormat;
  readonly width: FigureWidth;
};
export type FigureAnswer =
  | { readonly id: number; readonly bytes: Uint8Array }
  | { readonly id: number; readonly error: string };

type Waiting = { readonly resolve: (bytes: Buffer) => void; readonly reject: (error: Error) => void };

/** Draws in a thread that is started with the first figure. It keeps no process alive that has nothing to draw. */
export function createFigureWorker(script: string): Disposable & { readonly draw: DrawFigure } {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let last = 0;

  const settle = (id: number): Waiting | undefined => {
    const one = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) worker?.unref();
    return one;
  };
  const ended = (why: string): void => {
    worker = null;
    for (const id of [...waiting.keys()]) settle(id)?.reject(new Error(why));
  };
  const started = (): Worker => {
    if (worker !== null) return worker;
    const thread = new Worker(script);
    thread.on('message', (answer: FigureAnswer) => {
      const one = settle(answer.id);
      if ('bytes' in answer) one?.resolve(Buffer.from(answer.bytes));
      else one?.reject(new Error(answer.error));
    });
    thread.on('error', (error) => ended(`The drawing of figures failed: ${error.message}`));
    thread.on('exit', () => {
      if (worker === thread) ended('The drawing of figures has ended.');
    });
    worker = thread;
    return thread;
  };

  return {
    draw: (figure, format, width) =>
      new Promise((resolve, reject) => {
        last += 1;
        waiting.set(last, { resolve, reject });
        const thread = started();
        thread.ref();
        thread.postMessage({ id: last, figure, format, width } satisfies FigureRequest);
      }),
    dispose: () => {
      void worker?.terminate();
    },
  };
}
