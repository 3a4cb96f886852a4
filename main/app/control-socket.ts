import { createHash } from 'node:crypto';
import { chmod, rm } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Answer, WorkbenchEvent } from '../../preload/contract/index';
import { Emitter } from '../base/index';
import type { Call } from './dispatch';

/**
 * One workbench owns a data folder; other processes that open the same folder talk to it through a socket that only this
 * user can reach, so that the terminal works next to an open window. Lines of JSON both ways: {id, name, payload} is a
 * request, {id, answer} its answer, {event} an event.
 */

/** The part of a workbench that the socket exposes. */
export type ControlTarget = {
  readonly call: Call;
  readonly events: Emitter<WorkbenchEvent>;
};

export const controlSocketPath = (folder: string, dataDir: string): string =>
  join(folder, `control-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`);

/** Answers at `path` until the returned function is called. The caller holds the data folder's lock. */
export async function serveControlSocket(
  path: string,
  workbench: ControlTarget,
): Promise<() => Promise<void>> {
  // A leftover socket's owner is gone: we hold the lock.
  await rm(path, { force: true });
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    clients.add(client);
    client.on('error', () => client.destroy());
    const listening = workbench.events.on((event) => write(client, { event }));
    client.on('close', () => {
      listening.dispose();
      clients.delete(client);
    });
    readLines(client, (line) => {
      const { id, name, payload } = line as { id?: unknown; name?: unknown; payload?: unknown };
      if (typeof id !== 'number' || typeof name !== 'string') return client.destroy();
      // `call` never rejects.
      void workbench.call(name, payload, 'terminal').then((answer) => write(client, { id, answer }));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  await chmod(path, 0o600);
  return async () => {
    for (const client of clients) client.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
}

/** Connects to the workbench that answers at `path`; null when none does. */
export async function connectControlSocket(
  path: string,
): Promise<(ControlTarget & { readonly close: () => Promise<void> }) | null> {
  const socket = await new Promise<Socket | null>((resolve) => {
    const trying = createConnection(path);
    trying.once('connect', () => resolve(trying));
    trying.once('error', () => resolve(null));
  });
  if (socket === null) return null;
  const events = new Emitter<WorkbenchEvent>();
  const waiting = new Map<number, (answer: Answer<unknown>) => void>();
  let lastId = 0;
  const gone: Answer<never> = {
    ok: false,
    error: {
      code: 'unavailable',
      message: 'The workbench that has this data folder open was closed during the command.',
      hint: 'Run the command again.',
    },
  };
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    for (const answer of waiting.values()) answer(gone);
    waiting.clear();
  });
  readLines(socket, (line) => {
    const message = line as { id?: number; answer?: Answer<unknown>; event?: WorkbenchEvent };
    if (message.event !== undefined) events.emit(message.event);
    if (message.id === undefined || message.answer === undefined) return;
    waiting.get(message.id)?.(message.answer);
    waiting.delete(message.id);
  });
  return {
    events,
    call: (name, payload) =>
      new Promise((resolve) => {
        if (socket.destroyed) return resolve(gone);
        lastId += 1;
        waiting.set(lastId, resolve);
        write(socket, { id: lastId, name, payload });
      }),
    close: async () => {
      socket.destroy();
    },
  };
}

function write(socket: Socket, line: unknown): void {
  if (!socket.destroyed) socket.write(`${JSON.stringify(line)}\n`);
}

/** Closes a socket that sends anything but JSON. */
function readLines(socket: Socket, onLine: (line: unknown) => void): void {
  let pieces: string[] = [];
  socket.setEncoding('utf8');
  socket.on('data', (data: string) => {
    const lines = data.split('\n');
    pieces.push(lines[0] ?? '');
    for (let at = 1; at < lines.length; at++) {
      const text = pieces.join('');
      pieces = [lines[at] ?? ''];
      try {
        onLine(JSON.parse(text));
      } catch {
        socket.destroy();
        return;
      }
    }
  });
}
