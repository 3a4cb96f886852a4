import { homedir } from 'node:os';
import type { Refusal, TerminalView } from '../../preload/contract';
import { type Disposable, Emitter, failed, ok, type Result } from '../base';
import { type Machine, openTerminal, spawnScript } from '../machines';
import {
  aliveScript,
  attachScript,
  endScript,
  listScript,
  makeScript,
  parseMade,
  parseSessions,
  type TmuxSession,
} from './logic/tmux-scripts';
import { ManagedTerminal, ptySource } from './managed-terminal';
import { refusals } from './refusals';
import type { TerminalOutput, TerminalService, TerminalServiceOptions, TerminalSize } from './terminals';
import { createTmuxClient } from './tmux-client';

/** Waits between attempts to reattach while the machine itself answers. */
const RETRY_MS = [300, 1_000, 3_000, 10_000, 30_000] as const;
/** A login shell in a full /home on a slow network file system takes its time. */
const SCRIPT_TIMEOUT_MS = 30_000;
/** Of an adopted terminal, until a window sets its own. */
const USUAL_SIZE: TerminalSize = { columns: 80, rows: 24 };

/** `session`: the tmux session of its shell. `isClosed`: closed or removed by the user. */
type TerminalEntry = {
  readonly terminal: ManagedTerminal;
  readonly session: TmuxSession | null;
  /** While waiting to reattach: retries at once. */
  retryNow: (() => void) | null;
  isReattaching: boolean;
  isClosed: boolean;
};

export function createTerminalService(options: TerminalServiceOptions): TerminalService {
  const { machines, newId, owner, socket = 'mars2-workbench', silenceMs } = options;
  const entries = new Map<string, TerminalEntry>();
  /** Their sessions are being created: they are not from an earlier start. */
  const opening = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  const output = new Emitter<TerminalOutput>();
  const change = new Emitter<readonly TerminalView[]>();
  let isOver = false;

  const list = (): readonly TerminalView[] => [...entries.values()].map(({ terminal }) => terminal.view);
  const changed = (): void => {
    if (!isOver) change.emit(list());
  };
  const find = (id: string): Result<TerminalEntry, Refusal> => {
    const entry = entries.get(id);
    return entry === undefined ? failed(refusals.unknown(id)) : ok(entry);
  };
  const add = (view: TerminalView, size: TerminalSize, session: TmuxSession | null): TerminalEntry => {
    const terminal = new ManagedTerminal(
      view,
      size,
      { output: (text) => !isOver && output.emit(text), changed },
      silenceMs,
    );
    const entry: TerminalEntry = { terminal, session, retryNow: null, isReattaching: false, isClosed: false };
    entries.set(view.id, entry);
    return entry;
  };
  const forget = (entry: TerminalEntry): void => {
    entry.isClosed = true;
    entry.terminal.dispose();
    if (entries.delete(entry.terminal.view.id)) changed();
  };
  const isConnected = (machineId: string): boolean => machines.connection(machineId).kind === 'connected';
  const run = (machine: Machine, script: string) => machine.run(script, { timeoutMs: SCRIPT_TIMEOUT_MS });

  /** "gpu-a", then "gpu-a 2": the lowest number that no other terminal there has. */
  const titleFor = (machineId: string): string => {
    const name = machines.specs().find(({ id }) => id === machineId)?.name ?? machineId;
    const taken = new Set(list().map(({ title }) => title));
    for (let number = 1; ; number++) {
      const title = number === 1 ? name : `${name} ${number}`;
      if (!taken.has(title)) return title;
    }
  };

  const attachTo = async (
    entry: TerminalEntry,
    session: TmuxSession,
    machine: Machine,
  ): Promise<Refusal | null> => {
    const spawned = await spawnScript(machine, attachScript(session));
    if (!spawned.ok) return spawned.error;
    if (entry.isClosed || isOver) {
      spawned.value.kill();
      return null;
    }
    const client = createTmuxClient(spawned.value, session.name, entry.terminal.size);
    entry.terminal.connect(client, () => void reattach(entry));
    return null;
  };

  const later = (entry: TerminalEntry, ms: number): Promise<void> =>
    new Promise((resolve) => {
      const go = (): void => {
        clearTimeout(timer);
        timers.delete(timer);
        entry.retryNow = null;
        resolve();
      };
      const timer = setTimeout(go, ms);
      timers.add(timer);
      entry.retryNow = go;
    });

  /** Reattaches to a living session, reports one that has ended, or waits for the machine. */
  async function reattach(entry: TerminalEntry): Promise<void> {
    const { terminal, session } = entry;
    entry.retryNow?.();
    if (session === null || entry.isReattaching || entry.isClosed || isOver || terminal.hasSource) return;
    entry.isReattaching = true;
    try {
      for (let attempt = 0; ; attempt++) {
        const machine = machines.get(terminal.view.machineId);
        if (!machine.ok) return forget(entry);
        const alive = isConnected(terminal.view.machineId)
          ? await run(machine.value, aliveScript(session))
          : failed<Refusal>({ code: 'unreachable', message: '' });
        if (entry.isClosed || isOver) return;
        if (alive.ok && alive.value.stdout.trim() === 'gone') {
          terminal.setState({ kind: 'ended', code: null });
          return;
        }
        if (alive.ok && (await attachTo(entry, session, machine.value)) === null) return;
        if (entry.isClosed || isOver) return;
        if (terminal.view.state.kind === 'open') terminal.setState({ kind: 'detached', why: refusals.lost });
        // Called again when the machine is connected; while it is, retries by itself.
        if (!isConnected(terminal.view.machineId)) return;
        await later(entry, RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)] ?? 30_000);
      }
    } finally {
      entry.isReattaching = false;
    }
  }

  /** Shells of an earlier start of the app that still run there. */
  const discover = async (machineId: string): Promise<void> => {
    const machine = machines.get(machineId);
    if (!machine.ok) return;
    const listed = await run(machine.value, listScript(socket));
    if (!listed.ok || isOver) return;
    let isNew = false;
    for (const name of parseSessions(listed.value.stdout)) {
      // Two machines can share a host: a login node, and Slurm there.
      const [sessionOwner, sessionMachine, id = ''] = name.split('_');
      if (sessionOwner !== owner || sessionMachine !== machineId || id === '') continue;
      if (entries.has(id) || opening.has(id)) continue;
      const title = titleFor(machineId);
      const state = { kind: 'detached', why: refusals.notYet } as const;
      const view: TerminalView = { id, machineId, title, purpose: 'shell', state, durable: true };
      add(view, USUAL_SIZE, { socket, name });
      isNew = true;
    }
    if (isNew) changed();
  };
  const connected = async (machineId: string): Promise<void> => {
    await discover(machineId);
    for (const entry of [...entries.values()])
      if (entry.terminal.view.machineId === machineId) void reattach(entry);
  };
  const watching = machines.onConnection((machineId) => {
    if (!machines.specs().some(({ id }) => id === machineId)) {
      for (const entry of [...entries.values()])
        if (entry.terminal.view.machineId === machineId) forget(entry);
    } else if (isConnected(machineId)) {
      void connected(machineId);
    }
  });
  for (const { id } of machines.specs()) if (isConnected(id)) void connected(id);

  const shellView = (id: string, machineId: string, durable: boolean): TerminalView => ({
    id,
    machineId,
    title: titleFor(machineId),
    purpose: 'shell',
    state: { kind: 'open' },
    durable,
  });

  const openPty = async (machine: Machine, size: TerminalSize): Promise<Result<TerminalEntry, Refusal>> => {
    const { file, args, env } = machine.terminal(null);
    const opened = await openTerminal({ shell: file, args, env, cwd: homedir(), ...size });
    if (!opened.ok) return opened;
    const entry = add(shellView(newId(), machine.id, false), size, null);
    entry.terminal.connect(ptySource(opened.value), (code) =>
      entry.terminal.setState({ kind: 'ended', code }),
    );
    return ok(entry);
  };

  const openSession = async (
    machine: Machine,
    size: TerminalSize,
  ): Promise<Result<TerminalEntry | null, Refusal>> => {
    const id = newId();
    const session = { socket, name: `${owner}_${machine.id}_${id}` };
    opening.add(id);
    const end = await run(machine, makeScript(session, size)).finally(() => opening.delete(id));
    if (!end.ok) return end;
    if (parseMade(end.value).kind === 'impossible') return ok(null);
    const entry = add(shellView(id, machine.id, true), size, session);
    const refused = await attachTo(entry, session, machine);
    if (refused !== null) void reattach(entry);
    return ok(entry);
  };

  const end = async (entry: TerminalEntry, session: TmuxSession): Promise<Result<null, Refusal>> => {
    const { view } = entry.terminal;
    const machine = machines.get(view.machineId);
    if (!machine.ok) return ok(null);
    const ended = await run(machine.value, endScript(session));
    if (!ended.ok) return failed(refusals.cannotClose(view, ended.error.message));
    return ended.value.stdout.trim() === 'alive' ? failed(refusals.stillThere(view, session.name)) : ok(null);
  };

  return {
    list,
    open: async (machineId, size) => {
      const machine = machines.get(machineId);
      if (!machine.ok) return machine;
      const durable = await openSession(machine.value, size);
      if (!durable.ok) return durable;
      const opened = durable.value === null ? await openPty(machine.value, size) : ok(durable.value);
      if (!opened.ok) return opened;
      changed();
      return ok(opened.value.terminal.attach());
    },
    attach: async (terminalId) => {
      const entry = find(terminalId);
      if (!entry.ok) return entry;
      void reattach(entry.value);
      return ok(entry.value.terminal.attach());
    },
    write: (terminalId, text) => {
      const entry = find(terminalId);
      if (!entry.ok) return entry;
      return entry.value.terminal.write(text)
        ? ok(null)
        : failed(refusals.cannotType(entry.value.terminal.view));
    },
    resize: (terminalId, size) => {
      const entry = find(terminalId);
      if (!entry.ok) return entry;
      entry.value.terminal.resize(size);
      return ok(null);
    },
    acknowledge: (terminalId, units) => {
      const entry = find(terminalId);
      if (!entry.ok) return entry;
      entry.value.terminal.acknowledge(units);
      return ok(null);
    },
    close: async (terminalId) => {
      const entry = find(terminalId);
      if (!entry.ok) return entry;
      const { session, terminal } = entry.value;
      if (session !== null && terminal.view.state.kind !== 'ended') {
        const ended = await end(entry.value, session);
        if (!ended.ok) return ended;
      }
      forget(entry.value);
      return ok(null);
    },
    adopt: (login, { machineId, title, purpose, shown }) => {
      const id = newId();
      const view: TerminalView = { id, machineId, title, purpose, state: { kind: 'open' }, durable: false };
      const { terminal } = add(view, USUAL_SIZE, null);
      if (shown !== undefined) terminal.append(shown);
      terminal.connect(ptySource(login), (code) => terminal.setState({ kind: 'ended', code }));
      changed();
      return {
        terminalId: id,
        dispose: () => {
          terminal.release();
          if (entries.delete(id)) changed();
        },
      };
    },
    onOutput: (listener): Disposable => output.on(listener),
    onChange: (listener): Disposable => change.on(listener),
    dispose: () => {
      isOver = true;
      watching.dispose();
      for (const timer of timers) clearTimeout(timer);
      for (const { terminal } of entries.values()) terminal.dispose();
      entries.clear();
    },
  };
}
