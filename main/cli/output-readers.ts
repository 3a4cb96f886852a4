import { EXIT } from './host';

/**
 * Settles with the exit code "done" once one of these streams has no reader any more, as after `| head -1`: the command
 * can stop. Never settles while all are read. Throws other errors of the streams.
 */
export function waitForClosedOutput(
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
