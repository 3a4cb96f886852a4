import { describe, expect, test } from 'vitest';
import { StatusBar } from '../../../renderer/shell/status-bar';
import { renderScreen } from '../../support/rendered-screen';
import { busyLab } from '../../support/sample-jobs';
import { busyMachines } from '../../support/sample-machines';

const SICK = {
  played: 0.3,
  state: { kind: 'interrupted' as const },
  lab: busyLab(),
  machines: { machines: busyMachines() },
  sandboxProblem: 'bubblewrap is not installed.',
};

describe('problems in the status bar', () => {
  test('each have their whole text as a tooltip, however long the name in it', async () => {
    const screen = await renderScreen(<StatusBar />, { ...SICK, machines: { machines: [] } });
    await screen.until('interrupted');
    expect(screen.controls().join(' | ')).toContain('Quickstart: interrupted');
    expect(screen.control('Quickstart: interrupted').title).toBe('Quickstart: interrupted');
  });

  test('name the Python where it cannot grade, not the sandbox', async () => {
    const screen = await renderScreen(<StatusBar />, {
      sandboxProblem: '/bin/ls is not a Python.',
      pythonIsAtFault: true,
    });
    await screen.until('No usable Python: programs cannot be graded');
    expect(screen.text()).not.toContain('No sandbox');
  });

  test('for which there is no room stand in the menu of a number, in whole', async () => {
    const screen = await renderScreen(<StatusBar />, SICK);
    await screen.until('basement is unreachable');
    // What a wide window leaves out, and a narrow one.
    expect(screen.controls().filter((name) => name.endsWith('more'))).toEqual(['2 more', '4 more']);
    // A machine that answers, but with another key, is not among those that do not answer.
    expect(screen.text()).toContain('reborn: host key not accepted');
    await screen.click('4 more');
    expect(screen.controls().slice(-4)).toEqual([
      'basement is unreachable',
      '1 server failed',
      'Quickstart: interrupted',
      'No sandbox: programs cannot be graded',
    ]);
  });
});
