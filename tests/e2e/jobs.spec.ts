import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { makeVllmEnvironment, standInLaunch } from '../support/vllm-environment';
import { type App, chooseInDialogs, launchApp, temporaryData } from './support/app';
import { pathOf, picture } from './support/page';

test.describe.configure({ mode: 'serial' });

let app: App;
let page: Page;
let data: Awaited<ReturnType<typeof temporaryData>>;
const dataDir = (): string => join(data.path, 'data');

test.beforeAll(async () => {
  data = await temporaryData();
  app = await launchApp(dataDir());
  page = app.page;
});

test.afterAll(async () => {
  // What a failed test left running would outlive the app: that is what jobs are for.
  for (const id of await runningJobs()) {
    await page.evaluate((jobId) => window.workbench.call('job.stop', { jobId }), id).catch(() => null);
  }
  await app.close();
  await data.remove();
});

async function runningJobs(): Promise<readonly string[]> {
  const answer = await page.evaluate(() => window.workbench.call('job.list', {}));
  return answer.ok
    ? answer.value.filter(({ state }) => state.kind !== 'exited' && state.kind !== 'lost').map(({ id }) => id)
    : [];
}

/** All that a job has written, as main reads it. */
async function outputOf(jobId: string): Promise<string> {
  return page.evaluate(async (id) => {
    let text = '';
    for (let offset = 0; ; ) {
      const piece = await window.workbench.call('job.readLog', { jobId: id, offset, maxBytes: 65_536 });
      if (!piece.ok || piece.value.nextOffset === offset) return text;
      text += piece.value.text;
      offset = piece.value.nextOffset;
    }
  }, jobId);
}

async function logBytesOf(jobId: string): Promise<number | null> {
  const answer = await page.evaluate((id) => {
    const payload = { jobId: id, offset: 0, maxBytes: 1 };
    return window.workbench.call('job.readLog', payload);
  }, jobId);
  return answer.ok ? answer.value.size : null;
}

const rail = (name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });
const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const jobAt = async (): Promise<string> => (await pathOf(page)).replace('/jobs/', '');

async function startJob(name: string, command: string, setUp = ''): Promise<string> {
  await page.evaluate(() => {
    window.location.hash = '#/jobs/new';
  });
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Command', { exact: true }).fill(command);
  if (setUp !== '') await page.getByLabel('Set-up (runs first, with its own log)').fill(setUp);
  await page.getByRole('button', { name: 'Start job' }).click();
  await expect(heading(name)).toBeVisible();
  return jobAt();
}

/** Counts for ever, a line a twentieth of a second. */
const COUNTING = 'n=0; while :; do n=$((n+1)); echo "line $n"; sleep 0.05; done';
let counting = '';

test('a job is started on this computer, and its output is followed as it comes', async () => {
  await rail('Jobs').click();
  await expect(page.getByRole('heading', { name: 'No jobs yet' })).toBeVisible();
  await picture(page, 'jobs-empty');
  counting = await startJob('Count for ever', COUNTING, 'echo "set up here"');
  await expect(page.getByText('Running', { exact: true })).toBeVisible();
  const log = page.getByRole('log', { name: 'Output of Count for ever' });
  await expect(log).toContainText('line 12');
  const seen = await log.innerText();
  await expect.poll(() => log.innerText(), { message: 'new lines come into view' }).not.toBe(seen);
  const logs = page.getByRole('radiogroup', { name: 'Log' });
  await logs.getByText('Set-up').click();
  await expect(page.getByRole('log', { name: 'Set-up of Count for ever' })).toContainText('set up here');
  await logs.getByText('Output').click();
  await picture(page, 'job');
});

test('what was written is searched where it lies, and a match is gone to', async () => {
  await page.getByLabel('Find in log').fill('line 11');
  await page.getByRole('button', { name: 'Search whole log' }).click();
  const matches = page.getByRole('region', { name: 'Matches in the whole log' });
  await matches.getByRole('button', { name: /line 11$/ }).click();
  await expect(page.getByRole('button', { name: 'Follow the end' })).toHaveAttribute('aria-pressed', 'false');
  await page.getByRole('button', { name: 'Close the matches' }).click();
  await page.getByLabel('Find in log').fill('');
  await page.getByRole('button', { name: /^Size .* Go to a position in the log$/ }).click();
  await page.getByLabel('Go to', { exact: true }).fill('line 3');
  await page.getByRole('button', { name: 'Go', exact: true }).click();
  await expect(page.getByRole('log')).toContainText('line 3');
  await page.getByRole('button', { name: 'Follow the end' }).click();
});

test('the app is killed in the middle; the job goes on and is found with every line once', async () => {
  const before = await outputOf(counting);
  await app.kill();
  app = await launchApp(dataDir());
  page = app.page;
  await rail('Jobs').click();
  await expect(page.getByRole('row', { name: /Count for ever: running/ })).toBeVisible();
  await page.getByRole('row', { name: /Count for ever/ }).click();
  await expect(heading('Count for ever')).toBeVisible();
  await expect.poll(async () => (await outputOf(counting)).length).toBeGreaterThan(before.length + 100);
  const lines = (await outputOf(counting)).split('\n').slice(0, -1);
  expect(lines).toEqual(lines.map((_, at) => `line ${at + 1}`));
});

test('a job is stopped after asking, and is said to be stopped', async () => {
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop job' }).click();
  await expect(page.getByText('Stopped', { exact: true })).toBeVisible();
  await expect(page.getByText('A stop was requested.')).toBeVisible();
  const ended = await outputOf(counting);
  await page.waitForTimeout(300);
  expect(await outputOf(counting)).toBe(ended);
});

test('39 MB of output at once are followed to their end, and any line is a press away', async () => {
  // More rows than the pixels that Chromium scrolls; the unit tests follow 200 MB.
  await startJob('Count fast', 'seq 1 5000000');
  const log = page.getByRole('log', { name: 'Output of Count fast' });
  await expect(log.getByText('5000000', { exact: true })).toBeVisible({ timeout: 90_000 });
  await log.focus();
  await page.keyboard.press('Home');
  await expect(log.getByText('1', { exact: true })).toBeVisible();
  await page.keyboard.press('Control+g');
  await page.getByLabel('Go to', { exact: true }).fill('line 3456789');
  await page.keyboard.press('Enter');
  await expect(log.getByText('3456789', { exact: true })).toBeVisible({ timeout: 60_000 });
  // Whatever is in the file, the page holds the rows in sight.
  expect(await log.locator('[data-index]').count()).toBeLessThan(200);
  await page.getByLabel('Find in log').fill('4999999');
  await page.keyboard.press('Control+Enter');
  const matches = page.getByRole('region', { name: 'Matches in the whole log' });
  await matches.getByRole('button', { name: /4999999$/ }).click({ timeout: 60_000 });
  await expect(log.getByText('4999999')).toBeVisible();
});

test('the whole of a log is saved to a file that a person chooses', async () => {
  const path = join(data.path, 'whole.log');
  await chooseInDialogs(app, path);
  await page.getByRole('button', { name: 'Save the whole log' }).click();
  await expect(page.getByText(/^Saved the log: 38\.9 MB in /)).toBeVisible({ timeout: 90_000 });
  expect((await stat(path)).size).toBe(await logBytesOf(await jobAt()));
});

test('a failing job is announced on every screen, and the notice leads to it', async () => {
  await startJob('Fail soon', 'sleep 1; echo "this is why"; exit 3');
  await rail('Studies').click();
  const notice = page.getByRole('alert').filter({ hasText: 'Fail soon has failed' });
  await expect(notice).toContainText('exit code 3');
  await notice.getByRole('button', { name: 'Open' }).click();
  await expect(heading('Fail soon')).toBeVisible();
  await expect(page.getByText('Failed, code 3')).toBeVisible();
  await expect(page.getByRole('log')).toContainText('this is why');
  await picture(page, 'job-failed');
});

test('an ended job is started again, and removed after asking', async () => {
  await page.getByRole('button', { name: 'Run again' }).click();
  await expect(page.getByText('Failed, code 3')).toBeVisible();
  await expect.poll(async () => (await outputOf(await jobAt())).match(/this is why/g)?.length).toBe(2);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove job' }).click();
  await expect(page.getByRole('row', { name: /Count for ever/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /Fail soon/ })).toHaveCount(0);
  await picture(page, 'jobs');
});

test('a launch is composed with the exact command in sight', async () => {
  const environment = await makeVllmEnvironment(data.path);
  await rail('Servers').click();
  await page.getByRole('button', { name: 'Launch a server' }).first().click();
  await expect(heading('Launch a server')).toBeVisible();
  // Where this computer has no GPU the form begins with llama.cpp.
  await page.getByLabel('Engine', { exact: true }).first().click();
  await page.getByRole('option', { name: 'vLLM', exact: true }).click();
  await page.getByRole('combobox', { name: 'Weights' }).fill('Qwen/Qwen3-8B');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Stand-in');
  await page.getByRole('textbox', { name: 'Model name in requests' }).fill('qwen3');
  await page.getByLabel('Environment', { exact: true }).first().click();
  await page.getByRole('option', { name: 'virtual environment' }).click();
  await page.getByRole('combobox', { name: 'virtual environment' }).fill(environment);
  await page.getByText('None', { exact: true }).click();
  await expect(page.getByText('--served-model-name qwen3')).toBeVisible();
  await picture(page, 'launch-form');
  await page.getByRole('button', { name: 'Add a variable' }).click();
  await page.getByLabel('Name of variable 1').fill('STAND_IN_STEP_MS');
  await page.getByLabel('Value of variable 1').fill('300');
});

test('its server is followed through its stages to one real token', async () => {
  await page.getByRole('button', { name: 'Save and launch' }).click();
  await expect.poll(() => pathOf(page)).toMatch(/^\/servers\/./);
  const stages = page.getByRole('list', { name: 'Start-up stages' });
  await expect(stages.getByText('weights loading').first()).toBeVisible();
  await expect(page.getByRole('row', { name: /qwen3: Ready/ })).toBeVisible({ timeout: 60_000 });
  await expect(stages.locator('li[data-state="reached"]')).not.toHaveCount(0);
  await expect(stages.getByText('one real token')).toBeVisible();
  await expect(page.getByRole('log', { name: 'Log of qwen3' })).toContainText('KV cache size');
  await picture(page, 'server');
});

test('its speed is measured, then it is stopped', async () => {
  await page.getByRole('button', { name: 'Speed test' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Concurrent requests').fill('1, 2');
  await dialog.getByLabel('Tokens per response').fill('8');
  await dialog.getByRole('button', { name: 'Measure' }).click();
  await expect(dialog.getByRole('table', { name: 'Speed' }).getByRole('row')).toHaveCount(3, {
    timeout: 60_000,
  });
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Stop server' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop server' }).click();
  await expect(page.getByRole('row', { name: /qwen3: Stopped/ })).toBeVisible();
});

test('a server that had no room says why, and what to do', async () => {
  const environment = await makeVllmEnvironment(data.path);
  const launch = standInLaunch(environment, 'out-of-memory', {
    id: 'small',
    name: 'No room',
    model: 'too-large',
  });
  await page.evaluate(async (settings) => {
    await window.workbench.call('launch.save', settings);
  }, launch);
  await page.getByRole('link', { name: /^Launches/ }).click();
  await page.getByRole('button', { name: 'Launch No room' }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'memory' });
  await expect(alert).toContainText('CUDA out of memory', { timeout: 60_000 });
  await picture(page, 'server-trouble');
});

test('a key is kept by its name, and its value is never shown', async () => {
  await rail('Settings').click();
  await page.getByLabel('Name of the key').fill('lab-gateway');
  await page.getByLabel('Value of the key').fill('a-secret-value');
  await page.getByRole('button', { name: 'Add key' }).click();
  const store = await page.evaluate(() => window.workbench.call('secret.list', {}));
  if (store.ok && store.value.problem === null) {
    await expect(page.getByRole('list', { name: 'Keys' })).toContainText('lab-gateway');
    expect((await page.content()).includes('a-secret-value')).toBe(false);
  } else {
    // A bare machine has no key store: nothing is kept in its place, and the page says so.
    await expect(page.getByText('The key was not saved')).toBeVisible();
  }
});

test('the page complained of nothing', () => {
  expect(app.complaints).toEqual([]);
});
