import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Refusal } from '../../../preload/contract';
import { failed, ok, type Result } from '../../base';
import { reasonOf } from '../../storage';
import { type ForwardTarget, forwardArguments } from '../logic/ssh-arguments';
import type { AsyncResult, Forward } from '../machine';
import type { SshLink } from './link';
import type { SshSession } from './session';
import type { SshSocket } from './shell';

const SET_UP_MS = 10_000;
/** A server that forbids forwarding says so on the first attempt, after a round trip. */
const PROBE_MS = 1_000;
const MESSAGE_DELAY_MS = 100;

/**
 * Keeps a port of this computer's loopback open, so that no other program can take it while the connection is cut; ssh
 * itself listens at a socket in a private folder, a new one for each connection. `localPort` 0: any free one.
 */
export async function openForward(link: SshLink, to: ForwardTarget, localPort = 0): AsyncResult<Forward> {
  const clients = new Set<Socket>();
  let forward: SocketForward | null = null;
  let isOver = false;
  let adding: Promise<Result<SocketForward, Refusal>> | null = null;

  /** The forward over the current connection; added once for each. */
  const currentForward = async (): AsyncResult<SocketForward> => {
    const opened = await link.opened();
    if (!opened.ok) return opened;
    if (forward?.session === opened.value) return ok(forward);
    adding ??= addForward(opened.value, to).finally(() => {
      adding = null;
    });
    const answer = await adding;
    if (!answer.ok) return answer;
    if (isOver) void answer.value.remove();
    else forward = answer.value;
    return answer;
  };
  const relay = (client: Socket): void => {
    clients.add(client);
    client.on('error', () => undefined);
    client.once('close', () => clients.delete(client));
    const session = link.session;
    // Not connected: clients learn it at once and may retry later.
    if (session === null) return void client.destroy();
    void (forward?.session === session ? Promise.resolve(ok(forward)) : currentForward()).then((answer) => {
      if (!answer.ok || isOver || client.destroyed) client.destroy();
      else connectSockets(client, answer.value.path);
    });
  };

  const first = await currentForward();
  if (!first.ok) return first;
  if (!sessionsThatForward.has(first.value.session) && (await isForbidden(first.value, link))) {
    await first.value.remove();
    return failed(forwardingForbidden(first.value.session.socket.host));
  }
  sessionsThatForward.add(first.value.session);
  const server = createServer({ allowHalfOpen: true }, relay).listen(localPort, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    await first.value.remove();
    const message = `Cannot listen on a port of this computer: ${reasonOf(error)}.`;
    return failed({ code: 'unavailable', message });
  }
  const address = server.address();
  const dispose = (): void => {
    if (isOver) return;
    isOver = true;
    subscription.dispose();
    server.close();
    for (const client of clients) client.destroy();
    if (forward !== null) void forward.remove();
  };
  const subscription = link.onChange(() => {
    if (link.isOver) {
      dispose();
      return;
    }
    if (forward !== null && link.session !== forward.session) {
      for (const client of clients) client.destroy();
      void forward.remove();
      forward = null;
    }
    if (link.session !== null && forward === null && !isOver) void currentForward();
  });
  return ok({
    localPort: typeof address === 'object' && address !== null ? address.port : 0,
    dispose,
  });
}

/** A socket of this computer that is forwarded to a port of the machine. */
type SocketForward = {
  readonly session: SshSession;
  readonly path: string;
  readonly remove: () => Promise<void>;
};

let forwardCount = 0;

/** Connections over which forwarding is known to be allowed. */
const sessionsThatForward = new WeakSet<SshSession>();

async function addForward(session: SshSession, to: ForwardTarget): AsyncResult<SocketForward> {
  forwardCount += 1;
  const { socket } = session;
  const path = `${socket.path}-${forwardCount}`;
  const error = await control(socket, 'forward', path, to);
  if (error !== null)
    return failed({
      code: isCut(error) ? 'unreachable' : 'unavailable',
      message: `Port ${to.port} of ${socket.host} could not be forwarded: ${error}.`,
    });
  return ok({
    session,
    path,
    remove: async () => {
      await control(socket, 'cancel', path, to);
      // Whatever is left is an unused name; the next start of the app removes it.
      await rm(path, { force: true }).catch(() => undefined);
    },
  });
}

function isCut(error: string): boolean {
  return /[Cc]ontrol socket|mux_client/.test(error);
}

/** null: done; otherwise ssh's error. */
function control(
  socket: SshSocket,
  command: 'forward' | 'cancel',
  path: string,
  to: ForwardTarget,
): Promise<string | null> {
  const child = spawn(
    socket.ssh.program,
    forwardArguments(socket.ssh, socket.path, socket.host, command, path, to),
    { stdio: ['ignore', 'ignore', 'pipe'], timeout: SET_UP_MS },
  );
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-1_000);
  });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) =>
      resolve(code === 0 ? null : stderr.trim().split('\n').at(-1) || 'ssh gave no reason'),
    );
  });
}

function connectSockets(client: Socket, path: string): void {
  const remote = createConnection({ path, allowHalfOpen: true });
  remote.on('error', () => client.destroy());
  remote.once('close', () => client.destroy());
  client.once('close', () => remote.destroy());
  client.pipe(remote);
  remote.pipe(client);
}

/** A port on which nothing listens yet is fine; a server that forbids forwarding is not. */
async function isForbidden(forward: SocketForward, link: SshLink): Promise<boolean> {
  const refusals = () => link.transcript().split('administratively prohibited').length;
  const before = refusals();
  const probe = createConnection({ path: forward.path }).on('error', () => undefined);
  // Only ssh's message counts, not how the probe ended.
  await Promise.race([once(probe, 'close'), once(probe, 'data'), pause(PROBE_MS)]).catch(() => undefined);
  probe.destroy();
  // ssh's message and the end of the probe arrive on different ways.
  await pause(MESSAGE_DELAY_MS);
  return refusals() > before;
}

function forwardingForbidden(host: string): Refusal {
  return {
    code: 'unavailable',
    message: `${host} forbids port forwarding, so its servers cannot be reached from this computer.`,
    hint: 'Its administrator can allow it: "AllowTcpForwarding yes" (or "local") in sshd_config.',
  };
}
