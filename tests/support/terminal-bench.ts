import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Emitter } from '../../main/base';
import { createLocalMachine, type Machine } from '../../main/machines';
import { createTerminalService, type TerminalMachines, type TerminalService } from '../../main/terminals';
import type { Connection, TerminalSnapshot } from '../../preload/contract';
import { eventually } from './eventually';

const SIZE = { columns: 80, rows: 24 };

/** This computer as a machine whose connection the test cuts and mends. */
export type CuttableMachines = TerminalMachines & {
  readonly become: (kind: 'connected' | 'unreachable') => void;
};

export function localMachines(machine: Machine = createLocalMachine('/nonexistent')): CuttableMachines {
  const connections = new Emitter<string>();
  const at = '2026-01-05T09:30:00.000Z';
  const connected: Connection = { kind: 'connected', since: at };
  const cut: Connection = {
    kind: 'unreachable',
    since: at,
    lastSeenAt: at,
    message: 'Cut by the test.',
    nextTryAt: null,
  };
  let connection: Connection = connected;
  return {
    specs: () => [machine.spec],
    get: (id) =>
      id === machine.id
        ? { ok: true, value: machine }
        : { ok: false, error: { code: 'not-found', message: `There is no machine ${id}.` } },
    connection: () => connection,
    onConnection: (listener) => connections.on(listener),
    become: (kind) => {
      connection = kind === 'connected' ? connected : cut;
      connections.emit(machine.id);
    },
  };
}

/** This computer, as if no tmux were installed. */
export function machineWithoutTmux(): Machine {
  const machine = createLocalMachine('/nonexistent');
  return {
    ...machine,
    run: (script, options) =>
      machine.run(`tmux() { return 127; }; command() { return 1; }\n${script}`, options),
  };
}

/** A tmux socket of the test's own; all its sessions end with the test. */
export function ownSocket(): string {
  const socket = `wb-test-${randomBytes(6).toString('hex')}`;
  const folder = join(process.env.TMUX_TMPDIR ?? '/tmp', `tmux-${process.getuid?.() ?? 0}`);
  onTestFinished(async () => {
    await new Promise<void>((done) => execFile('tmux', ['-L', socket, 'kill-server'], () => done()));
    // tmux leaves the socket of a server that is no more.
    await rm(join(folder, socket), { force: true });
  });
  return socket;
}

export function openService(
  socket: string,
  machines: TerminalMachines = localMachines(),
  silenceMs?: number,
): TerminalService {
  const service = createTerminalService({
    machines,
    socket,
    owner: '0badcafe',
    newId: () => randomBytes(8).toString('hex'),
    ...(silenceMs === undefined ? {} : { silenceMs }),
  });
  onTestFinished(() => service.dispose());
  return service;
}

/** A window that shows one terminal: it keeps the output by offset and acknowledges it unless it is `slow`. */
export type Watcher = {
  readonly id: string;
  readonly text: () => string;
  readonly offset: () => number;
  slow: boolean;
  /** Outputs that did not follow what it has: a window attaches again. */
  gaps: number;
};

export function watch(service: TerminalService, snapshot: TerminalSnapshot): Watcher {
  const { id } = snapshot.view;
  let text = snapshot.text;
  let next = snapshot.offset + snapshot.text.length;
  const watcher = { id, text: () => text, offset: () => next, slow: false, gaps: 0 };
  const subscription = service.onOutput((output) => {
    if (output.terminalId !== id) return;
    if (output.offset !== next) {
      watcher.gaps += 1;
      return;
    }
    text += output.text;
    next += output.text.length;
    if (!watcher.slow) service.acknowledge(id, output.text.length);
  });
  onTestFinished(() => subscription.dispose());
  return watcher;
}

/** Waits until the terminal has drawn the text. */
export async function drawn(watcher: Watcher, text: string): Promise<void> {
  await eventually(
    `"${text}"`,
    () => watcher.text().includes(text),
    undefined,
    () => ({ gaps: watcher.gaps, text: watcher.text() }),
  );
}

/** A new shell on this computer with a plain prompt, watched. */
export async function openShell(service: TerminalService): Promise<Watcher> {
  const opened = await service.open('local', SIZE);
  if (!opened.ok) throw new Error(opened.error.message);
  const watcher = watch(service, opened.value);
  await eventually('the prompt', () => watcher.text().length > 0);
  service.write(watcher.id, "PS1='> '; stty -echo; echo re''ady\r");
  await drawn(watcher, 'ready\r\n');
  return watcher;
}
