import { describe, expect, test } from 'vitest';
import { JobsScreen } from '../../../renderer/jobs';
import { SCENES } from '../../support/preview/scenes';
import { renderScreen } from '../../support/rendered-screen';

const Log = () => <p>The log of the job.</p>;
const open = (jobId: string | null) => renderScreen(<JobsScreen jobId={jobId} JobLogs={Log} />, SCENES.lab);

describe('the list of jobs', () => {
  test('has the jobs of servers and trainings behind a switch, and removes the ended ones after asking', async () => {
    const screen = await open(null);
    expect(screen.text()).toContain('All 7');
    await screen.click('Jobs of servers and trainings (1)');
    expect(screen.text()).toContain('All 8');
    await screen.click('Remove 4 ended');
    expect(screen.sample.calls).not.toContain('job.remove');
    await screen.click('Remove jobs');
    await screen.until('All 4');
    expect(screen.sample.calls.filter((call) => call === 'job.remove')).toHaveLength(4);
  });
});

describe('the GPUs of a job', () => {
  test('are drawn, and an idle one is named above its log', async () => {
    const screen = await open('job-train');
    expect(screen.text()).toContain('GPU 1 was idle for 10 minutes');
    await screen.until('GPU use, %');
    for (const title of ['GPU memory, GiB', 'GPU power, W', 'GPU temperature, °C'])
      expect(screen.text()).toContain(title);
    expect(screen.text()).toContain('over hours');
  });

  test('are not asked for where it has none', async () => {
    const screen = await open('job-failed');
    expect(screen.sample.calls).not.toContain('job.gpus');
  });
});
