import type {
  Connection,
  MachineSpec,
  Refusal,
  TerminalSnapshot,
  TerminalView,
} from '../../preload/contract';
import type { Disposable, Result } from '../base';
import type { AsyncResult, Machine, Terminal } from '../machines';

export type TerminalSize = { readonly columns: number; readonly rows: number };

/** Of an adopted terminal, until a window sets its own. */
export const USUAL_SIZE: TerminalSize = { columns: 80, rows: 24 };

/** UTF-16 units since the terminal was opened. */
export type TerminalOutput = { readonly terminalId: string; readonly offset: number; readonly text: string };

/** The machines as terminals need them; a machine fleet is one. */
export type TerminalMachines = {
  readonly specs: () => readonly MachineSpec[];
  readonly get: (machineId: string) => Result<Machine, Refusal>;
  readonly connection: (machineId: string) => Connection;
  readonly onConnection: (listener: (machineId: string) => void) => Disposable;
};

/**
 * Terminals on all machines. Where a machine has tmux, the shell runs in its own session: a cut connection or a restart
 * of the app detaches from it, and the workbench reattaches when the machine is connected.
 */
export type TerminalService = {
  readonly list: () => readonly TerminalView[];
  readonly open: (machineId: string, size: TerminalSize) => AsyncResult<TerminalSnapshot>;
  /** The stored output; `onOutput` emits what follows until the reader stops acknowledging. */
  readonly attach: (terminalId: string) => AsyncResult<TerminalSnapshot>;
  readonly write: (terminalId: string, text: string) => Result<null, Refusal>;
  readonly resize: (terminalId: string, size: TerminalSize) => Result<null, Refusal>;
  /** The reader has drawn this many more units. */
  readonly acknowledge: (terminalId: string, units: number) => Result<null, Refusal>;
  /** Ends the shell, also on the machine. Refused where the machine does not answer. */
  readonly close: (terminalId: string) => AsyncResult<null>;
  /**
   * Lists a terminal that somebody else opened, e.g. a login; `shown` is what it has written before. Disposing takes
   * it from the list and leaves it running.
   */
  readonly adopt: (
    terminal: Terminal,
    about: {
      readonly machineId: string;
      readonly title: string;
      readonly purpose: 'login';
      readonly shown?: string;
    },
  ) => Disposable & { readonly terminalId: string };
  readonly onOutput: (listener: (output: TerminalOutput) => void) => Disposable;
  /** Emits the whole list when one is added, removed or changes its state. */
  readonly onChange: (listener: (views: readonly TerminalView[]) => void) => Disposable;
  /** Detaches from tmux sessions and hangs up the rest. */
  readonly dispose: () => void;
};

export type TerminalServiceOptions = {
  readonly machines: TerminalMachines;
  /** Letters, digits and "-". */
  readonly newId: () => string;
  /** Identifies this data folder's terminals among others of the same account: 8 hex digits. */
  readonly owner: string;
  /** Name of the tmux socket; tests have their own. */
  readonly socket?: string;
  /** A reader that has not acknowledged for so long is gone; 15 s when left out. */
  readonly silenceMs?: number;
};
