import type { WorkbenchEvent } from '../../preload/contract/index';
import { ask, type Host } from './host';
import { writeRaw } from './terminal-output';

/**
 * Connects this terminal to one of the workbench's: passes on keys and output until the session ends or `isOver` is
 * true for an event. stdin must be a terminal. Resolves with the session's exit code; null if it has none.
 */
export async function liveTerminal(
  workbench: Host,
  terminalId: string,
  isOver: (event: WorkbenchEvent) => boolean = () => false,
): Promise<number | null> {
  const { stdin, stdout } = process;
  const early: WorkbenchEvent[] = [];
  let onEvent = (event: WorkbenchEvent): void => void early.push(event);
  const listening = workbench.events.on((event) => onEvent(event));
  const type = (data: Buffer): void => {
    void ask(workbench, 'terminal.write', { terminalId, text: data.toString('utf8') });
  };
  const resize = (): void => {
    void ask(workbench, 'terminal.resize', {
      terminalId,
      columns: stdout.columns || 80,
      rows: stdout.rows || 24,
    });
  };
  stdin.setRawMode(true);
  try {
    const snapshot = await ask(workbench, 'terminal.attach', { terminalId });
    if (!snapshot.ok) return null;
    writeRaw(stdout, snapshot.value.text);
    const shown = snapshot.value.offset + snapshot.value.text.length;
    resize();
    stdout.on('resize', resize);
    stdin.on('data', type);
    return await new Promise<number | null>((resolve) => {
      onEvent = (event) => {
        if (event.kind === 'terminal-output' && event.terminalId === terminalId) {
          const end = event.offset + event.text.length;
          if (end > shown) writeRaw(stdout, event.text.slice(Math.max(0, shown - event.offset)));
          void ask(workbench, 'terminal.acknowledge', { terminalId, units: event.text.length });
        }
        if (event.kind === 'terminals-changed') {
          const state = event.terminals.find(({ id }) => id === terminalId)?.state;
          if (state === undefined) resolve(null);
          else if (state.kind === 'ended') resolve(state.code);
        }
        if (isOver(event)) resolve(null);
      };
      const { state } = snapshot.value.view;
      if (state.kind === 'ended') resolve(state.code);
      for (const event of early) onEvent(event);
    });
  } finally {
    listening.dispose();
    stdin.off('data', type);
    stdout.off('resize', resize);
    stdin.setRawMode(false);
    stdin.pause();
    writeRaw(stdout, '\r\n');
  }
}
