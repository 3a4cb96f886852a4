import { EXIT } from './host';

/**
 * Settles with the exit code "done" when a reader of this output has gone, as behind `| head -1`: a command that goes
 * on talks to nobody. Never settles while all are read. Other errors of the streams are thrown.
 */
export function whenReaderLeaves(
  streams: readonly Pick<NodeJS.WritableStream, 'on'>[],
): Promise<typeof EXIT.done> {
  return new Promise((resolve) => {
    for (const stream of streams) {
      stream.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE') throw error;
        resolve(EXIT.done);
      });
    }
  });
}
