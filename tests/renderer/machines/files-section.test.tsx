import { describe, expect, test } from 'vitest';
import { MachineScreen } from '../../../renderer/machines';
import { renderScreen } from '../../support/rendered-screen';
import { GPU_MACHINE, sampleMachine, THIS_COMPUTER } from '../../support/sample-machines';

const LogPane = (props: { readonly label: string; readonly source: { readonly save: unknown } }) => (
  <p>
    Shown: {props.label}
    <button type="button" onClick={() => void (props.source.save as () => Promise<void>)()}>
      Save
    </button>
  </p>
);

const open = () =>
  renderScreen(<MachineScreen machineId="gpu-a" LogPane={LogPane} />, {
    machines: { machines: [THIS_COMPUTER, GPU_MACHINE] },
  });

describe('the files of a machine', () => {
  test('are read after one press, and a folder that is gone is said', async () => {
    const screen = await open();
    expect(screen.sample.calls).not.toContain('machine.files');
    await screen.click('Browse files');
    expect(screen.sample.calls).toContain('machine.files');
    await screen.fill('Folder', '/nowhere');
    await screen.click('Go');
    await screen.until('There is no /nowhere on gpu-a.');
    await screen.fill('Folder', '~');
    await screen.click('Go');
    expect(screen.text()).not.toContain('There is no /nowhere');
  });

  test('a machine that is away has no press', async () => {
    const away = sampleMachine({ kind: 'ssh', id: 'away', name: 'away', host: 'away' }, { kind: 'off' });
    const screen = await renderScreen(<MachineScreen machineId="away" LogPane={LogPane} />, {
      machines: { machines: [THIS_COMPUTER, away] },
    });
    expect(screen.controls()).not.toContain('Browse files');
  });
});
