import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { isAbsolute, join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { Answer, Refusal, WorkbenchEvent } from '../../../preload/contract/index';
import { type Disposable, type Emitter, ok, type Result } from '../../base/index';
import type { Call } from '../dispatch';
import { privateFolder } from '../folders';
import { createEventHistory } from './event-history';
import {
  CONTROL_PROTOCOL,
  helloSchema,
  type Refused,
  readLines,
  send,
  sendText,
  type Welcome,
} from './frames';

/**
 * One workbench owns a data folder; windows and terminals that open the same folder talk to it through a socket that only
 * this user can reach. Lines of JSON both ways. A client says hello and is welcomed; then {id, name, payload, host} is a
 * request, {id, answer} its answer, {got} the client's receipt for it, {sequence, event} an event. After a cut the client
 * connects again with the same session: it gets the events and answers that it missed, and no request is run twice.
 */

/** The part of a workbench that the socket exposes. */
export type ControlTarget = {
  readonly call: Call;
  readonly events: Emitter<WorkbenchEvent>;
};

/** Facts about the workbench for clients; see `Welcome`. */
type AboutWorkbench = Pick<Welcome, 'kind' | 'version' | 'dataDir'>;

export const controlSocketPath = (folder: string, dataDir: string): string =>
  join(folder, `control-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`);

/** Says where the workbench answers that has the folder open: its environment may be another than that of who asks. */
export const controlNote = (dataDir: string): string => join(dataDir, 'control-socket');

/** Where the workbench of a data folder answers; refused where this user has no folder of their own for sockets. */
export async function controlSocketOf(dataDir: string): Promise<Result<string, Refusal>> {
  const noted = await readFile(controlNote(dataDir), 'utf8').catch(() => '');
  if (isAbsolute(noted) && existsSync(noted)) return ok(noted);
  const folder = await privateFolder(process.env);
  return folder.ok ? ok(controlSocketPath(folder.value, dataDir)) : folder;
}

/** A client that was cut off may come back for so long. */
const SESSION_MS = 600_000;

/** One client, over all its connections. */
type Session = {
  stream: Duplex | null;
  /** Requests that run, and answers that the client has not confirmed. */
  readonly answers: Map<number, Promise<Answer<unknown>>>;
  leaving: NodeJS.Timeout | null;
};

/** Answers at `path` until the returned function is called. The caller holds the data folder's lock. */
export async function serveControlSocket(
  path: string,
  workbench: ControlTarget,
  about: AboutWorkbench,
): Promise<() => Promise<void>> {
  // A leftover socket's owner is gone: we hold the lock.
  await rm(path, { force: true });
  const clients = createClients(workbench, about);
  const server = createServer(clients.connect);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  await chmod(path, 0o600);
  const note = controlNote(about.dataDir);
  await writeFile(note, path, { mode: 0o600 });
  return async () => {
    clients.dispose();
    await rm(note, { force: true });
    await new Promise((resolve) => server.close(resolve));
  };
}

/** All clients of a workbench, whatever carries their bytes. */
function createClients(
  workbench: ControlTarget,
  about: AboutWorkbench,
): Disposable & { readonly connect: (stream: Duplex) => void } {
  const epoch = randomUUID();
  const startedAt = new Date().toISOString();
  const history = createEventHistory();
  const sessions = new Map<string, Session>();
  const streams = new Set<Duplex>();
  /** Events are kept from the first client on, until the last one is gone permanently. */
  let listening: Disposable | null = null;

  const listen = (): void => {
    listening ??= workbench.events.on((event) => {
      const line = history.add(event);
      for (const { stream } of sessions.values()) if (stream !== null) sendText(stream, line);
    });
  };
  const forget = (id: string): void => {
    sessions.delete(id);
    if (sessions.size > 0) return;
    listening?.dispose();
    listening = null;
  };
  const sessionOf = (id: string): Session => {
    const known = sessions.get(id);
    if (known !== undefined) return known;
    const session: Session = { stream: null, answers: new Map(), leaving: null };
    sessions.set(id, session);
    return session;
  };

  /** Takes the connection for a client; answers its session, or null where it does not speak as we do. */
  const welcome = (stream: Duplex, line: Readonly<Record<string, unknown>>): Session | null => {
    const hello = helloSchema.safeParse(line.hello);
    if (!hello.success || hello.data.protocol !== CONTROL_PROTOCOL) {
      const { kind, version } = about;
      send(stream, {
        refused: { protocol: CONTROL_PROTOCOL, kind, version, pid: process.pid } satisfies Refused,
      });
      stream.end();
      return null;
    }
    const { session: id, isKept, last, waiting } = hello.data;
    const isNew = !sessions.has(id);
    const session = sessionOf(id);
    if (session.leaving !== null) clearTimeout(session.leaving);
    session.leaving = null;
    session.stream?.destroy();
    listen();
    // Null too where it knows another start of the workbench, or was away for so long that its session is over.
    const missed = last === null ? [] : last.epoch === epoch && !isNew ? history.after(last.sequence) : null;
    const known = waiting.filter((request) => session.answers.has(request));
    for (const request of [...session.answers.keys()]) {
      if (!waiting.includes(request)) session.answers.delete(request);
    }
    send(stream, {
      welcome: {
        ...{ protocol: CONTROL_PROTOCOL, ...about, pid: process.pid, startedAt, epoch, known },
        ...{ sequence: history.last() - (missed?.length ?? 0), isBehind: missed === null },
      } satisfies Welcome,
    });
    for (const event of missed ?? []) sendText(stream, event);
    session.stream = stream;
    for (const request of known) answer(session, request);
    stream.once('close', () => {
      if (session.stream !== stream) return;
      session.stream = null;
      if (!isKept) return forget(id);
      session.leaving = setTimeout(() => forget(id), SESSION_MS).unref();
    });
    return session;
  };

  /** Sends the answer to wherever the client is connected then; one that is away gets it when it is back. */
  const answer = (session: Session, id: number): void => {
    void session.answers.get(id)?.then((value) => {
      if (session.stream !== null && session.answers.has(id)) send(session.stream, { id, answer: value });
    });
  };

  const take = (session: Session, line: Readonly<Record<string, unknown>>, stream: Duplex): void => {
    const { id, name, payload, host, got } = line;
    if (typeof got === 'number') return void session.answers.delete(got);
    if (typeof id !== 'number' || typeof name !== 'string') return void stream.destroy();
    // It was sent again because its first answer did not arrive.
    if (session.answers.has(id)) return;
    // `call` never rejects.
    session.answers.set(id, workbench.call(name, payload, host === 'window' ? 'window' : 'terminal'));
    answer(session, id);
  };

  return {
    connect: (stream) => {
      streams.add(stream);
      stream.on('error', () => stream.destroy());
      stream.once('close', () => streams.delete(stream));
      let session: Session | null = null;
      readLines(stream, (line) => {
        if (session === null) session = welcome(stream, line);
        else take(session, line, stream);
      });
    },
    dispose: () => {
      listening?.dispose();
      for (const { leaving } of sessions.values()) if (leaving !== null) clearTimeout(leaving);
      sessions.clear();
      for (const stream of streams) stream.destroy();
    },
  };
}
