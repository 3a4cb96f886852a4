import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  type Connection,
  LOCAL_MACHINE,
  type MachineSpec,
  machineSpecSchema,
  type Refusal,
} from '../../preload/contract';
import { type Disposable, DisposableStore, Emitter, failed, ok, type Result } from '../base';
import type { Registry } from '../storage';
import { createLocalMachine, THIS_COMPUTER } from './local-machine';
import type { Machine } from './machine';
import { controlFolder, removeOldSockets } from './ssh/control-folder';
import { configuredHosts } from './ssh/hosts';
import { SshLink } from './ssh/link';
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
  const { registry, localHome, offerLogin, clock } = options;
  const ssh = options.ssh ?? { program: 'ssh', args: [] };
  const startedAt = new Date(clock.now()).toISOString();
  const connectionChanges = new Emitter<string>();
  const links = new Map<
    string,
    { readonly link: SshLink; readonly owned: DisposableStore; readonly path: string }
  >();
  const machines = new Map<string, { readonly spec: MachineSpec; readonly machine: Machine }>();
  /** Disconnected by the user. */
  const off = new Set<string>();
  const ending = new Set<Promise<unknown>>();
  const folder = controlFolder(options.controlFolder);
  // Leftovers cost nothing but their names: a failure is handled inside.
  void removeOldSockets(folder.path, clock.now());

  const specs = (): readonly MachineSpec[] => {
    const saved = registry.read().machines;
    return saved.some(({ id }) => id === LOCAL_MACHINE) ? saved : [THIS_COMPUTER, ...saved];
  };
  const find = (id: string): MachineSpec | undefined => specs().find((spec) => spec.id === id);
  const onHost = (host: string): readonly MachineSpec[] => specs().filter((spec) => hostOf(spec) === host);

  const linkOf = (host: string) => {
    const existing = links.get(host);
    if (existing !== undefined) return existing;
    const name = createHash('sha256').update(host).digest('hex').slice(0, 8) + randomBytes(4).toString('hex');
    const path = join(folder.path, name);
    const link = new SshLink({
      socket: { ssh, path, host },
      now: clock.now,
      beatMs: options.beatMs ?? BEAT_MS,
      offerLogin: (login, question) => {
        const asking = onHost(host).find(({ id }) => !off.has(id)) ?? onHost(host)[0];
        return offerLogin(login, { machineId: asking?.id ?? host, ...question });
      },
    });
    const owned = new DisposableStore();
    owned.add(
      link.onChange(() => {
        for (const { id } of onHost(host)) connectionChanges.emit(id);
      }),
    );
    const entry = { link, owned, path };
    links.set(host, entry);
    return entry;
  };
  const end = (link: SshLink): void => {
    const done = link.dispose().finally(() => ending.delete(done));
    ending.add(done);
  };
  /** Ends connections that no machine uses any more. */
  const endUnused = (): void => {
    for (const [host, { link, owned }] of links)
      if (onHost(host).length === 0) {
        links.delete(host);
        owned.dispose();
        end(link);
      }
  };

  const machineFor = (spec: MachineSpec): Machine => {
    const host = hostOf(spec);
    if (host === null) return createLocalMachine(localHome, spec);
    const { link, path } = linkOf(host);
    return createSshMachine(spec, link, { ssh, path, host, isOff: () => off.has(spec.id) });
  };
  const save = async (
    next: (machines: readonly MachineSpec[]) => Result<readonly MachineSpec[], Refusal>,
  ) => {
    let refusal: Refusal | null = null;
    const answer = await registry.update((data) => {
      const changed = next(data.machines);
      if (!changed.ok) refusal = changed.error;
      return changed.ok ? { ...data, machines: [...changed.value] } : data;
    });
    if (!answer.ok) return answer;
    return refusal === null ? ok(null) : failed<Refusal>(refusal);
  };

  let tickAtMs = clock.now();
  const tick = setInterval(() => {
    const lateMs = clock.now() - tickAtMs;
    tickAtMs = clock.now();
    if (lateMs > ASLEEP_MS) fleet.wake();
  }, TICK_MS).unref();

  const fleet: MachineFleet = {
    specs,
    get: (id) => {
      const spec = find(id);
      if (spec === undefined) return failed(noSuchMachine(id));
      const existing = machines.get(id);
      if (existing !== undefined && JSON.stringify(existing.spec) === JSON.stringify(spec))
        return ok(existing.machine);
      const machine = machineFor(spec);
      machines.set(id, { spec, machine });
      return ok(machine);
    },
    connection: (id) => {
      const spec = find(id);
      if (spec === undefined || off.has(id)) return { kind: 'off' };
      const host = hostOf(spec);
      if (host === null) return { kind: 'connected', since: startedAt };
      return links.get(host)?.link.connection ?? { kind: 'off' };
    },
    onConnection: (listener) => connectionChanges.on(listener),
    hosts: () => configuredHosts(ssh),
    add: async (candidate) => {
      const spec = checked(candidate);
      if (!spec.ok) return spec;
      if (spec.value.kind === 'local') return failed(onlyOneLocal());
      const done = await save((all) =>
        all.some(({ id }) => id === spec.value.id) || spec.value.id === LOCAL_MACHINE
          ? failed({
              code: 'conflict',
              message: `A machine "${spec.value.id}" already exists. Choose another short name.`,
            })
          : ok([...all, spec.value]),
      );
      if (!done.ok) return done;
      connectionChanges.emit(spec.value.id);
      return spec;
    },
    change: async (candidate) => {
      const spec = checked(candidate);
      if (!spec.ok) return spec;
      if ((spec.value.kind === 'local') !== (spec.value.id === LOCAL_MACHINE)) return failed(onlyOneLocal());
      const done = await save((all) =>
        all.some(({ id }) => id === spec.value.id)
          ? ok(all.map((machine) => (machine.id === spec.value.id ? spec.value : machine)))
          : failed(noSuchMachine(spec.value.id)),
      );
      if (!done.ok) return done;
      endUnused();
      connectionChanges.emit(spec.value.id);
      return spec;
    },
    remove: async (id) => {
      if (id === LOCAL_MACHINE)
        return failed({ code: 'not-allowed', message: 'This computer cannot be removed.' });
      const done = await save((all) =>
        all.some((machine) => machine.id === id)
          ? ok(all.filter((machine) => machine.id !== id))
          : failed(noSuchMachine(id)),
      );
      if (!done.ok) return done;
      machines.delete(id);
      off.delete(id);
      endUnused();
      connectionChanges.emit(id);
      return ok(null);
    },
    connect: (id) => {
      const spec = find(id);
      const host = spec === undefined ? null : hostOf(spec);
      const wasOff = off.delete(id);
      if (host === null) return;
      linkOf(host).link.connect();
      if (wasOff) connectionChanges.emit(id);
    },
    disconnect: (id) => {
      const spec = find(id);
      const host = spec === undefined ? null : hostOf(spec);
      if (host === null) return;
      off.add(id);
      // Another machine may have the same host: its login node and its cluster.
      if (onHost(host).every((machine) => off.has(machine.id))) links.get(host)?.link.disconnect();
      connectionChanges.emit(id);
    },
    wake: () => {
      // A dead connection reports itself by its state.
      for (const { link } of links.values()) void link.wake();
    },
    dispose: async () => {
      clearInterval(tick);
      for (const { link, owned } of links.values()) {
        owned.dispose();
        end(link);
      }
      links.clear();
      await Promise.all(ending);
      await folder.dispose();
    },
  };
  return fleet;
}

/** null for this computer. */
function hostOf(spec: MachineSpec): string | null {
  return spec.kind === 'local' ? null : spec.host;
}

function checked(spec: MachineSpec): Result<MachineSpec, Refusal> {
  const parsed = machineSpecSchema.safeParse(spec);
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  return failed({
    code: 'bad-input',
    message: `Cannot save the machine: its ${issue?.path.join('.') || 'format'} is invalid (${issue?.message ?? ''}).`,
  });
}

function noSuchMachine(id: string): Refusal {
  return { code: 'not-found', message: `There is no machine "${id}".` };
}

function onlyOneLocal(): Refusal {
  return {
    code: 'bad-input',
    message: 'This computer is already in the list of machines.',
  };
}
