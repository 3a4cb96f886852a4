import { expect, test } from 'vitest';
import { NewMachineScreen } from '../../../renderer/machines';
import { renderScreen } from '../../support/rendered-screen';

const LABEL = 'ssh name';

test('a command to try is shown only for what ssh takes', async () => {
  const screen = await renderScreen(<NewMachineScreen />);
  await screen.fill(LABEL, 'ssh://user1@10.0.0.5:2222');
  expect(screen.text()).toContain('Try it in a terminal');
  for (const wrong of ['', 'ssh user1@10.0.0.5', '-p 22', 'user1@10.0.0.5:22']) {
    await screen.fill(LABEL, wrong);
    expect(screen.text()).not.toContain('Try it in a terminal');
  }
});

test('without hosts in the ssh config, the example names port and key, and errors name the field', async () => {
  const screen = await renderScreen(<NewMachineScreen />, { machines: { machines: [], hosts: [] } });
  await screen.until('Your ssh config has no hosts');
  expect(screen.text()).toMatch(/Port 22[\s\S]*IdentityFile ~/);
  await screen.fill(LABEL, 'ssh user1@10.0.0.5');
  await screen.click('Add and connect');
  expect(screen.text()).toContain('An ssh name has no spaces');
});
