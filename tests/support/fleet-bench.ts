import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type Disposable, ok } from '../../main/base';
import { createMachineFleet, type Machine, type MachineFleet, type Terminal } from '../../main/machines';
import { emptyRegistry, type RegistryData } from '../../main/storage';
import type { Connection, MachineSpec } from '../../preload/contract';
import { eventually } from './eventually';
import type { Sshd } from './sshd';
import { unwrap } from './unwrap';

/** A login that ssh asked for, as a window would show it. */
export type OfferedLogin = {
  readonly terminal: Terminal;
  readonly machineId: string;
  readonly prompt: string;
  readonly terminalId: string;
  /** All that ssh has written. */
  readonly text: () => string;
  isOver: boolean;
};

export type FleetBench = {
  readonly fleet: MachineFleet;
  readonly controlFolder: string;
  readonly logins: readonly OfferedLogin[];
  /** Kinds of the connection of each machine, in the order in which they were emitted. */
  readonly states: (id: string) => readonly Connection['kind'][];
  /** Waits until the connection is of that kind. */
  readonly becomes: <K extends Connection['kind']>(
    id: string,
    kind: K,
  ) => Promise<Extract<Connection, { kind: K }>>;
};

export function sshSpec(sshd: Pick<Sshd, 'host'>, id = 'lab'): MachineSpec {
  return { kind: 'ssh', id, name: `Machine ${id}`, host: sshd.host };
}

/** A fleet whose ssh reads a test's config; ended with the test, and then nothing of it is left. */
export async function openFleet(
  sshArgs: readonly string[],
  specs: readonly MachineSpec[],
  options: { readonly beatMs?: number; readonly program?: string; readonly controlFolder?: string } = {},
): Promise<FleetBench> {
  let data: RegistryData = { ...emptyRegistry, machines: [...emptyRegistry.machines, ...specs] };
  const controlFolder = options.controlFolder ?? (await mkdtemp('/tmp/m2ctl-'));
  const logins: OfferedLogin[] = [];
  const states = new Map<string, Connection['kind'][]>();
  const fleet = createMachineFleet({
    registry: {
      read: () => data,
      update: async (next) => {
        data = next(data);
        return ok(data);
      },
    },
    controlFolder,
    localHome: join(controlFolder, 'home'),
    offerLogin: (terminal, { machineId, prompt, shown }): Disposable & { readonly terminalId: string } => {
      let text = shown;
      const reading = terminal.onData((more) => {
        text += more;
        terminal.acknowledge(more.length);
      });
      const terminalId = `login-${logins.length}`;
      const login = { terminal, machineId, prompt, terminalId, text: () => text, isOver: false };
      logins.push(login);
      return {
        terminalId,
        dispose: () => {
          reading.dispose();
          login.isOver = true;
        },
      };
    },
    clock: { now: () => Date.now() },
    ssh: { program: options.program ?? 'ssh', args: sshArgs },
    beatMs: options.beatMs ?? 700,
  });
  fleet.onConnection((id) => {
    const { kind } = fleet.connection(id);
    const kinds = states.get(id) ?? [];
    states.set(id, kinds);
    if (kinds.at(-1) !== kind) kinds.push(kind);
  });
  onTestFinished(async () => {
    await fleet.dispose();
    const left = await readdir(controlFolder);
    await rm(controlFolder, { recursive: true, force: true });
    expect(left.filter((name) => name !== 'home')).toEqual([]);
  });
  return {
    fleet,
    controlFolder,
    logins,
    states: (id) => states.get(id) ?? [],
    becomes: (id, kind) =>
      eventually(`${id} to be ${kind}`, () => {
        const connection = fleet.connection(id);
        return isOfKind(connection, kind) ? connection : null;
      }).catch((error: unknown) => {
        const details = [fleet.connection(id), logins.map((login) => login.text())];
        throw new Error(`${error instanceof Error ? error.message : ''}: ${JSON.stringify(details)}`);
      }),
  };
}

/** The machine behind one server, connected. */
export async function connectedMachine(sshd: Sshd): Promise<FleetBench & { readonly machine: Machine }> {
  const bench = await openFleet(sshd.sshArgs, [sshSpec(sshd)]);
  const machine = await unwrap(bench.fleet.get('lab'));
  await unwrap(machine.run(':'));
  return { ...bench, machine };
}

function isOfKind<K extends Connection['kind']>(
  connection: Connection,
  kind: K,
): connection is Extract<Connection, { kind: K }> {
  return connection.kind === kind;
}
