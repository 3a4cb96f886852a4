import { expect, test } from 'vitest';
import type { TerminalView } from '../../../preload/contract';
import { machinesWithShells } from '../../../renderer/terminals/stored-shells';
import { busyMachines } from '../../support/sample-machines';

const MACHINES = busyMachines();
const shell = (machineId: string, durable = true): TerminalView => ({
  id: machineId,
  machineId,
  title: machineId,
  purpose: 'shell',
  state: { kind: 'open' },
  durable,
});

test('a machine that is away keeps its shells in mind', () => {
  expect(machinesWithShells(['basement'], MACHINES, [])).toEqual(['basement']);
});

test('a machine that is connected and shows none has none', () => {
  expect(machinesWithShells(['gpu-a', 'basement'], MACHINES, [])).toEqual(['basement']);
});

test('shells that end with the connection are not waited for', () => {
  expect(machinesWithShells([], MACHINES, [shell('gpu-a'), shell('gpu-b', false)])).toEqual(['gpu-a']);
});

test('a machine that is no more is forgotten', () => {
  expect(machinesWithShells(['gone'], MACHINES, [])).toEqual([]);
});
