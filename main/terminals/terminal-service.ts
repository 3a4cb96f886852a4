import { homedir } from 'node:os';
import type { Refusal, TerminalView } from '../../preload/contract';
import { type Disposable, failed, ok, type Result } from '../base';
import { type Machine, openTerminal } from '../machines';
import { ptySource } from './managed-terminal';
import { refusals } from './refusals';
import { type TerminalEntry, TerminalList } from './terminal-list';
import {
  type TerminalService,
  type TerminalServiceOptions,
  type TerminalSize,
  USUAL_SIZE,
} from './terminals';
import { TmuxSessions } from './tmux-sessions';

export function createTerminalService(options: TerminalServiceOptions): TerminalService {
  const { machines, newId } = options;
  const list = new TerminalList(options);
  const sessions = new TmuxSessions(list, options);
  const watching = machines.onConnection((machineId) => {
    if (!machines.specs().some(({ id }) => id === machineId)) {
      for (const entry of list.all()) if (entry.terminal.view.machineId === machineId) list.forget(entry);
    } else if (sessions.isConnected(machineId)) {
      void sessions.resume(machineId);
    }
  });
  for (const { id } of machines.specs()) if (sessions.isConnected(id)) void sessions.resume(id);

  const openPty = async (machine: Machine, size: TerminalSize): Promise<Result<TerminalEntry, Refusal>> => {
    const { file, args, env } = machine.terminal(null);
    const opened = await openTerminal({ shell: file, args, env, cwd: homedir(), ...size });
    if (!opened.ok) return opened;
    const entry = list.add(list.shellView(newId(), machine.id, false), size, null);
    entry.terminal.connect(ptySource(opened.value), (code) =>
      entry.terminal.setState({ kind: 'ended', code }),
    );
    return ok(entry);
  };

  return {
    list: () => list.views(),
    open: async (machineId, size) => {
      const machine = machines.get(machineId);
      if (!machine.ok) return machine;
      const durable = await sessions.open(machine.value, size);
      if (!durable.ok) return durable;
      const opened = durable.value === null ? await openPty(machine.value, size) : ok(durable.value);
      if (!opened.ok) return opened;
      list.changed();
      return ok(opened.value.terminal.attach());
    },
    attach: async (terminalId) => {
      const entry = list.find(terminalId);
      if (!entry.ok) return entry;
      void sessions.reattach(entry.value);
      return ok(entry.value.terminal.attach());
    },
    write: (terminalId, text) => {
      const entry = list.find(terminalId);
      if (!entry.ok) return entry;
      return entry.value.terminal.write(text)
        ? ok(null)
        : failed(refusals.cannotType(entry.value.terminal.view));
    },
    resize: (terminalId, size) => {
      const entry = list.find(terminalId);
      if (!entry.ok) return entry;
      entry.value.terminal.resize(size);
      return ok(null);
    },
    acknowledge: (terminalId, units) => {
      const entry = list.find(terminalId);
      if (!entry.ok) return entry;
      entry.value.terminal.acknowledge(units);
      return ok(null);
    },
    close: async (terminalId) => {
      const entry = list.find(terminalId);
      if (!entry.ok) return entry;
      const { session, terminal } = entry.value;
      if (session !== null && terminal.view.state.kind !== 'ended') {
        const ended = await sessions.end(entry.value, session);
        if (!ended.ok) return ended;
      }
      list.forget(entry.value);
      return ok(null);
    },
    adopt: (login, { machineId, title, purpose, shown }) => {
      const id = newId();
      const view: TerminalView = { id, machineId, title, purpose, state: { kind: 'open' }, durable: false };
      const { terminal } = list.add(view, USUAL_SIZE, null);
      if (shown !== undefined) terminal.append(shown);
      terminal.connect(ptySource(login), (code) => terminal.setState({ kind: 'ended', code }));
      list.changed();
      return {
        terminalId: id,
        dispose: () => {
          terminal.release();
          list.remove(id);
        },
      };
    },
    onOutput: (listener): Disposable => list.output.on(listener),
    onChange: (listener): Disposable => list.change.on(listener),
    dispose: () => {
      watching.dispose();
      sessions.dispose();
      list.dispose();
    },
  };
}
