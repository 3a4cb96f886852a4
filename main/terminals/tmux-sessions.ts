import type { Refusal, TerminalView } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { type Machine, spawnScript } from '../machines';
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
import { refusals } from './refusals';
import type { TerminalEntry, TerminalList } from './terminal-list';
import { type TerminalServiceOptions, type TerminalSize, USUAL_SIZE } from './terminals';
import { createTmuxClient } from './tmux-client';

/** Waits between attempts to reattach while the machine itself answers. */
const RETRY_MS = [300, 1_000, 3_000, 10_000, 30_000] as const;
/** A login shell in a full /home on a slow network file system takes its time. */
const SCRIPT_TIMEOUT_MS = 30_000;

/** Shells that outlive the app and the connection, each in a tmux session of its machine. */
export class TmuxSessions {
  readonly #list: TerminalList;
  readonly #options: TerminalServiceOptions;
  readonly #socket: string;
  /** Their sessions are being created: they are not from an earlier start. */
  readonly #opening = new Set<string>();
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(list: TerminalList, options: TerminalServiceOptions) {
    this.#list = list;
    this.#options = options;
    this.#socket = options.socket ?? 'mars2-workbench';
  }

  isConnected(machineId: string): boolean {
    return this.#options.machines.connection(machineId).kind === 'connected';
  }

  /** null: the machine has no tmux, or it cannot be used. */
  async open(machine: Machine, size: TerminalSize): Promise<Result<TerminalEntry | null, Refusal>> {
    const { newId, owner } = this.#options;
    const id = newId();
    const session = { socket: this.#socket, name: `${owner}_${machine.id}_${id}` };
    this.#opening.add(id);
    const end = await run(machine, makeScript(session, size)).finally(() => this.#opening.delete(id));
    if (!end.ok) return end;
    if (parseMade(end.value).kind === 'impossible') return ok(null);
    const entry = this.#list.add(this.#list.shellView(id, machine.id, true), size, session);
    const refused = await this.#attach(entry, session, machine);
    if (refused !== null) void this.reattach(entry);
    return ok(entry);
  }

  /** Ends the shell of an entry. */
  async end(entry: TerminalEntry, session: TmuxSession): Promise<Result<null, Refusal>> {
    const { view } = entry.terminal;
    const machine = this.#options.machines.get(view.machineId);
    if (!machine.ok) return ok(null);
    const ended = await run(machine.value, endScript(session));
    if (!ended.ok) return failed(refusals.cannotClose(view, ended.error.message));
    return ended.value.stdout.trim() === 'alive' ? failed(refusals.stillThere(view, session.name)) : ok(null);
  }

  /** The machine is connected: shows its shells of an earlier start of the app, and reattaches to all. */
  async resume(machineId: string): Promise<void> {
    await this.#discover(machineId);
    for (const entry of this.#list.all())
      if (entry.terminal.view.machineId === machineId) void this.reattach(entry);
  }

  /** Reattaches to a living session, reports one that has ended, or waits for the machine. */
  async reattach(entry: TerminalEntry): Promise<void> {
    const { terminal, session } = entry;
    entry.retryNow?.();
    if (session === null || entry.isReattaching || this.#isOver(entry) || terminal.hasSource) return;
    entry.isReattaching = true;
    try {
      for (let attempt = 0; ; attempt++) {
        if (await this.#tryToAttach(entry, session)) return;
        await this.#wait(entry, RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)] ?? 30_000);
      }
    } finally {
      entry.isReattaching = false;
    }
  }

  dispose(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #isOver(entry: TerminalEntry): boolean {
    return entry.isClosed || this.#list.isOver;
  }

  /** False: it may succeed a little later. */
  async #tryToAttach(entry: TerminalEntry, session: TmuxSession): Promise<boolean> {
    const { terminal } = entry;
    const { machineId } = terminal.view;
    const machine = this.#options.machines.get(machineId);
    if (!machine.ok) {
      this.#list.forget(entry);
      return true;
    }
    const alive = this.isConnected(machineId)
      ? await run(machine.value, aliveScript(session))
      : failed<Refusal>({ code: 'unreachable', message: '' });
    if (this.#isOver(entry)) return true;
    if (alive.ok && alive.value.stdout.trim() === 'gone') {
      terminal.setState({ kind: 'ended', code: null });
      return true;
    }
    if (alive.ok && (await this.#attach(entry, session, machine.value)) === null) return true;
    if (this.#isOver(entry)) return true;
    if (terminal.view.state.kind === 'open') terminal.setState({ kind: 'detached', why: refusals.lost });
    // Called again when the machine is connected; while it is, retries by itself.
    return !this.isConnected(machineId);
  }

  async #attach(entry: TerminalEntry, session: TmuxSession, machine: Machine): Promise<Refusal | null> {
    const spawned = await spawnScript(machine, attachScript(session));
    if (!spawned.ok) return spawned.error;
    if (this.#isOver(entry)) {
      spawned.value.kill();
      return null;
    }
    const client = createTmuxClient(spawned.value, session.name, entry.terminal.size);
    entry.terminal.connect(client, () => void this.reattach(entry));
    return null;
  }

  #wait(entry: TerminalEntry, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.#timers.delete(timer);
        entry.retryNow = null;
        resolve();
      };
      const timer = setTimeout(finish, ms);
      this.#timers.add(timer);
      entry.retryNow = finish;
    });
  }

  /** Shells of an earlier start of the app that still run there. */
  async #discover(machineId: string): Promise<void> {
    const machine = this.#options.machines.get(machineId);
    if (!machine.ok) return;
    const listed = await run(machine.value, listScript(this.#socket));
    if (!listed.ok || this.#list.isOver) return;
    let isNew = false;
    for (const name of parseSessions(listed.value.stdout)) {
      // Two machines can share a host: a login node, and Slurm there.
      const [sessionOwner, sessionMachine, id = ''] = name.split('_');
      if (sessionOwner !== this.#options.owner || sessionMachine !== machineId || id === '') continue;
      if (this.#list.has(id) || this.#opening.has(id)) continue;
      const state = { kind: 'detached', why: refusals.notYet } as const;
      const view: TerminalView = { ...this.#list.shellView(id, machineId, true), state };
      this.#list.add(view, USUAL_SIZE, { socket: this.#socket, name });
      isNew = true;
    }
    if (isNew) this.#list.changed();
  }
}

function run(machine: Machine, script: string) {
  return machine.run(script, { timeoutMs: SCRIPT_TIMEOUT_MS });
}
