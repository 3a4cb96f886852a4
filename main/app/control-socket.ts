import { createHash } from 'node:crypto';
import { chmod, rm } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Answer, WorkbenchEvent } from '../../preload/contract/index';
import { Emitter } from '../base/index';
import type { Call } from './dispatch';

/**
 * One workbench owns a data folder; others that open the same folder speak to it through a socket that only this user
 * can reach, so that the terminal works beside an open window. Lines of JSON both ways: {id, name, payload} asks,
 * {id, answer} answers, {event} tells.
 */

/** What of a workbench goes through the socket. */
export type ControlTarget = {
  readonly call: Call;
  readonly events: Emitter<WorkbenchEvent>;
};

export const controlSocketPath = (folder: string, dataDir: string): string =>
  join(folder, `door-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`);

/** Answers at `path` until the function given back is called. The caller holds the data folder's lock. */
export async function serveControlSocket(
  path: string,
  workbench: ControlTarget,
): Promise<() => Promise<void>> {
  // Whoever left it there is gone: the lock is ours.
  await rm(path, { force: true });
  const guests = new Set<Socket>();
  const server = createServer((guest) => {
    guests.add(guest);
    guest.on('error', () => guest.destroy());
    const listening = workbench.events.on((event) => write(guest, { event }));
    guest.on('close', () => {
      listening.dispose();
      guests.delete(guest);
    });
    readLines(guest, (line) => {
      const { id, name, payload } = line as { id?: unknown; name?: unknown; payload?: unknown };
      if (typeof id !== 'number' || typeof name !== 'string') return guest.destroy();
      void workbench.call(name, payload, 'terminal').then((answer) => write(guest, { id, answer }));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  await chmod(path, 0o600);
  return async () => {
    for (const guest of guests) guest.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
}

/** The workbench that answers at `path`; null when none does. */
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
  let asked = 0;
  const gone: Answer<never> = {
    ok: false,
    error: {
      code: 'unavailable',
      message: 'The workbench that has this data folder open was closed in the middle of the command.',
      hint: 'Give the command again.',
    },
  };
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    for (const answer of waiting.values()) answer(gone);
    waiting.clear();
  });
  readLines(socket, (line) => {
    const told = line as { id?: number; answer?: Answer<unknown>; event?: WorkbenchEvent };
    if (told.event !== undefined) events.emit(told.event);
    if (told.id === undefined || told.answer === undefined) return;
    waiting.get(told.id)?.(told.answer);
    waiting.delete(told.id);
  });
  return {
    events,
    call: (name, payload) =>
      new Promise((resolve) => {
        if (socket.destroyed) return resolve(gone);
        asked += 1;
        waiting.set(asked, resolve);
        write(socket, { id: asked, name, payload });
      }),
    close: async () => {
      socket.destroy();
    },
  };
}

function write(socket: Socket, line: unknown): void {
  if (!socket.destroyed) socket.write(`${JSON.stringify(line)}\n`);
}

/** Ends a socket that sends what is no JSON. */
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
