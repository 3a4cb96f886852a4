import { expect, test } from 'vitest';
import { Emitter } from '../../../main/base';
import { ManagedTerminal, type TerminalSource } from '../../../main/terminals/managed-terminal';

test('a reader that acknowledges at once owes nothing', () => {
  const data = new Emitter<string>();
  let acknowledged = 0;
  const source: TerminalSource = {
    onData: (listener) => data.on(listener),
    onRedraw: () => ({ dispose: () => {} }),
    onEnd: () => ({ dispose: () => {} }),
    acknowledge: (units) => {
      acknowledged += units;
    },
    write: () => {},
    resize: () => {},
    dispose: () => {},
  };
  const terminal: ManagedTerminal = new ManagedTerminal(
    {
      id: 't1',
      machineId: 'local',
      title: 'This computer',
      purpose: 'shell',
      state: { kind: 'open' },
      durable: false,
    },
    { columns: 80, rows: 24 },
    { output: ({ text }) => terminal.acknowledge(text.length), changed: () => {} },
  );
  terminal.connect(source, () => {});
  terminal.attach();
  // Each piece is shorter than the one before: an answer that came before its piece was counted would be lost.
  for (let length = 5_000; length > 0; length -= 100) data.emit('x'.repeat(length));
  expect(acknowledged).toBe((5_000 * 51) / 2);
  terminal.dispose();
});
