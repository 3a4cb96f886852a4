import { chmod, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { pipeline } from 'node:stream';
import type { Refusal } from '../../../preload/contract/index';
import { failed, ok, type Result } from '../../base/index';
import type { Machine } from '../../machines/index';
import { controlSocketPath } from '../control/server';
import { connectToService, noService, readMachineService } from './machine-service';

/** Sockets of this computer that lead to the services of machines, so that every window and command uses the one connection. */
export type MachineSockets = {
  /** The path of the socket, which only this user can reach; refused where no service runs there. */
  readonly open: (machine: Machine) => Promise<Result<string, Refusal>>;
  readonly dispose: () => Promise<void>;
};

/** `folder`: only this user can enter it; null: this user has none. `dataDir`: the data folder with the machines. */
export function createMachineSockets(folder: string | null, dataDir: string): MachineSockets {
  /** By machine; windows and commands may ask for one at the same time. */
  const servers = new Map<string, Promise<Server>>();

  const listen = async (machine: Machine, path: string): Promise<Server> => {
    await rm(path, { force: true });
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      // Nothing is read from it before there is somewhere to write to.
      socket.pause();
      void connectToService(machine).then((opened) => {
        if (!opened.ok) return void socket.destroy();
        pipeline(socket, opened.value, socket, () => opened.value.destroy());
      });
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
    await chmod(path, 0o600);
    return server;
  };

  return {
    open: async (machine) => {
      if (folder === null) return failed(NO_FOLDER);
      const service = await readMachineService(machine);
      if (!service.ok) return service;
      if (service.value.kind === 'none' || service.value.running === null)
        return failed(noService(machine.spec.name));
      const path = controlSocketPath(folder, `${dataDir}\0${machine.id}`);
      const server = servers.get(machine.id) ?? listen(machine, path);
      servers.set(machine.id, server);
      await server.catch((error: unknown) => {
        servers.delete(machine.id);
        throw error;
      });
      return ok(path);
    },
    dispose: async () => {
      // Closing removes the socket's file; connected clients are cut when the machines' connections end.
      for (const server of servers.values())
        await server.then(
          (socket) => socket.close(),
          () => undefined,
        );
      servers.clear();
    },
  };
}

const NO_FOLDER: Refusal = {
  code: 'unavailable',
  message: 'This user has no folder for sockets that nobody else can enter.',
  hint: 'Set XDG_RUNTIME_DIR to a folder of your own.',
};
