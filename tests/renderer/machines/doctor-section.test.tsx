import { describe, expect, it } from 'vitest';
import { MachineScreen } from '../../../renderer/machines';
import { renderScreen } from '../../support/rendered-screen';
import { THIS_COMPUTER } from '../../support/sample-machines';

describe('the doctor of a machine', () => {
  it('checks the learner apart, and says what to type where a package is missing', async () => {
    const screen = await renderScreen(<MachineScreen LogPane={() => null} machineId="local" />, {
      machines: { machines: [THIS_COMPUTER] },
    });
    await screen.click('Check the learner');
    await screen.until('python3 has no torch.');
    expect(screen.text()).toContain('mars2 machines prepare local --learner');
    expect(screen.text()).not.toContain('Login shell');
    // What a first job needs is another question.
    await screen.click('Check again');
    await screen.until('Login shell');
    expect(screen.text()).not.toContain('python3 has no torch.');
  });
});
