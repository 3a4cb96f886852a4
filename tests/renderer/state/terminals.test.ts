import { expect, test } from 'vitest';
import { createWorkbenchState } from '../../../renderer/state';
import { catchingFailures } from '../../../renderer/workbench-client';
import { eventually } from '../../support/eventually';
import { memoryLocation } from '../../support/memory-location';
import { GPU_MACHINE, THIS_COMPUTER } from '../../support/sample-machines';
import { createSampleWorkbench, type SampleOptions } from '../../support/sample-workbench';

const SIZE = { columns: 80, rows: 24 };

async function open(options: SampleOptions = {}) {
  const machines = { machines: [THIS_COMPUTER, GPU_MACHINE], terminals: [{ machineId: 'gpu-a' }] };
  const sample = createSampleWorkbench({ problems: 4, played: 'empty', machines, ...options });
  const state = createWorkbenchState(catchingFailures(sample.api), memoryLocation());
  await eventually('the terminals', () => state.terminals.store.getState().kind !== 'loading');
  const titles = (): readonly string[] => {
    const now = state.terminals.store.getState();
    return now.kind === 'ready' ? now.value.map(({ title }) => title) : [];
  };
  return { sample, state, titles };
}

test('one that was opened is gone to; closing takes it from the list', async () => {
  const { state, titles } = await open();
  await state.terminals.open('local');
  expect(titles()).toEqual(['gpu-a', 'This computer']);
  expect(state.location.store.getState().route).toEqual({ kind: 'terminals', terminalId: 'terminal-2' });
  await state.terminals.close('terminal-2');
  expect(titles()).toEqual(['gpu-a']);
});

test('a refusal is shown, and another try can begin', async () => {
  const error = { code: 'unreachable', message: 'gpu-a does not answer.' } as const;
  const { state } = await open({ refuse: { 'terminal.open': error } });
  await state.terminals.open('gpu-a');
  expect(state.notices.store.getState().at(-1)?.message).toBe(error.message);
  expect(state.terminals.opening.getState().size).toBe(0);
});

test('what is typed comes back, and a paste of any length is typed whole', async () => {
  const { state } = await open();
  let screen = '';
  const followed = state.terminals.attach('terminal-1', SIZE, {
    reset: () => {
      screen = '';
    },
    write: (text, drawn) => {
      screen += text;
      drawn();
    },
    failed: () => {},
  });
  const paste = 'x'.repeat(700_000);
  await eventually('the snapshot', () => screen === '');
  await new Promise((resolve) => setTimeout(resolve, 0));
  followed.write(paste);
  await eventually('the paste', () => screen.length >= paste.length);
  expect(screen).toBe(paste);
  followed.dispose();
});

test('output of a hidden terminal is acknowledged, so that its program continues', async () => {
  const { sample, state } = await open();
  const followed = state.terminals.attach('terminal-1', SIZE, {
    reset: () => {},
    write: () => {},
    failed: () => {},
  });
  await eventually('the snapshot', () => sample.calls.includes('terminal.attach'));
  followed.dispose();
  const before = sample.calls.filter((name) => name === 'terminal.acknowledge').length;
  sample.emit({ kind: 'terminal-output', terminalId: 'terminal-1', offset: 0, text: 'a flood' });
  expect(sample.calls.filter((name) => name === 'terminal.acknowledge')).toHaveLength(before + 1);
});

test('its size is sent before its content is requested', async () => {
  const { sample, state } = await open();
  state.terminals
    .attach('terminal-1', SIZE, { reset: () => {}, write: () => {}, failed: () => {} })
    .dispose();
  await eventually('the snapshot', () => sample.calls.includes('terminal.attach'));
  expect(sample.calls.filter((name) => name.startsWith('terminal.'))).toEqual([
    'terminal.list',
    'terminal.resize',
    'terminal.attach',
  ]);
});
