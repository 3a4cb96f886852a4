import { expect, it } from 'vitest';
import { MachineScreen } from '../../../renderer/machines';
import { renderScreen } from '../../support/rendered-screen';
import { GPU_MACHINE } from '../../support/sample-machines';

it('the GPUs of a machine say which reservations were not read, above the table', async () => {
  const reservationProblem = '2 reservation files are ignored (of bob, mallory).';
  const screen = await renderScreen(<MachineScreen LogPane={() => null} machineId={GPU_MACHINE.spec.id} />, {
    machines: { machines: [{ ...GPU_MACHINE, reservationProblem }] },
  });
  await screen.until(reservationProblem);
  expect(screen.text().split(reservationProblem)).toHaveLength(2);
});
