import { expect, test } from 'vitest';
import { MachineScreen } from '../../../renderer/machines';
import { renderScreen } from '../../support/rendered-screen';
import { busyMachines, THIS_COMPUTER } from '../../support/sample-machines';

const open = (machineId: string) =>
  renderScreen(<MachineScreen LogPane={() => null} machineId={machineId} />, {
    machines: { machines: busyMachines() },
  });
const NEED_A_CONNECTION = ['Open terminal', 'Clean up…', 'Browse files', 'Check this machine'];

test('a machine that is not reached can be edited, and what needs it cannot be pressed', async () => {
  const screen = await open('basement');
  expect(screen.controls()).toContain('Edit');
  for (const name of NEED_A_CONNECTION) {
    expect(screen.control(name)).toBeDefined();
    expect(screen.controls()).not.toContain(name);
  }
});

test('of a connected machine all of it can be pressed', async () => {
  const screen = await open('gpu-a');
  expect(screen.controls()).toEqual(expect.arrayContaining(NEED_A_CONNECTION));
});

test('only shells that run stand under what runs here, not those that have ended', async () => {
  const local = { machineId: 'local' };
  const screen = await renderScreen(<MachineScreen LogPane={() => null} machineId="local" />, {
    machines: { machines: [THIS_COMPUTER], terminals: [{ ...local, state: 'ended' }, local] },
  });
  await screen.until('Running here');
  expect(screen.text()).toMatch(/Running here This computer 2 terminal /);
});
