import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Refusal } from '../../../preload/contract';
import { type Disposable, failed, ok, type Result } from '../../base';
import { forwardArguments } from '../logic/ssh-arguments';
import type { AsyncResult } from '../machine';
import type { SshLink } from './link';
import type { SshSession } from './session';
import type { SshSocket } from './shell';

const SET_UP_MS = 10_000;
/** A server that forbids forwarding says so at the first try, which takes a way there and back. */
const PROBE_MS = 1_000;
const WORDS_MS = 100;

/**
 * Holds a port of this computer's loopback as long as it lasts, so that nobody else can take it while the connection
 * is cut; ssh itself listens at a socket in a private folder, made anew for each connection.
 */
export async function openForward(
  link: SshLink,
  port: number,
): AsyncResult<Disposable & { readonly localPort: number }> {
  const clients = new Set<Socket>();
  let way: Way | null = null;
  let isOver = false;
  let made: Promise<Result<Way, Refusal>> | null = null;

  /** The way over the present connection; made once for each. */
  const wayNow = async (): AsyncResult<Way> => {
    const opened = await link.opened();
    if (!opened.ok) return opened;
    if (way?.session === opened.value) return ok(way);
    made ??= makeWay(opened.value, port).finally(() => {
      made = null;
    });
    const answer = await made;
    if (!answer.ok) return answer;
    if (isOver) void answer.value.remove();
    else way = answer.value;
    return answer;
  };
  const relay = (client: Socket): void => {
    clients.add(client);
    client.on('error', () => undefined);
    client.once('close', () => clients.delete(client));
    const session = link.session;
    // Cut off: who connects learns it at once, and tries again later.
    if (session === null) return void client.destroy();
    void (way?.session === session ? Promise.resolve(ok(way)) : wayNow()).then((answer) => {
      if (!answer.ok || isOver || client.destroyed) client.destroy();
      else join(client, answer.value.path);
    });
  };

  const first = await wayNow();
  if (!first.ok) return first;
  if (!allowing.has(first.value.session) && (await isForbidden(first.value, link))) {
    await first.value.remove();
    return failed(forwardingForbidden(first.value.session.socket.host));
  }
  allowing.add(first.value.session);
  const server = createServer({ allowHalfOpen: true }, relay).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    await first.value.remove();
    const why = error instanceof Error ? error.message : String(error);
    return failed({ code: 'unavailable', message: `No port of this computer can be listened on: ${why}.` });
  }
  const address = server.address();
  const dispose = (): void => {
    if (isOver) return;
    isOver = true;
    subscription.dispose();
    server.close();
    for (const client of clients) client.destroy();
    if (way !== null) void way.remove();
  };
  const subscription = link.onChange(() => {
    if (link.isOver) {
      dispose();
      return;
    }
    if (way !== null && link.session !== way.session) {
      for (const client of clients) client.destroy();
      void way.remove();
      way = null;
    }
    if (link.session !== null && way === null && !isOver) void wayNow();
  });
  return ok({
    localPort: typeof address === 'object' && address !== null ? address.port : 0,
    dispose,
  });
}

/** A socket of this computer behind which a port of the machine lies. */
type Way = { readonly session: SshSession; readonly path: string; readonly remove: () => Promise<void> };

let ways = 0;

/** Connections over which forwarding is known to be allowed. */
const allowing = new WeakSet<SshSession>();

async function makeWay(session: SshSession, port: number): AsyncResult<Way> {
  ways += 1;
  const { socket } = session;
  const path = `${socket.path}-${ways}`;
  const said = await control(socket, 'forward', path, port);
  if (said !== null)
    return failed({
      code: isCut(said) ? 'unreachable' : 'unavailable',
      message: `Port ${port} of ${socket.host} could not be brought here: ${said}.`,
    });
  return ok({
    session,
    path,
    remove: async () => {
      await control(socket, 'cancel', path, port);
      await rm(path, { force: true }).catch(() => undefined);
    },
  });
}

function isCut(said: string): boolean {
  return /[Cc]ontrol socket|mux_client/.test(said);
}

/** null: done. Otherwise what ssh said. */
function control(
  socket: SshSocket,
  command: 'forward' | 'cancel',
  path: string,
  port: number,
): Promise<string | null> {
  const child = spawn(
    socket.ssh.program,
    forwardArguments(socket.ssh, socket.path, socket.host, command, path, port),
    { stdio: ['ignore', 'ignore', 'pipe'], timeout: SET_UP_MS },
  );
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(-1_000);
  });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) =>
      resolve(code === 0 ? null : said.trim().split('\n').at(-1) || 'ssh said nothing'),
    );
  });
}

function join(client: Socket, path: string): void {
  const there = createConnection({ path, allowHalfOpen: true });
  there.on('error', () => client.destroy());
  there.once('close', () => client.destroy());
  client.once('close', () => there.destroy());
  client.pipe(there);
  there.pipe(client);
}

/** A port on which nobody listens yet is no trouble; a server that forbids forwarding is. */
async function isForbidden(way: Way, link: SshLink): Promise<boolean> {
  const prohibitions = () => link.transcript().split('administratively prohibited').length;
  const before = prohibitions();
  const probe = createConnection({ path: way.path }).on('error', () => undefined);
  await Promise.race([once(probe, 'close'), once(probe, 'data'), pause(PROBE_MS)]).catch(() => undefined);
  probe.destroy();
  // The words of ssh come another way than the end of the probe.
  await pause(WORDS_MS);
  return prohibitions() > before;
}

function forwardingForbidden(host: string): Refusal {
  return {
    code: 'unavailable',
    message: `${host} forbids forwarding, so servers on it can not be reached from here.`,
    hint: 'Whoever runs it can allow it: "AllowTcpForwarding yes" (or "local") in its sshd_config.',
  };
}
