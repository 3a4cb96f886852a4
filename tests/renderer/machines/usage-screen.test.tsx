import { expect, test } from 'vitest';
import { MachineScreen, UsageScreen } from '../../../renderer/machines';
import { parsePath, pathOf } from '../../../renderer/state';
import { SCENES } from '../../support/preview/scenes';
import { renderScreen } from '../../support/rendered-screen';
import { GPU_MACHINE, THIS_COMPUTER } from '../../support/sample-machines';

test('usage shows the total of a month, what is not in it, and exports', async () => {
  const screen = await renderScreen(<UsageScreen month="2026-11" by="project" />, SCENES.machines);
  await screen.until(/GPU-hours in 12 jobs, .* completion tokens in all/);
  expect(screen.controls()).toContain('Export');
  await screen.click('What is counted, and what is not');
  expect(screen.text()).toContain('other users of a machine');
  await screen.click('Export');
  await screen.until('Tables as');
});

test('a lab that used nothing is told what comes; a failure says what to do', async () => {
  const none = await renderScreen(<UsageScreen month={null} by="job" />, SCENES['machines-first']);
  await none.until('Nothing was used yet');
  const refused = await renderScreen(<UsageScreen month={null} by="job" />, SCENES['machines-refusing']);
  await refused.until('permission denied');
});

test('the address of usage can be opened again', () => {
  const route = { kind: 'usage', month: '2026-11', by: 'job' } as const;
  expect(parsePath(pathOf(route))).toEqual(route);
  expect(parsePath('/machines?view=usage&month=2026-13&by=people')).toEqual({
    kind: 'usage',
    month: null,
    by: 'project',
  });
  expect(parsePath('/machines')).toEqual({ kind: 'machines' });
});

test('a clean-up is shown with its sizes before it is confirmed', async () => {
  const machines = { machines: [THIS_COMPUTER, GPU_MACHINE] };
  const screen = await renderScreen(<MachineScreen LogPane={() => null} machineId="gpu-a" />, { machines });
  await screen.click('Clean up…');
  await screen.until('Folders of jobs that ended in the last 30 days');
  expect(screen.sample.calls).not.toContain('machine.clean');
  const [remove = ''] = screen.controls().filter((name) => name.startsWith('Remove 12 items, '));
  await screen.click(remove);
  expect(screen.sample.calls).toContain('machine.clean');
});

test('a machine with nothing to remove has nothing to confirm', async () => {
  const machines = { machines: [THIS_COMPUTER, GPU_MACHINE] };
  const here = await renderScreen(<MachineScreen LogPane={() => null} machineId="local" />, { machines });
  await here.click('Clean up…');
  await here.until('There is nothing to remove.');
  expect(here.controls().filter((name) => name.startsWith('Remove'))).toEqual([]);
});
