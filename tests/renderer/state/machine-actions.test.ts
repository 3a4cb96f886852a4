import { expect, test } from 'vitest';
import type { MachineView } from '../../../preload/contract';
import { createWorkbenchState, type WorkbenchState } from '../../../renderer/state';
import { catchingFailures } from '../../../renderer/workbench-client';
import { eventually } from '../../support/eventually';
import { memoryLocation } from '../../support/memory-location';
import {
  busyMachines,
  GPU_MACHINE,
  machineAtLogin,
  type SampleMachineOptions,
  sampleGpu,
} from '../../support/sample-machines';
import { createSampleWorkbench, type SampleOptions } from '../../support/sample-workbench';

async function open(machines: SampleMachineOptions = { machines: busyMachines() }, more: SampleOptions = {}) {
  const sample = createSampleWorkbench({ problems: 4, played: 'empty', machines, ...more });
  const state: WorkbenchState = createWorkbenchState(catchingFailures(sample.api), memoryLocation());
  await eventually('the machines', () => state.machines.store.getState().kind !== 'loading');
  const machine = (id: string): MachineView | undefined => {
    const all = state.machines.store.getState();
    return all.kind === 'ready' ? all.value.find(({ spec }) => spec.id === id) : undefined;
  };
  return { sample, state, machine };
}

const routeIn = (state: WorkbenchState) => state.location.store.getState().route;

test('a machine that was added is in the list, and its page is shown', async () => {
  const { state, machine } = await open();
  const refused = await state.machineActions.save(
    { kind: 'ssh', id: 'gpu-z', name: 'gpu-z', host: 'gpu-z' },
    true,
  );
  expect(refused).toBeNull();
  expect(machine('gpu-z')?.connection.kind).toBe('connecting');
  expect(routeIn(state)).toEqual({ kind: 'machine', machineId: 'gpu-z' });
});

test('a refusal goes back to the form, and nothing moves', async () => {
  const { state } = await open();
  const refused = await state.machineActions.save(
    { kind: 'ssh', id: 'gpu-a', name: 'gpu-a', host: 'gpu-a' },
    true,
  );
  expect(refused?.code).toBe('conflict');
  expect(routeIn(state)).toEqual({ kind: 'home' });
});

test('a machine with jobs is removed only when asked twice; its page gives way to the list', async () => {
  const { state, machine } = await open({ machines: busyMachines(), busyMachineId: 'gpu-a' });
  state.location.go({ kind: 'machine', machineId: 'gpu-a' });
  expect((await state.machineActions.remove('gpu-a', false))?.code).toBe('conflict');
  expect(machine('gpu-a')).toBeDefined();
  expect(await state.machineActions.remove('gpu-a', true)).toBeNull();
  expect(machine('gpu-a')).toBeUndefined();
  expect(routeIn(state)).toEqual({ kind: 'machines' });
});

test('a GPU is kept free and given back', async () => {
  const { state, machine } = await open();
  const { id } = sampleGpu(3);
  const reservation = () => machine('gpu-a')?.reservations.find(({ gpuId }) => gpuId === id);
  await state.machineActions.reserve('gpu-a', id, 60, 'demo');
  expect(reservation()).toMatchObject({ user: 'user1', note: 'demo' });
  await state.machineActions.reserve('gpu-a', id, 0, '');
  expect(reservation()).toBeUndefined();
});

test('only a connected machine is looked at: asking another would make it try', async () => {
  const { sample, state } = await open();
  const ends = ['gpu-a', 'basement', 'cluster'].map((id) => state.machineActions.watch(id));
  await eventually('the look', () => sample.calls.includes('machine.probe'));
  expect(sample.calls.filter((name) => name === 'machine.probe')).toHaveLength(1);
  for (const end of ends) end();
});

test('a login that was put aside comes back when it is answered', async () => {
  const { state } = await open({ machines: [GPU_MACHINE, machineAtLogin()] });
  const hidden = () => [...state.machineActions.hiddenLogins.getState()];
  state.machineActions.hideLogin('terminal-1');
  expect(hidden()).toEqual(['terminal-1']);
  expect(state.machineActions.lastConnectAt('vault')).toBeNull();
  state.machineActions.showLogin('vault');
  expect(hidden()).toEqual([]);
  expect(state.machineActions.lastConnectAt('vault')).not.toBeNull();
});

test('what the doctor found is kept, and so is why it found nothing', async () => {
  const { state } = await open();
  await state.machineActions.runDoctor('gpu-a');
  expect(state.machineActions.doctorReports.getState().get('gpu-a')).toMatchObject({ kind: 'found' });
  expect(state.machineActions.examinedMachineId.getState()).toBeNull();

  const error = { code: 'unreachable', message: 'gpu-a does not answer.' } as const;
  const refusing = await open(undefined, { refuse: { 'machine.doctor': error } });
  await refusing.state.machineActions.runDoctor('gpu-a');
  expect(refusing.state.machineActions.doctorReports.getState().get('gpu-a')).toMatchObject({
    kind: 'refused',
    error,
  });
});

test('a doctor who is called off is gone at once, and what comes of it later is not shown', async () => {
  const { sample, state } = await open();
  const examination = state.machineActions.runDoctor('gpu-a');
  expect(state.machineActions.examinedMachineId.getState()).toBe('gpu-a');
  state.machineActions.cancelDoctor();
  expect(state.machineActions.examinedMachineId.getState()).toBeNull();
  await examination;
  expect(state.machineActions.doctorReports.getState().size).toBe(0);
  expect(sample.calls).toContain('task.cancel');
});
