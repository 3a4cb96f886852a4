import { Worker } from 'node:worker_threads';
import type { Disposable } from '../base/index';
import type { FigureWidth } from './logic/frame';
import type { ReportFigure } from './logic/report-figure';
import type { FigureFormat } from './render-table';

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

type Pending = { readonly resolve: (bytes: Buffer) => void; readonly reject: (error: Error) => void };

/** Draws in a thread that starts with the first figure. An idle thread does not keep the process alive. */
export function createFigureWorker(script: string): Disposable & { readonly draw: DrawFigure } {
  const pending = new Map<number, Pending>();
  let worker: Worker | null = null;
  let last = 0;

  const takePending = (id: number): Pending | undefined => {
    const request = pending.get(id);
    pending.delete(id);
    if (pending.size === 0) worker?.unref();
    return request;
  };
  const ended = (why: string): void => {
    worker = null;
    for (const id of [...pending.keys()]) takePending(id)?.reject(new Error(why));
  };
  const started = (): Worker => {
    if (worker !== null) return worker;
    const thread = new Worker(script);
    thread.on('message', (answer: FigureAnswer) => {
      const request = takePending(answer.id);
      if ('bytes' in answer) request?.resolve(Buffer.from(answer.bytes));
      else request?.reject(new Error(answer.error));
    });
    thread.on('error', (error) => ended(`Drawing figures failed: ${error.message}`));
    thread.on('exit', () => {
      if (worker === thread) ended('The thread that draws figures ended unexpectedly.');
    });
    worker = thread;
    return thread;
  };

  return {
    draw: (figure, format, width) =>
      new Promise((resolve, reject) => {
        last += 1;
        pending.set(last, { resolve, reject });
        const thread = started();
        thread.ref();
        thread.postMessage({ id: last, figure, format, width } satisfies FigureRequest);
      }),
    dispose: () => {
      void worker?.terminate();
    },
  };
}
