import { expect, test } from 'vitest';
import { MachineScreen } from '../../../renderer/machines';
import { StatusBar } from '../../../renderer/shell/status-bar';
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
  expect(screen.text()).toContain('Nothing you type is stored. Then: vault.');
  await screen.click('Log in');
  expect(asked()).toBe('Login to vault');
  await screen.click('Later');
  expect(asked()).toBe('Login to attic');
});

test('a login that follows another one does not take its focus: the rest of a password stays where it was meant', async () => {
  const screen = await renderScreen(
    <>
      <StatusBar />
      <LoginPane />
    </>,
    {
      machines: { machines: [machineAtLogin('attic', 'terminal-1'), machineAtLogin('vault', 'terminal-2')] },
    },
  );
  const asks = (name: string) => {
    const pane = document.querySelector('[role="dialog"]');
    expect(pane?.getAttribute('aria-label')).toBe(`Login to ${name}`);
    return document.activeElement?.tagName === 'TEXTAREA' && pane?.contains(document.activeElement) === true
      ? 'takes what is typed'
      : 'waits';
  };
  await screen.click('vault asks for a login');
  await screen.click('attic asks for a login');
  expect(asks('attic')).toBe('takes what is typed');
  await screen.click('Later');
  expect(asks('vault')).toBe('waits');
  await screen.click('vault asks for a login');
  expect(asks('vault')).toBe('takes what is typed');
});
