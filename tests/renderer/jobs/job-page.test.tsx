import { describe, expect, test } from 'vitest';
import { JobsScreen } from '../../../renderer/jobs';
import { isPartOfServerOrTraining } from '../../../renderer/state';
import { clockTime } from '../../../renderer/widgets/format';
import { SCENES } from '../../support/preview/scenes';
import { renderScreen } from '../../support/rendered-screen';
import { busyLab, sampleJob } from '../../support/sample-jobs';

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

test('a job of a server says of which study it is, and the button which of the ended it leaves out', async () => {
  localStorage.clear();
  const lab = busyLab();
  const server = sampleJob({
    id: 'job-server',
    name: 'pocket-reader-base',
    purpose: 'model-server',
    owner: 'study-1',
    state: { kind: 'exited', code: 0, endedAt: '2026-01-01T00:00:00.000Z' },
  });
  const scene = { lab: { ...lab, jobs: [...(lab.jobs ?? []), server] } };
  const list = await renderScreen(<JobsScreen jobId={null} JobLogs={Log} />, scene);
  expect(list.controls()).toContain('Remove 4 ended');
  await list.click('Jobs of servers and trainings (2)');
  expect(list.controls()).toContain('Remove 4 of 5 ended');
  const page = await renderScreen(<JobsScreen jobId="job-server" JobLogs={Log} />, scene);
  expect(page.text()).toContain('model server of Quickstart');
});

test('jobs of servers alone are not called filtered out: there are none of the user’s own', async () => {
  localStorage.clear();
  const lab = busyLab();
  const jobs = lab.jobs?.filter(isPartOfServerOrTraining) ?? [];
  const screen = await renderScreen(<JobsScreen jobId={null} JobLogs={Log} />, { lab: { ...lab, jobs } });
  expect(screen.text()).toContain('No jobs of your own yet');
  expect(screen.text()).toContain('1 job of servers and trainings is not listed');
  expect(screen.text()).toContain('1 active of servers and trainings hidden');
  await screen.click('Jobs of servers and trainings (1)');
  expect(screen.text()).not.toContain('No jobs of your own yet');
  expect(screen.text()).not.toContain('hidden');
});

describe('the GPUs of a job', () => {
  test('are drawn, and an idle one is named above its log', async () => {
    const screen = await open('job-train');
    expect(screen.text()).toContain('GPU 1 was idle for 10 minutes');
    await screen.until('GPU use, %');
    for (const title of ['GPU memory, GiB', 'GPU power, W', 'GPU temperature, °C'])
      expect(screen.text()).toContain(title);
    expect(screen.text()).toMatch(/over hours since 5 Jan (2026 )?\d\d:\d\d/);
  });

  test('are not asked for where it has none', async () => {
    const screen = await open('job-failed');
    expect(screen.sample.calls).not.toContain('job.gpus');
  });
});

test('a job without a folder of its own choice shows the path of its own, to copy, and when it began', async () => {
  const startedAt = new Date(Date.now() - 30 * 60_000).toISOString();
  const job = sampleJob({ cwd: null, folder: '/home/lab/.mars2-workbench/jobs/job-1', startedAt });
  const screen = await renderScreen(<JobsScreen jobId={job.id} JobLogs={Log} />, { lab: { jobs: [job] } });
  expect(screen.text().replaceAll(' ', '')).toContain('/home/lab/.mars2-workbench/jobs/job-1');
  expect(screen.controls()).toContain('Copy the folder');
  expect(screen.text()).toContain(`Started ${clockTime(startedAt)} , 30 min ago`);
});
