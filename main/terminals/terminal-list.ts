import type { Refusal, TerminalView } from '../../preload/contract';
import { Emitter, failed, ok, type Result } from '../base';
import type { TmuxSession } from './logic/tmux-scripts';
import { ManagedTerminal } from './managed-terminal';
import { refusals } from './refusals';
import type { TerminalOutput, TerminalServiceOptions, TerminalSize } from './terminals';

/** `session`: the tmux session of its shell. `isClosed`: closed or removed by the user. */
export type TerminalEntry = {
  readonly terminal: ManagedTerminal;
  readonly session: TmuxSession | null;
  /** While waiting to reattach: retries at once. */
  retryNow: (() => void) | null;
  isReattaching: boolean;
  isClosed: boolean;
};

/** The open terminals, and what changes of them. */
export class TerminalList {
  readonly output = new Emitter<TerminalOutput>();
  readonly change = new Emitter<readonly TerminalView[]>();
  readonly #options: Pick<TerminalServiceOptions, 'machines' | 'silenceMs'>;
  readonly #entries = new Map<string, TerminalEntry>();
  #isOver = false;

  constructor(options: Pick<TerminalServiceOptions, 'machines' | 'silenceMs'>) {
    this.#options = options;
  }

  /** True once it is disposed. */
  get isOver(): boolean {
    return this.#isOver;
  }

  all(): readonly TerminalEntry[] {
    return [...this.#entries.values()];
  }

  views(): readonly TerminalView[] {
    return this.all().map(({ terminal }) => terminal.view);
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  find(id: string): Result<TerminalEntry, Refusal> {
    const entry = this.#entries.get(id);
    return entry === undefined ? failed(refusals.unknown(id)) : ok(entry);
  }

  add(view: TerminalView, size: TerminalSize, session: TmuxSession | null): TerminalEntry {
    const terminal = new ManagedTerminal(
      view,
      size,
      {
        output: (text) => !this.#isOver && this.output.emit(text),
        changed: () => this.changed(),
      },
      this.#options.silenceMs,
    );
    const entry: TerminalEntry = { terminal, session, retryNow: null, isReattaching: false, isClosed: false };
    this.#entries.set(view.id, entry);
    return entry;
  }

  /** Takes it out of the list; its shell is left alone. */
  remove(id: string): void {
    if (this.#entries.delete(id)) this.changed();
  }

  /** Takes it out of the list and ends it. */
  forget(entry: TerminalEntry): void {
    entry.isClosed = true;
    entry.terminal.dispose();
    this.remove(entry.terminal.view.id);
  }

  changed(): void {
    if (!this.#isOver) this.change.emit(this.views());
  }

  /** "gpu-a", then "gpu-a 2": the lowest number that no other terminal there has. */
  titleFor(machineId: string): string {
    const name = this.#options.machines.specs().find(({ id }) => id === machineId)?.name ?? machineId;
    const taken = new Set(this.views().map(({ title }) => title));
    for (let number = 1; ; number++) {
      const title = number === 1 ? name : `${name} ${number}`;
      if (!taken.has(title)) return title;
    }
  }

  /** The view of a new shell. `durable`: it outlives the app. */
  shellView(id: string, machineId: string, durable: boolean): TerminalView {
    const title = this.titleFor(machineId);
    return { id, machineId, title, purpose: 'shell', state: { kind: 'open' }, durable };
  }

  dispose(): void {
    this.#isOver = true;
    for (const { terminal } of this.all()) terminal.dispose();
    this.#entries.clear();
  }
}
