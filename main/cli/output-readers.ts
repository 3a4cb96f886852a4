import { EXIT } from './host';

/**
 * Settles with the exit code "done" when nobody reads one of these streams any more, as after `| head -1`: the command
 * need not go on. Never settles while all are read. Throws other errors of the streams.
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
