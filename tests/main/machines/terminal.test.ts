import { expect, onTestFinished, test } from 'vitest';
import { createLocalMachine, openTerminal, type Terminal, type TerminalEnd } from '../../../main/machines';
import { FlowControl, HIGH_WATER, LOW_WATER } from '../../../main/machines/logic/flow-control';
import { eventually } from '../../support/eventually';
import { unwrap } from '../../support/unwrap';

type Open = {
  readonly terminal: Terminal;
  readonly text: () => string;
  readonly batches: () => number;
  readonly end: () => TerminalEnd | null;
};

async function open(script: string, reads = true): Promise<Open> {
  const opened = await openTerminal({
    shell: '/bin/sh',
    args: ['-c', script],
    cwd: '/',
    env: { GREETING: 'hello' },
    columns: 97,
    rows: 31,
  });
  if (!opened.ok) throw new Error(opened.error.message);
  const terminal = opened.value;
  onTestFinished(() => terminal.dispose());
  const batches: string[] = [];
  let end: TerminalEnd | null = null;
  terminal.onData((text) => {
    batches.push(text);
    if (reads) terminal.acknowledge(text.length);
  });
  terminal.onEnd((reported) => {
    end = reported;
  });
  return { terminal, text: () => batches.join(''), batches: () => batches.length, end: () => end };
}

/** Waits until nothing has come for a while. */
async function still(one: Open): Promise<string> {
  let before = '';
  await eventually('silence', async () => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const isStill = one.text() !== '' && one.text() === before;
    before = one.text();
    return isStill;
  });
  return before;
}

test('a program sees a terminal of the asked size, its environment, and what is typed', async () => {
  const one = await open('stty size; echo $GREETING $TERM; read line; echo "got $line"; sleep 0.2');
  await eventually('the greeting', () => one.text().includes('31 97\r\nhello xterm-256color\r\n'));
  one.terminal.write('ab€\r');
  await eventually('the answer', () => one.text().includes('got ab€'));
});

test('resizing notifies the program', async () => {
  const one = await open('trap "stty size" WINCH; echo up; while :; do sleep 0.05; done');
  await eventually('the program', () => one.text().includes('up'));
  one.terminal.resize(120, 40);
  await eventually('the new size', () => one.text().includes('40 120'));
});

test('the end is emitted once, after the last output', async () => {
  const one = await open('echo last words; sleep 0.1; exit 5');
  expect(await eventually('the end', one.end)).toEqual({ code: 5, signal: 0 });
  expect(one.text()).toBe('last words\r\n');
});

test('a reader that acknowledges gets a flood whole, in few batches', async () => {
  // Held open at its end: a pty may drop the last bytes of a program that ends right after writing.
  const one = await open('seq 1 200000; sleep 0.3');
  await eventually('the end', one.end);
  const expected = Array.from({ length: 200_000 }, (_, index) => `${index + 1}\r\n`).join('');
  expect(one.text() === expected).toBe(true);
  expect(one.batches()).toBeLessThan(2_000);
});

test('a reader that acknowledges nothing pauses the output, and resumes it by acknowledging', async () => {
  const one = await open('seq 1 2000000', false);
  const held = await still(one);
  // What the pty had read before it was paused still comes: some chunks of 64 KiB at most.
  expect(held.length).toBeGreaterThan(HIGH_WATER);
  expect(held.length).toBeLessThan(HIGH_WATER + 300_000);
  one.terminal.acknowledge(held.length);
  await eventually('more', () => one.text().length > held.length);
});

test('dispose hangs up even a paused program and emits nothing more', async () => {
  const one = await open('seq 1 2000000; sleep 1000', false);
  const held = await still(one);
  one.terminal.dispose();
  await eventually(
    'the end of the process',
    async () => (await unwrap(createLocalMachine('/nowhere').processIdentity(one.terminal.pid))) === null,
  );
  expect(one.text()).toBe(held);
  expect(one.end()).toBeNull();
  one.terminal.write('x');
  one.terminal.resize(10, 10);
});

test('an absent shell is refused or ends at once, never hangs', async () => {
  const opened = await openTerminal({
    shell: '/no/such/shell',
    args: [],
    cwd: '/',
    env: {},
    columns: 80,
    rows: 24,
  });
  if (!opened.ok) {
    expect(opened.error.message).toContain('/no/such/shell');
    return;
  }
  let end: TerminalEnd | null = null;
  opened.value.onEnd((reported) => {
    end = reported;
  });
  expect(await eventually('the end', () => end)).not.toMatchObject({ code: 0 });
});

test('flow control pauses above the high mark once and goes on below the low one once', () => {
  const flow = new FlowControl();
  expect(flow.sent(HIGH_WATER)).toBe(false);
  expect(flow.sent(1)).toBe(true);
  expect(flow.sent(1)).toBe(false);
  expect(flow.acknowledged(HIGH_WATER + 2 - LOW_WATER)).toBe(false);
  expect(flow.acknowledged(1)).toBe(true);
  expect(flow.acknowledged(1_000_000)).toBe(false);
  expect(flow.isPaused).toBe(false);
});
