import { createStore, type StoreApi } from 'zustand/vanilla';
import type { TerminalView } from '../../preload/contract/terminal';
import type { WorkbenchClient } from '../workbench-client';
import { LOADING, type Loadable, loaded } from './loadable';
import type { Location } from './location';
import type { Notices } from './notices';
import { createTerminalReader, type TerminalOutput, type TerminalSink } from './terminal-reader';

export type TerminalSize = { readonly columns: number; readonly rows: number };

/** A terminal that is being shown, until `dispose`. */
export type AttachedTerminal = {
  readonly write: (text: string) => void;
  readonly resize: (size: TerminalSize) => void;
  readonly dispose: () => void;
};

export type Terminals = {
  readonly store: StoreApi<Loadable<readonly TerminalView[]>>;
  readonly load: () => Promise<void>;
  readonly changed: (views: readonly TerminalView[]) => void;
  readonly output: (output: TerminalOutput) => void;
  /** Ids of machines on which a terminal is being opened. */
  readonly opening: StoreApi<ReadonlySet<string>>;
  /** Opens a shell on a machine and goes to it. */
  readonly open: (machineId: string) => Promise<void>;
  /** Ends the shell. */
  readonly close: (terminalId: string) => Promise<void>;
  /** Opens a URL from a program's output in the browser; main asks first. */
  readonly openLink: (url: string) => Promise<void>;
  /** Renders its output into `sink`; one sink per terminal. */
  readonly attach: (terminalId: string, size: TerminalSize, sink: TerminalSink) => AttachedTerminal;
};

/** A paste is sent in chunks: main accepts a million units at once. */
const CHUNK_UNITS = 262_144;

export function createTerminals(client: WorkbenchClient, notices: Notices, location: Location): Terminals {
  const store = createStore<Loadable<readonly TerminalView[]>>(() => LOADING);
  const opening = createStore<ReadonlySet<string>>(() => new Set());
  const readers = new Map<string, (output: TerminalOutput) => void>();
  /** Size of the last shown terminal, the best guess for the next. */
  let lastSize: TerminalSize = { columns: 120, rows: 32 };
  let hasEvent = false;

  const acknowledge = (terminalId: string, units: number): void => {
    if (units > 0) void client.call('terminal.acknowledge', { terminalId, units });
  };
  const changed = (views: readonly TerminalView[]): void => {
    hasEvent = true;
    store.setState({ kind: 'ready', value: views }, true);
  };

  return {
    store,
    opening,
    changed,
    load: async () => {
      hasEvent = false;
      const next = loaded<readonly TerminalView[]>(await client.call('terminal.list', {}));
      // An event received meanwhile is newer.
      if (!hasEvent) store.setState(next, true);
    },
    output: (output) => {
      const onOutput = readers.get(output.terminalId);
      // Not shown now. Its program continues; main stores the output.
      if (onOutput === undefined) acknowledge(output.terminalId, output.text.length);
      else onOutput(output);
    },
    open: async (machineId) => {
      if (opening.getState().has(machineId)) return;
      opening.setState(new Set(opening.getState()).add(machineId), true);
      const answer = await client.call('terminal.open', { machineId, ...lastSize });
      const left = new Set(opening.getState());
      left.delete(machineId);
      opening.setState(left, true);
      if (!answer.ok) return notices.showRefusal(answer.error);
      const { view } = answer.value;
      const now = store.getState();
      if (now.kind === 'ready' && !now.value.some(({ id }) => id === view.id)) changed([...now.value, view]);
      location.go({ kind: 'terminals', terminalId: view.id });
    },
    close: async (terminalId) => {
      const answer = await client.call('terminal.close', { terminalId });
      if (!answer.ok) notices.showRefusal(answer.error);
    },
    openLink: async (address) => {
      const answer = await client.call('link.open', { address });
      if (!answer.ok) notices.showRefusal(answer.error);
    },
    attach: (terminalId, size, sink) => {
      let last = size;
      lastSize = size;
      const reader = createTerminalReader(
        {
          snapshot: async () => {
            // Resize first, so that the snapshot wraps its lines correctly.
            await client.call('terminal.resize', { terminalId, ...last });
            return client.call('terminal.attach', { terminalId });
          },
          acknowledge: (units) => acknowledge(terminalId, units),
        },
        sink,
      );
      readers.set(terminalId, reader.onOutput);
      void reader.attach();
      return {
        write: (text) => {
          for (let from = 0; from < text.length; from += CHUNK_UNITS) {
            void client.call('terminal.write', { terminalId, text: text.slice(from, from + CHUNK_UNITS) });
          }
        },
        resize: (next) => {
          if (next.columns === last.columns && next.rows === last.rows) return;
          last = next;
          lastSize = next;
          void client.call('terminal.resize', { terminalId, ...next });
        },
        dispose: () => {
          if (readers.get(terminalId) === reader.onOutput) readers.delete(terminalId);
          reader.dispose();
        },
      };
    },
  };
}
