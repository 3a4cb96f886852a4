import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { stopService } from '../../main/app';
import { checkedClient } from '../../main/app/control/checked-client';
import { connectControl, openSocket } from '../../main/app/control/client';
import { controlSocketOf } from '../../main/app/control/server';
import type { CommandName, Payload, ServiceInfo, Value } from '../../preload/contract';
import { temporaryFolder } from './temporary-folder';
import { unwrap } from './unwrap';

export type Ended = { readonly code: number | null; readonly output: string };

/** A data folder and its real service, which ends with the test. `project`: a built one. `folder`: that of another bench. */
export async function serviceBench(
  project: string,
  env: () => NodeJS.ProcessEnv = () => process.env,
  folder?: string,
) {
  const dataDir = folder ?? join(await temporaryFolder(), 'data of a lab');
  await mkdir(dataDir, { recursive: true });
  onTestFinished(async () => {
    await stopService(dataDir, { forGood: true });
  });
  const spawned = (...words: readonly string[]): ChildProcess => {
    const program = join(project, 'out', 'main', 'cli.js');
    return spawn(process.execPath, [program, ...words, '--data', dataDir], { env: env() });
  };
  const mars2 = (...words: readonly string[]): Promise<Ended> => {
    const child = spawned(...words);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (piece: Buffer) => {
        output += piece.toString();
      });
    }
    return new Promise((ended) => child.once('close', (code) => ended({ code, output })));
  };
  return {
    dataDir,
    mars2,
    /** A command that goes on until it is killed. */
    spawned,
    /** Starts the service. */
    started: async (): Promise<ServiceInfo> => {
      const { code, output } = await mars2('service', 'start', '--temporary');
      if (code !== 0) throw new Error(output);
      const { output: status } = await mars2('service', 'status', '--json');
      return (JSON.parse(status) as { openBy: ServiceInfo }).openBy;
    },
    /** A lasting connection, as a window has it that trusts nothing; `path`: a way to the socket. */
    connected: async (path?: string) => {
      const to = path ?? (await unwrap(controlSocketOf(dataDir)));
      const answer = await connectControl(() => openSocket(to), { isKept: true });
      if (answer === null) throw new Error('no service answers');
      const client = checkedClient(await unwrap(Promise.resolve(answer)), {
        name: 'here',
        upgrade: 'restart it',
      });
      onTestFinished(client.close);
      const ask = async <N extends CommandName>(name: N, payload: Payload<N>): Promise<Value<N>> => {
        const value = await client.call(name, payload, 'terminal');
        if (!value.ok) throw new Error(`${name}: ${value.error.message}`);
        return value.value as Value<N>;
      };
      return { client, ask };
    },
  };
}

/** A way to a socket that can be cut, as an ssh connection is. `to`: where the socket is by now. */
export async function cuttableWay(to: () => Promise<string>) {
  const path = join(await temporaryFolder(), 'way');
  const sockets = new Set<Socket>();
  let isOpen = true;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    if (!isOpen) return void socket.destroy();
    socket.pause();
    void to().then((there) => {
      const other = createConnection(there);
      for (const one of [socket, other]) {
        sockets.add(one);
        one.on('error', () => undefined);
        one.once('close', () => {
          socket.destroy();
          other.destroy();
        });
      }
      socket.pipe(other).pipe(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  return {
    path,
    cut,
    /** It cannot be opened again until `mend`. */
    hold: () => {
      isOpen = false;
      cut();
    },
    mend: () => {
      isOpen = true;
    },
  };
}
