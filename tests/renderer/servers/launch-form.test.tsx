import { expect, test } from 'vitest';
import { LaunchFormScreen } from '../../../renderer/servers';
import { createWorkbenchState, launchRowActions, pathOf } from '../../../renderer/state';
import { catchingFailures } from '../../../renderer/workbench-client';
import { memoryLocation } from '../../support/memory-location';
import { SCENES } from '../../support/preview/scenes';
import { renderScreen } from '../../support/rendered-screen';
import { busyLab } from '../../support/sample-jobs';
import { createSampleWorkbench } from '../../support/sample-workbench';

test('a row of the launches offers a copy of it', () => {
  const state = createWorkbenchState(catchingFailures(createSampleWorkbench().api), memoryLocation());
  const launch = busyLab().launches?.[0];
  if (launch === undefined) throw new Error('no launch');
  const duplicate = launchRowActions(state, launch).find(({ label }) => label === 'Duplicate');
  duplicate?.run();
  expect(pathOf(state.location.store.getState().route)).toBe(`/launches/new?from=${launch.id}`);
  state.dispose();
});

test('the form of a copy has the settings of its launch and a name of its own', async () => {
  const screen = await renderScreen(<LaunchFormScreen machineId={null} from="qwen3-14b" />, SCENES.lab);
  await screen.until('Launch a server');
  expect(screen.field('Weights')).toContain('Qwen3-14B');
});

test('a wrong number and an open quotation mark are marked, and the plan waits for these fields alone', async () => {
  const screen = await renderScreen(<LaunchFormScreen machineId={null} from="qwen3-14b" />, SCENES.lab);
  await screen.until('Launch a server');
  await screen.fill('Replicas', '0');
  expect(screen.text()).toContain('Correct the marked field.');
  await screen.fill('Extra arguments', '--x "unclosed');
  expect(screen.text()).toContain('The extra arguments contain an unclosed quotation mark.');
  expect(screen.text()).toContain('Correct the 2 marked fields to see it.');
  expect(screen.text()).not.toContain('Choose a machine');
});
