import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { hasSshd } from '../support/sshd';
import { makeVllmEnvironment, standInLaunch } from '../support/vllm-environment';
import { type App, launchApp, temporaryData } from './support/app';
import { type Lab, startLab } from './support/lab';
import { picture } from './support/page';

test.skip(!hasSshd, 'openssh-server is not installed');
test.describe.configure({ mode: 'serial' });

let lab: Lab;
let app: App;
let page: Page;
let data: Awaited<ReturnType<typeof temporaryData>>;

test.beforeAll(async () => {
  lab = await startLab();
  data = await temporaryData();
  app = await launchApp(join(data.path, 'data'), lab.env);
  page = app.page;
  const added = await page.evaluate(async () => {
    const machine = { kind: 'ssh', id: 'lab', name: 'Lab', host: 'lab' } as const;
    return window.workbench.call('machine.add', machine);
  });
  expect(added.ok).toBe(true);
  await page.evaluate(() => window.workbench.call('machine.connect', { machineId: 'lab' }));
});

test.afterAll(async () => {
  await lab.sshd.up();
  await page.evaluate(async () => {
    const listed = await window.workbench.call('job.list', {});
    if (!listed.ok) return;
    for (const { id, state } of listed.value) {
      if (state.kind !== 'exited' && state.kind !== 'lost')
        await window.workbench.call('job.stop', { jobId: id });
    }
  });
  await app.close();
  await lab.stop();
  await data.remove();
});

const go = (path: string) =>
  page.evaluate((hash) => {
    window.location.hash = hash;
  }, `#${path}`);
const state = (text: string | RegExp) => page.locator('header').getByText(text);

test('a job on another machine is started and followed over ssh', async () => {
  await go('/jobs/new?machine=lab');
  await expect(page.getByRole('combobox', { name: 'Machine' })).toHaveValue('Lab');
  await page.getByLabel('Name', { exact: true }).fill('Far away');
  await page
    .getByLabel('Command', { exact: true })
    .fill('n=0; while :; do n=$((n+1)); echo "line $n"; sleep 0.1; done');
  await page.getByRole('button', { name: 'Start job' }).click();
  await expect(state('Running')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('log', { name: 'Output of Far away' })).toContainText('line 9');
});

test('when the machine does not answer it is unknown, not failed; then it continues with every line', async () => {
  await lab.sshd.down();
  await expect(state(/^Unknown since \d\d:\d\d$/)).toBeVisible({ timeout: 90_000 });
  await expect(page.getByText('the state of the job is unknown')).toBeVisible();
  await picture(page, 'job-unknown');
  await lab.sshd.up();
  await page.getByRole('button', { name: 'Connect' }).click();
  await expect(state('Running')).toBeVisible({ timeout: 90_000 });
  const listed = await page.evaluate(() => window.workbench.call('job.list', {}));
  const jobId = listed.ok ? (listed.value[0]?.id ?? '') : '';
  const piece = await page.evaluate(
    (id) => window.workbench.call('job.readLog', { jobId: id, offset: 0, maxBytes: 1_048_576 }),
    jobId,
  );
  const lines = piece.ok ? piece.value.text.split('\n').slice(0, -1) : [];
  expect(lines.length).toBeGreaterThan(9);
  expect(lines).toEqual(lines.map((_, at) => `line ${at + 1}`));
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop job' }).click();
  await expect(state('Stopped')).toBeVisible({ timeout: 60_000 });
});

test('a model server there is forwarded to this computer and answers one real token', async () => {
  const environment = await makeVllmEnvironment(data.path);
  const launch = standInLaunch(environment, '', {
    id: 'far',
    name: 'Far model',
    machineId: 'lab',
    model: 'qwen3',
  });
  await page.evaluate((payload) => window.workbench.call('launch.save', payload), launch);
  await go('/launches');
  await page.getByRole('button', { name: 'Launch Far model' }).click();
  await expect(page.getByRole('row', { name: /qwen3: Ready/ })).toBeVisible({ timeout: 90_000 });
  await expect(page.getByText(/^http:\/\/127\.0\.0\.1:\d+\/v1$/)).toBeVisible();
  await expect(
    page.getByRole('list', { name: 'Start-up stages' }).locator('li[data-state="reached"]'),
  ).not.toHaveCount(0);
  await page.getByRole('button', { name: 'Stop server' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop server' }).click();
  await expect(page.getByRole('row', { name: /qwen3: Stopped/ })).toBeVisible({ timeout: 60_000 });
});
