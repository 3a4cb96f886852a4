import { beforeEach, expect, test } from 'vitest';
import { HomeScreen } from '../../../renderer/home';
import { ActivityScreen } from '../../../renderer/home/activity-screen';
import { SCENES } from '../../support/preview/scenes';
import { renderScreen } from '../../support/rendered-screen';
import { sampleTrainings } from '../../support/sample-trainings';

const HOUR = 3_600_000;

beforeEach(() => localStorage.clear());

function lastUsed(hoursAgo: number): void {
  localStorage.setItem('looks.home.visit', `0 ${Date.now() - hoursAgo * HOUR}`);
}

test('what ended since the last visit stands apart, with its best Pass@N', async () => {
  lastUsed(14);
  const { text } = await renderScreen(<HomeScreen />, SCENES.morning);
  expect(text()).toMatch(/4 ended since .*, 9 need attention/);
  const fresh = text().slice(text().search(/ Ended since/), text().indexOf(' Running '));
  expect(fresh).toMatch(
    /Quickstart, seed 12 .*heterogeneous ?, best of 3.* \d\d\.\d % Pass@N, N = 24, 60 problems/,
  );
  expect(fresh).not.toContain('Quickstart, yesterday');
  expect(text()).toMatch(/Earlier .*Quickstart, yesterday/);
});

test('what starts or is evaluated says how far that is, not that nothing is asked or all is done', async () => {
  const [running] = sampleTrainings().filter(({ state }) => state.kind === 'running');
  const training = {
    ...(running ?? expect.fail()),
    step: 60,
    steps: 60,
    stage: 'evaluation, 60 of 100 problems',
  };
  const { text } = await renderScreen(<ActivityScreen />, {
    ...SCENES.lab,
    training: { trainings: [training], experiments: [] },
  });
  expect(text()).toMatch(/Starting\s+weights loading: 3 of 6 shards, 50 %/);
  expect(text()).toMatch(/60 of 60 updates ?, evaluation, 60 of 100 problems/);
});

test('at the first visit nothing is said of an earlier one', async () => {
  const { text } = await renderScreen(<HomeScreen />, SCENES.morning);
  expect(text()).not.toMatch(/ended since/i);
  expect(text()).toMatch(/ Ended .*Quickstart, seed 12/);
});

test('what failed has the button for its cause: studies, alarms, servers, machines', async () => {
  const { controls, click, sample } = await renderScreen(<HomeScreen />, SCENES.morning);
  // Its hint asks for a file; resumed without it, it fails again. A study that was interrupted only goes on.
  expect(controls()).toContain('Import…: HumanEval, repeated sampling');
  // Its diagnosis asks for another number of GPUs; started again as it is, it fails again.
  expect(controls()).toContain('Edit launch: OpenCodeReasoning-Nemotron-1.1-32B');
  await click('Show 5 more');
  await click('Connect: basement');
  expect(sample.calls).toContain('machine.connect');
  await click('Stop: MARTI, Qwen3-8B and boba-2-14B');
  expect(sample.calls).not.toContain('training.stop');
  await click('Stop');
  expect(sample.calls).toContain('training.stop');
});

test('a failed study without a cause, as of an earlier version, is resumed, whatever its hint says', async () => {
  const state = { kind: 'failed', message: 'The file is gone.', hint: 'Import it again.' } as const;
  const { until, controls } = await renderScreen(<HomeScreen />, { played: 0.5, state });
  await until('The file is gone.');
  expect(controls().filter((name) => /^(Resume|Import)/.test(name))).toEqual([
    expect.stringMatching(/^Resume: Quickstart/),
  ]);
});

test('a study whose journal is damaged is repaired there, and has no number among what ended', async () => {
  const message = 'The journal /data/single.jsonl is damaged at line 3.';
  const scene = { journalProblems: { 'study-1.single.1': { message, repairable: true } } };
  const { text, click, sample } = await renderScreen(<HomeScreen />, scene);
  expect(text()).toMatch(/Needs attention .*Damaged single: The journal .* damaged at line 3/);
  expect(text()).not.toContain('Pass@N, N =');
  await click('Repair: Quickstart');
  expect(text()).toContain('The damaged file is kept next to it');
  await click('Repair');
  expect(sample.calls).toContain('run.repair');
  expect(text()).not.toContain('Needs attention');
});

test('a job that ended is among what ended, and one that failed can be run again', async () => {
  lastUsed(14);
  const { text, controls, click, sample } = await renderScreen(<HomeScreen />, SCENES.morning);
  expect(text()).toContain('Download LiveCodeBench Job on This computer 12 min run time');
  await click('Show 5 more');
  const again = controls().filter((name) => name.startsWith('Run again: '));
  expect(again[0]).toBe('Run again: MARTI, Qwen3-8B, batch 512');
  await click(again[0] ?? '');
  expect(sample.calls).toContain('job.retry');
});

test('a reproduction with failed steps names the first and retries them', async () => {
  const { text, click, sample } = await renderScreen(<HomeScreen />, SCENES.exhibits);
  expect(text()).toMatch(/Main results table, systems .*ended with exit code 1/);
  await click('Retry failed steps: MARS², Main results table, systems');
  expect(sample.calls).toContain('reproduction.resume');
});

test('GPUs are counted with their holders, and the exhibit that is being filled says what it does now', async () => {
  const { text } = await renderScreen(<HomeScreen />, SCENES.morning);
  expect(text()).toMatch(/GPUs 3 of 11 GPUs free gpu-a 2 free .*you × 2/);
  expect(text()).toMatch(/Being filled .*MARTI-MARS² ?, Figure 3 .*42 of 75 values at pocket scale/);
  expect(text()).toMatch(/Now: (?:Search|Serve) /);
});

test('where nothing is reproduced the first table of the papers is offered', async () => {
  const { text, controls } = await renderScreen(<HomeScreen />, SCENES.finished);
  expect(text()).toMatch(/The papers .*MARTI-MARS² ?, Figure 3 .*75 values to measure/);
  expect(controls()).toContain('See what it takes');
  expect(text()).toContain('Nothing is running.');
  expect(text()).toContain('No connected machine has GPUs.');
});
