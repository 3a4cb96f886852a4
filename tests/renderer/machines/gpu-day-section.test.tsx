import { describe, expect, it } from 'vitest';
import { MachineScreen } from '../../../renderer/machines';
import { renderScreen } from '../../support/rendered-screen';
import { busyMachines, THIS_COMPUTER } from '../../support/sample-machines';

describe('the GPU day of a machine', () => {
  it('shows what each step has measured, and why one failed', async () => {
    const screen = await renderScreen(<MachineScreen LogPane={() => null} machineId="gpu-a" />, {
      machines: { machines: busyMachines(), terminals: [] },
    });
    await screen.until('vLLM, published by a reload');
    const text = screen.text();
    expect(text).toContain('NVIDIA H100 80GB HBM3, driver 570.1, CUDA 12.8');
    expect(text).toContain('The engine of model did not start.');
    expect(text).toContain('Single: Pass@1 12.5 %; Heterogeneous: Pass@N 30.0 %');
    expect(text).not.toContain('It can only be rehearsed');
  });

  it('is a rehearsal where there is no GPU, and says why it did not end', async () => {
    const screen = await renderScreen(<MachineScreen LogPane={() => null} machineId="local" />, {
      machines: { machines: [THIS_COMPUTER] },
      refuse: { 'machine.gpuDay': { code: 'bad-input', message: 'The model is not there.' } },
    });
    await screen.until('it can only be rehearsed');
    await screen.click('Run it');
    await screen.fill('Model', '/models/small');
    await screen.click('Rehearse on the processors');
    await screen.until('The model is not there.');
  });
});
