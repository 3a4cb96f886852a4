import { expect, test } from 'vitest';
import { DifferencesSection, ProvenanceSection } from '../../../../renderer/shared/provenance';
import { renderScreen } from '../../../support/rendered-screen';

test('a start shows its commit, weights and GPUs at once, its packages and its diff on request', async () => {
  const screen = await renderScreen(<ProvenanceSection jobId="job-1" />);
  for (const part of ['Packages', 'New files', 'Changes']) await screen.until(part);
  expect(screen.text()).toContain('commit 9f8e7d6c5b4a39281706f5e4d3c2b1a098765432 (main)');
  expect(screen.text()).toContain('2 × NVIDIA H100 80GB HBM3');
  expect(screen.text()).not.toContain('learning_rate');
  expect(screen.controls()).toEqual(['Copy where it came from', 'Packages4', 'New files2', 'Changes']);
  await screen.click('Changes');
  expect(screen.text()).toContain('+ learning_rate = 5e-7');
});

test('two starts are compared in sentences, by the names of what started', async () => {
  const screen = await renderScreen(
    <DifferencesSection
      of={{ jobId: 'job-1', name: 'first' }}
      others={[{ jobId: 'job-2', name: 'second' }]}
    />,
  );
  expect(screen.text()).toContain('first, and second');
  expect(screen.text()).toContain('Packages: torch 2.5.1, and 2.6.0.');
});
