import { expect, test } from 'vitest';
import type { MachineView } from '../../../preload/contract';
import { createWorkbenchState, type WorkbenchState } from '../../../renderer/state';
import { answering } from '../../../renderer/workbench-client';
import { eventually } from '../../support/eventually';
import { memoryLocation } from '../../support/memory-location';
import {
  askingMachine,
  busyMachines,
  GPU_MACHINE,
  type SampleMachineOptions,
  sampleGpu,
} from '../../support/sample-machines';
import { createSampleWorkbench, type SampleOptions } from '../../support/sample-workbench';

async function open(machines: SampleMachineOptions = { machines: busyMachines() }, more: SampleOptions = {}) {
  const sample = createSampleWorkbench({ problems: 4, played: 'empty', machines, ...more });
  const state: WorkbenchState = createWorkbenchState(answering(sample.api), memoryLocation());
  await eventually('the machines', () => state.machines.store.getState().kind !== 'loading');
  const machine = (id: string): MachineView | undefined => {
    const all = state.machines.store.getState();
    return all.kind === 'ready' ? all.value.find(({ spec }) => spec.id === id) : undefined;
  };
  return { sample, state, machine };
}

const place = (state: WorkbenchState) => state.location.store.getState().place;

test('a machine that was added is in the list, and its page is shown', async () => {
  const { state, machine } = await open();
  const refused = await state.machineDeeds.save(
    { kind: 'ssh', id: 'gpu-z', name: 'gpu-z', host: 'gpu-z' },
    true,
  );
  expect(refused).toBeNull();
  expect(machine('gpu-z')?.connection.kind).toBe('connecting');
  expect(place(state)).toEqual({ kind: 'machine', machineId: 'gpu-z' });
});

test('a refusal goes back to the form, and nothing moves', async () => {
  const { state } = await open();
  const refused = await state.machineDeeds.save(
    { kind: 'ssh', id: 'gpu-a', name: 'gpu-a', host: 'gpu-a' },
    true,
  );
  expect(refused?.code).toBe('conflict');
  expect(place(state)).toEqual({ kind: 'home' });
});

test('a machine with jobs is removed only when asked twice; its page gives way to the list', async () => {
  const { state, machine } = await open({ machines: busyMachines(), busyMachineId: 'gpu-a' });
  state.location.go({ kind: 'machine', machineId: 'gpu-a' });
  expect((await state.machineDeeds.remove('gpu-a', false))?.code).toBe('conflict');
  expect(machine('gpu-a')).toBeDefined();
  expect(await state.machineDeeds.remove('gpu-a', true)).toBeNull();
  expect(machine('gpu-a')).toBeUndefined();
  expect(place(state)).toEqual({ kind: 'machines' });
});

test('a GPU is kept free and given back', async () => {
  const { state, machine } = await open();
  const { id } = sampleGpu(3);
  const kept = () => machine('gpu-a')?.reservations.find(({ gpuId }) => gpuId === id);
  await state.machineDeeds.reserve('gpu-a', id, 60, 'demo');
  expect(kept()).toMatchObject({ user: 'user1', note: 'demo' });
  await state.machineDeeds.reserve('gpu-a', id, 0, '');
  expect(kept()).toBeUndefined();
});

test('only a connected machine is looked at: asking another would make it try', async () => {
  const { sample, state } = await open();
  const ends = ['gpu-a', 'basement', 'cluster'].map((id) => state.machineDeeds.look(id));
  await eventually('the look', () => sample.calls.includes('machine.look'));
  expect(sample.calls.filter((name) => name === 'machine.look')).toHaveLength(1);
  for (const end of ends) end();
});

test('a login that was put aside comes back when it is answered', async () => {
  const { state } = await open({ machines: [GPU_MACHINE, askingMachine()] });
  const hidden = () => [...state.machineDeeds.hiddenLogins.getState()];
  state.machineDeeds.hideLogin('terminal-1');
  expect(hidden()).toEqual(['terminal-1']);
  expect(state.machineDeeds.askedAt('vault')).toBeNull();
  state.machineDeeds.answer('vault');
  expect(hidden()).toEqual([]);
  expect(state.machineDeeds.askedAt('vault')).not.toBeNull();
});

test('what the doctor found is kept, and so is why it found nothing', async () => {
  const { state } = await open();
  await state.machineDeeds.examine('gpu-a');
  expect(state.machineDeeds.reports.getState().get('gpu-a')).toMatchObject({ kind: 'found' });
  expect(state.machineDeeds.examined.getState()).toBeNull();

  const error = { code: 'unreachable', message: 'gpu-a does not answer.' } as const;
  const refusing = await open(undefined, { refuse: { 'machine.doctor': error } });
  await refusing.state.machineDeeds.examine('gpu-a');
  expect(refusing.state.machineDeeds.reports.getState().get('gpu-a')).toMatchObject({
    kind: 'refused',
    error,
  });
});

test('a doctor who is called off is gone at once, and what comes of it later is not shown', async () => {
  const { sample, state } = await open();
  const examination = state.machineDeeds.examine('gpu-a');
  expect(state.machineDeeds.examined.getState()).toBe('gpu-a');
  state.machineDeeds.callOff();
  expect(state.machineDeeds.examined.getState()).toBeNull();
  await examination;
  expect(state.machineDeeds.reports.getState().size).toBe(0);
  expect(sample.calls).toContain('task.cancel');
});
