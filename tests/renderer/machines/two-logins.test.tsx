import { expect, test } from 'vitest';
import { MachineScreen } from '../../../renderer/machines';
import { LoginPane } from '../../../renderer/terminals';
import { renderScreen } from '../../support/rendered-screen';
import { machineAtLogin } from '../../support/sample-machines';

test("of two logins that wait, a machine's page asks for its own: no password goes to another host", async () => {
  const screen = await renderScreen(
    <>
      <MachineScreen LogPane={() => null} machineId="vault" />
      <LoginPane />
    </>,
    {
      machines: { machines: [machineAtLogin('attic', 'terminal-1'), machineAtLogin('vault', 'terminal-2')] },
    },
  );
  const asked = (): string =>
    document.querySelector('[role="dialog"]')?.getAttribute('aria-label') ?? expect.fail('Nothing is asked.');
  expect(asked()).toBe('Login to attic');
  await screen.click('Log in');
  expect(asked()).toBe('Login to vault');
  await screen.click('Later');
  expect(asked()).toBe('Login to attic');
});
