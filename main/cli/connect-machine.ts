import type { MachineView } from '../../preload/contract/index';
import { ask, EXIT, type Host, printRefusal, printStatus } from './host';
import { liveTerminal } from './live-terminal';

/** How long a command waits for a machine that is connecting, milliseconds. */
const CONNECT_PATIENCE_MS = 30_000;

/**
 * Waits until the machine is connected, with its login in this terminal. Gives its view, or the exit code after `print`
 * has shown that it is not.
 */
export async function connectedMachine(
  workbench: Host,
  machineId: string,
  print: (view: MachineView) => unknown = ({ spec }) => printStatus(`${spec.name} is not connected.`),
): Promise<MachineView | number> {
  const connecting = await ask(workbench, 'machine.connect', { machineId });
  if (!connecting.ok) return printRefusal(connecting.error);
  let untilMs = Date.now() + CONNECT_PATIENCE_MS;
  for (;;) {
    const list = await ask(workbench, 'machine.list', {});
    if (!list.ok) return printRefusal(list.error);
    const view = list.value.find(({ spec }) => spec.id === machineId);
    if (view === undefined)
      return printRefusal({ code: 'not-found', message: `There is no machine "${machineId}".` });
    const { kind } = view.connection;
    if (kind === 'connected' || view.spec.kind === 'local') return view;
    if (kind === 'needs-login' && process.stdin.isTTY) {
      await liveTerminal(
        workbench,
        view.connection.terminalId,
        (event) =>
          event.kind === 'machine-changed' &&
          event.machine.spec.id === machineId &&
          event.machine.connection.kind !== 'needs-login',
      );
      untilMs = Date.now() + CONNECT_PATIENCE_MS;
      continue;
    }
    if (kind === 'unreachable' || kind === 'needs-login' || Date.now() > untilMs) {
      await print(view);
      if (kind === 'needs-login') printStatus('Answer in the window or in a terminal that can ask you.');
      return EXIT.failed;
    }
    await new Promise((done) => setTimeout(done, 100));
  }
}
