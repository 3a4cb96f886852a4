import { expect, test } from 'vitest';
import { DifferencesSection, ProvenanceSection } from '../../../../renderer/shared/provenance';
import { renderScreen } from '../../../support/rendered-screen';
import { sampleJob } from '../../../support/sample-jobs';

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

test('of a job that runs it is not reported yet, of one that ended it was not recorded', async () => {
  const ended = { kind: 'exited', code: 0, endedAt: '2026-01-05T09:00:00.000Z' } as const;
  const lab = {
    jobs: [sampleJob({ id: 'job-new' }), sampleJob({ id: 'job-old', state: ended })],
    unrecorded: ['job-new', 'job-old'],
  };
  const screen = await renderScreen(<ProvenanceSection jobId="job-new" />, { lab });
  expect(screen.text()).toContain('Not reported yet');
  const old = await renderScreen(<ProvenanceSection jobId="job-old" />, { lab });
  expect(old.text()).toContain('Not recorded: the job ended too early');
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
