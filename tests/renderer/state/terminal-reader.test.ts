import { expect, test } from 'vitest';
import type { Answer, TerminalSnapshot } from '../../../preload/contract';
import { createTerminalReader, type TerminalReader } from '../../../renderer/state/terminal-reader';
import { eventually } from '../../support/eventually';

const VIEW = {
  id: 't1',
  machineId: 'local',
  title: 'This computer',
  purpose: 'shell',
  state: { kind: 'open' },
  durable: true,
} as const;

/** A reader over a terminal whose output so far is `text`; what is drawn is written down. */
function reading(first: string, draws: 'at-once' | 'never' = 'at-once') {
  let answer: Answer<TerminalSnapshot> = { ok: true, value: { view: VIEW, offset: 0, text: first } };
  let release: (() => void) | null = null;
  const seen = { screen: '', resets: 0, asked: 0, acknowledged: 0, failed: '' };
  const draw = (drawn: () => void): void => {
    if (draws === 'at-once') drawn();
  };
  const reader: TerminalReader = createTerminalReader(
    {
      snapshot: () => {
        seen.asked += 1;
        return new Promise((resolve) => {
          release = () => resolve(answer);
        });
      },
      acknowledge: (units) => {
        seen.acknowledged += units;
      },
    },
    {
      reset: (text, drawn) => {
        seen.resets += 1;
        seen.screen = text;
        draw(drawn);
      },
      write: (text, drawn) => {
        seen.screen += text;
        draw(drawn);
      },
      failed: ({ message }) => {
        seen.failed = message;
      },
    },
  );
  void reader.attach();
  return {
    reader,
    seen,
    emitOutput: (offset: number, text: string) => reader.onOutput({ terminalId: 't1', offset, text }),
    /** The snapshot arrives; `text` is what it holds. */
    arrive: async (next: Answer<TerminalSnapshot> | string = first) => {
      answer = typeof next === 'string' ? { ok: true, value: { view: VIEW, offset: 0, text: next } } : next;
      const resets = seen.resets;
      release?.();
      await eventually('the snapshot', () => seen.resets > resets || seen.failed !== '');
    },
  };
}

test('output that arrives while the snapshot loads is drawn once and in order', async () => {
  const { seen, emitOutput, arrive } = reading('');
  emitOutput(0, 'one ');
  emitOutput(4, 'two ');
  emitOutput(8, 'three');
  // The snapshot was taken after the first two, in the middle of nothing.
  await arrive('one two ');
  expect(seen.screen).toBe('one two three');
});

test('a piece that the snapshot holds a part of is drawn for the rest', async () => {
  const { seen, emitOutput, arrive } = reading('');
  emitOutput(0, 'abcdef');
  await arrive('abc');
  expect(seen.screen).toBe('abcdef');
});

test('a gap asks for the snapshot again', async () => {
  const { seen, emitOutput, arrive } = reading('');
  await arrive('start');
  emitOutput(90, 'far away');
  expect(seen.asked).toBe(2);
  await arrive('all of it, far away');
  expect(seen.screen).toBe('all of it, far away');
});

test('an empty output says that main had given the reader up: it asks again even without a gap', async () => {
  const { seen, emitOutput, arrive } = reading('');
  await arrive('start');
  emitOutput(5, '');
  expect(seen.asked).toBe(2);
});

test('all that is drawn is acknowledged, and the snapshot is not', async () => {
  const { seen, emitOutput, arrive } = reading('');
  await arrive('x'.repeat(1_000));
  for (let at = 0; at < 100; at++) emitOutput(1_000 + at * 50, 'y'.repeat(50));
  await eventually('the acknowledgement', () => seen.acknowledged === 5_000);
});

test('a flood is acknowledged before main would stop it', async () => {
  const { seen, emitOutput, arrive } = reading('');
  await arrive('');
  let offset = 0;
  while (offset < 128_000) {
    emitOutput(offset, 'z'.repeat(4_000));
    offset += 4_000;
  }
  expect(seen.acknowledged).toBeGreaterThanOrEqual(96_000);
});

test('a reader that goes away owes nothing', async () => {
  const { reader, seen, emitOutput, arrive } = reading('', 'never');
  await arrive('');
  emitOutput(0, 'never drawn');
  expect(seen.acknowledged).toBe(0);
  reader.dispose();
  expect(seen.acknowledged).toBe('never drawn'.length);
  emitOutput(11, 'later');
  expect(seen.screen).toBe('never drawn');
});

test('a terminal that is gone is said to be gone', async () => {
  const { seen, emitOutput, arrive } = reading('');
  await arrive({ ok: false, error: { code: 'not-found', message: 'There is no terminal t1 (any more).' } });
  expect(seen.failed).toContain('no terminal');
  emitOutput(0, 'nobody sees it');
  expect(seen.screen).toBe('');
});
