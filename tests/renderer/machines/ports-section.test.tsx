import { describe, expect, test } from 'vitest';
import { JobsScreen } from '../../../renderer/jobs';
import { MachineScreen } from '../../../renderer/machines';
import { SCENES } from '../../support/preview/scenes';
import { renderScreen } from '../../support/rendered-screen';
import { GPU_MACHINE, sampleMachine, THIS_COMPUTER } from '../../support/sample-machines';
import { SAMPLE_SERVICE } from '../../support/sample-workbench';

describe('forwarded ports of a machine', () => {
  test('one press forwards a usual port; its address can be copied and opened, and it is closed', async () => {
    const screen = await renderScreen(<MachineScreen LogPane={() => null} machineId="gpu-a" />, {
      machines: { machines: [THIS_COMPUTER, GPU_MACHINE] },
    });
    await screen.click('TensorBoard 6006');
    await screen.until('http://127.0.0.1:6006');
    expect(screen.controls()).not.toContain('TensorBoard 6006');
    expect(screen.controls()).toContain('Copy http://127.0.0.1:6006');
    await screen.click('Open http://127.0.0.1:6006 in the browser');
    expect(screen.sample.calls).toContain('link.open');
    await screen.click('Close port 6006');
    expect(screen.text()).not.toContain('127.0.0.1:6006');
    expect(screen.controls()).toContain('TensorBoard 6006');
  });

  test('any other is typed', async () => {
    const screen = await renderScreen(<MachineScreen LogPane={() => null} machineId="gpu-a" />, {
      machines: { machines: [THIS_COMPUTER, GPU_MACHINE] },
    });
    await screen.fill('Port to forward', '70000');
    expect(screen.controls()).not.toContain('Forward');
    await screen.fill('Port to forward', '3000');
    await screen.click('Forward');
    await screen.until('http://127.0.0.1:3000');
  });

  test('this computer needs none, and a machine that is not connected has no press', async () => {
    const away = sampleMachine({ kind: 'ssh', id: 'away', name: 'away', host: 'away' }, { kind: 'off' });
    const machines = { machines: [THIS_COMPUTER, away] };
    const here = await renderScreen(<MachineScreen LogPane={() => null} machineId="local" />, { machines });
    expect(here.text()).not.toContain('Ports in your browser');
    // What a machine's service calls this computer is that machine.
    const there = await renderScreen(<MachineScreen LogPane={() => null} machineId="local" />, {
      machines,
      service: { ...SAMPLE_SERVICE, kind: 'service', through: 'gpu-login' },
    });
    await there.click('TensorBoard 6006');
    await there.until('http://127.0.0.1:6006');
    const screen = await renderScreen(<MachineScreen LogPane={() => null} machineId="away" />, { machines });
    expect(screen.text()).toContain('Ports can be forwarded while the machine is connected.');
    expect(screen.controls()).not.toContain('TensorBoard 6006');
  });
});

describe('forwarded ports of a job', () => {
  const open = (jobId: string) =>
    renderScreen(<JobsScreen jobId={jobId} JobLogs={() => <p>The log.</p>} />, SCENES.lab);

  test('are offered while it runs', async () => {
    expect((await open('job-train')).controls()).toContain('TensorBoard 6006');
  });

  test('are not there once it has ended', async () => {
    expect((await open('job-failed')).text()).not.toContain('Ports in your browser');
  });
});
