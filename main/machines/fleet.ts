import type { Connection, MachineSpec, Refusal } from '../../preload/contract';
import { type Disposable, Emitter, failed, ok, type Result } from '../base';
import type { Registry } from '../storage';
import { createLocalMachine } from './local-machine';
import { hostOf, type Machine } from './machine';
import { MachineList, noSuchMachine } from './machine-list';
import { controlFolder, removeOldSockets } from './ssh/control-folder';
import { HostLinks } from './ssh/host-links';
import { configuredHosts } from './ssh/hosts';
import { createSshMachine } from './ssh/machine';
import type { Terminal } from './terminal';

export type MachineFleetOptions = {
  /** Stores the machines. */
  readonly registry: Pick<Registry, 'read' | 'update'>;
  /** For sockets; private to this user and short. null, or a path that is too long: a temporary folder. */
  readonly controlFolder: string | null;
  /** The workbench's folder on this computer, absolute. */
  readonly localHome: string;
  /** Shows a login terminal. Disposing hides it and leaves the login alone. `shown`: what ssh wrote before. */
  readonly offerLogin: (
    login: Terminal,
    about: { readonly machineId: string; readonly prompt: string; readonly shown: string },
  ) => Disposable & { readonly terminalId: string };
  readonly clock: { readonly now: () => number };
  /** OpenSSH's client and options for every call of it; `ssh` alone when left out. */
  readonly ssh?: { readonly program: string; readonly args: readonly string[] };
  /** Time between heartbeats; after three missed ones a connection is given up. 5 s when left out. */
  readonly beatMs?: number;
};

/** All machines of the user and their connections. */
export type MachineFleet = {
  readonly specs: () => readonly MachineSpec[];
  /** Also while it is not connected: its calls then connect and wait a bounded time, or answer `unreachable`. */
  readonly get: (id: string) => Result<Machine, Refusal>;
  /** `off` for a machine that is not in the list. */
  readonly connection: (id: string) => Connection;
  /**
   * Called with the machine's id on every change of its connection, and when the machine itself is changed or removed.
   */
  readonly onConnection: (listener: (machineId: string) => void) => Disposable;
  /** Hosts of the user's ssh config that can be added as machines. */
  readonly hosts: () => Promise<readonly string[]>;
  readonly add: (spec: MachineSpec) => Promise<Result<MachineSpec, Refusal>>;
  readonly change: (spec: MachineSpec) => Promise<Result<MachineSpec, Refusal>>;
  readonly remove: (id: string) => Promise<Result<null, Refusal>>;
  /** Connects, or retries now; does nothing when connected. */
  readonly connect: (id: string) => void;
  /** Until `connect` is called its calls answer `unreachable`. */
  readonly disconnect: (id: string) => void;
  /** The computer woke up: checks every connection and retries waiting ones now. */
  readonly wake: () => void;
  readonly dispose: () => Promise<void>;
};

const BEAT_MS = 5_000;
/** A timer that fires so late means that the computer was asleep. */
const TICK_MS = 5_000;
const ASLEEP_MS = 20_000;

/** The fleet, over one connection for each host. Connects only on demand. */
export function createMachineFleet(options: MachineFleetOptions): MachineFleet {
  const { registry, localHome, clock } = options;
  const ssh = options.ssh ?? { program: 'ssh', args: [] };
  const startedAt = new Date(clock.now()).toISOString();
  const connectionChanges = new Emitter<string>();
  const list = new MachineList(registry);
  const machines = new Map<string, { readonly spec: MachineSpec; readonly machine: Machine }>();
  /** Disconnected by the user. */
  const off = new Set<string>();
  const folder = controlFolder(options.controlFolder);
  // Leftovers cost nothing but their names: a failure is handled inside.
  void removeOldSockets(folder.path, clock.now());
  const links = new HostLinks({
    ssh,
    folder: folder.path,
    now: clock.now,
    beatMs: options.beatMs ?? BEAT_MS,
    onChange: (host) => {
      for (const { id } of list.onHost(host)) connectionChanges.emit(id);
    },
    offerLogin: (host, login, question) => {
      const onHost = list.onHost(host);
      const asking = onHost.find(({ id }) => !off.has(id)) ?? onHost[0];
      return options.offerLogin(login, { machineId: asking?.id ?? host, ...question });
    },
  });
  const endUnused = () => links.endUnless((host) => list.onHost(host).length > 0);

  const machineFor = (spec: MachineSpec): Machine => {
    const host = hostOf(spec);
    if (host === null) return createLocalMachine(localHome, spec);
    const { link, path } = links.of(host);
    return createSshMachine(spec, link, { ssh, path, host, isOff: () => off.has(spec.id) });
  };
  const wakes = onWake(clock, () => links.wake());

  return {
    specs: () => list.all(),
    get: (id) => {
      const spec = list.find(id);
      if (spec === undefined) return failed(noSuchMachine(id));
      const existing = machines.get(id);
      if (existing !== undefined && JSON.stringify(existing.spec) === JSON.stringify(spec))
        return ok(existing.machine);
      const machine = machineFor(spec);
      machines.set(id, { spec, machine });
      return ok(machine);
    },
    connection: (id) => {
      const spec = list.find(id);
      if (spec === undefined || off.has(id)) return { kind: 'off' };
      const host = hostOf(spec);
      if (host === null) return { kind: 'connected', since: startedAt };
      return links.existing(host)?.connection ?? { kind: 'off' };
    },
    onConnection: (listener) => connectionChanges.on(listener),
    hosts: () => configuredHosts(ssh),
    add: async (candidate) => {
      const spec = await list.add(candidate);
      if (spec.ok) connectionChanges.emit(spec.value.id);
      return spec;
    },
    change: async (candidate) => {
      const spec = await list.change(candidate);
      if (!spec.ok) return spec;
      endUnused();
      connectionChanges.emit(spec.value.id);
      return spec;
    },
    remove: async (id) => {
      const removed = await list.remove(id);
      if (!removed.ok) return removed;
      machines.delete(id);
      off.delete(id);
      endUnused();
      connectionChanges.emit(id);
      return ok(null);
    },
    connect: (id) => {
      const spec = list.find(id);
      const host = spec === undefined ? null : hostOf(spec);
      const wasOff = off.delete(id);
      if (host === null) return;
      links.of(host).link.connect();
      if (wasOff) connectionChanges.emit(id);
    },
    disconnect: (id) => {
      const spec = list.find(id);
      const host = spec === undefined ? null : hostOf(spec);
      if (host === null) return;
      off.add(id);
      // Another machine may have the same host: its login node and its cluster.
      if (list.onHost(host).every((machine) => off.has(machine.id))) links.existing(host)?.disconnect();
      connectionChanges.emit(id);
    },
    wake: () => links.wake(),
    dispose: async () => {
      wakes.dispose();
      await links.dispose();
      await folder.dispose();
    },
  };
}

/** Calls `act` when the computer was asleep: its timers then fire late. */
function onWake(clock: { readonly now: () => number }, act: () => void): Disposable {
  let tickAtMs = clock.now();
  const tick = setInterval(() => {
    const lateMs = clock.now() - tickAtMs;
    tickAtMs = clock.now();
    if (lateMs > ASLEEP_MS) act();
  }, TICK_MS).unref();
  return { dispose: () => clearInterval(tick) };
}
