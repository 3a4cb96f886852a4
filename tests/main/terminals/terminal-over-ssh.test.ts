import { spawnSync } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import type { MachineFleet } from '../../../main/machines';
import type { TerminalService } from '../../../main/terminals';
import { eventually } from '../../support/eventually';
import { openFleet, sshSpec } from '../../support/fleet-bench';
import { hasSshd, hasSshdPty, type Sshd, startSshd } from '../../support/sshd';
import { drawn, openService, ownSocket, type Watcher, watch } from '../../support/terminal-bench';
import { unwrap } from '../../support/unwrap';

const hasTmux = spawnSync('tmux', ['-V']).status === 0;
const SIZE = { columns: 80, rows: 24 };
const LINES = 30_000;

type Bench = { readonly sshd: Sshd; readonly fleet: MachineFleet; readonly terminals: TerminalService };

/** A machine behind a real sshd; `withoutTmux`: as if none were installed there. */
async function open(socket: string, withoutTmux = false): Promise<Bench> {
  const sshd = await startSshd();
  onTestFinished(() => sshd.stop());
  const { fleet, becomes } = await openFleet(sshd.sshArgs, [sshSpec(sshd)]);
  fleet.connect('lab');
  await becomes('lab', 'connected');
  return { sshd, fleet, terminals: openService(socket, withoutTmux ? bare(fleet) : fleet) };
}

function bare(fleet: MachineFleet): MachineFleet {
  return {
    ...fleet,
    get: (id) => {
      const found = fleet.get(id);
      if (!found.ok) return found;
      const machine = found.value;
      return {
        ok: true,
        value: {
          ...machine,
          run: (script, options) => machine.run(`command() { return 1; }\n${script}`, options),
        },
      };
    },
  };
}

/** A line that is refused would be waited for in vain. */
function type(terminals: TerminalService, id: string, text: string): void {
  expect(terminals.write(id, text)).toEqual({ ok: true, value: null });
}

async function openShell(terminals: TerminalService): Promise<Watcher> {
  const shell = watch(terminals, await unwrap(terminals.open('lab', SIZE)));
  await eventually('the prompt', () => shell.text().length > 0);
  type(terminals, shell.id, "PS1='> '; stty -echo; echo re''ady\r");
  await drawn(shell, 'ready\r\n');
  return shell;
}

/** All words in the order in which they are drawn, wherever on the screen that is. */
function wordsOf(drawn: string): string {
  const esc = String.fromCharCode(27);
  return drawn.replaceAll(new RegExp(`${esc}\\[[0-9;?]*[A-Za-z]|${esc}.`, 'g'), ' ').replaceAll(/\s+/g, ' ');
}

const stateOf = (terminals: TerminalService) => terminals.list()[0]?.state.kind;

test.skipIf(!hasSshd || !hasTmux)(
  'a shell over ssh survives a cut connection, and a flood that was cut is complete afterwards',
  async () => {
    const { sshd, terminals } = await open(ownSocket());
    const shell = await openShell(terminals);
    type(terminals, shell.id, `kept=here; for i in $(seq 1 ${LINES}); do echo $i; done; echo do''ne\r`);
    await drawn(shell, '\r\n500\r\n');
    await sshd.killSessions();
    await eventually('the cut', () => stateOf(terminals) === 'detached');
    await eventually('the shell again', () => stateOf(terminals) === 'open', 60_000);
    // What went past during the cut is in the session's history, from which the screen is redrawn.
    const last = Array.from({ length: 4_000 }, (_, at) => LINES - 3_999 + at).join(' ');
    await eventually('its end', () => wordsOf(shell.text()).includes(`${last} done`), 60_000);
    type(terminals, shell.id, 'echo still-$kept\r');
    await drawn(shell, 'still-here');
    await unwrap(terminals.close(shell.id));
  },
);

test.skipIf(!hasSshd || !hasTmux)('another start finds the shells of its machine by name', async () => {
  const socket = ownSocket();
  const { fleet, terminals } = await open(socket);
  const shell = await openShell(terminals);
  type(terminals, shell.id, 'kept=here; echo no""ted\r');
  await drawn(shell, 'noted');
  terminals.dispose();

  const next = openService(socket, fleet);
  const view = await eventually(
    'the shell',
    () => next.list().find(({ state }) => state.kind === 'open') ?? null,
  );
  expect(view).toMatchObject({ machineId: 'lab', durable: true });
  const again = watch(next, await unwrap(next.attach(view.id)));
  // Whoever types has seen the screen first.
  await drawn(again, 'noted');
  type(next, view.id, 'echo again-$kept\r');
  await drawn(again, 'again-here');
  await unwrap(next.close(view.id));
  expect(next.list()).toEqual([]);
});

test.skipIf(!hasSshdPty)(
  'without tmux there a cut ends the shell, with what it wrote kept (needs root)',
  async () => {
    const { sshd, terminals } = await open(ownSocket(), true);
    const shell = await openShell(terminals);
    expect(terminals.list()).toMatchObject([{ durable: false }]);
    await sshd.killSessions();
    await eventually('the end', () => stateOf(terminals) === 'ended');
    expect(terminals.list()[0]?.state).toEqual({ kind: 'ended', code: 255 });
    expect((await unwrap(terminals.attach(shell.id))).text).toContain('ready');
  },
);

test.skipIf(!hasSshd || !hasTmux)(
  'closing is refused while the state of the machine is unknown',
  async () => {
    const { sshd, terminals } = await open(ownSocket());
    const shell = await openShell(terminals);
    await sshd.down();
    await eventually('the cut', () => stateOf(terminals) === 'detached');
    const refused = await terminals.close(shell.id);
    expect(refused).toMatchObject({ ok: false, error: { code: 'unreachable' } });
    await sshd.up();
    await eventually('the shell again', () => stateOf(terminals) === 'open', 60_000);
    await unwrap(terminals.close(shell.id));
  },
);
