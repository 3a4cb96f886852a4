import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { healthyCard, nvidiaStandIn } from '../support/nvidia-stand-in';
import { standInMarti } from '../support/training-bench';
import { type App, chooseInDialogs, launchApp } from './support/app';
import { pathOf, picture } from './support/page';
import { temporaryPocketData } from './support/pocket-data';

test.describe.configure({ mode: 'serial' });

let app: App;
let page: Page;
let data: Awaited<ReturnType<typeof temporaryPocketData>>;

test.beforeAll(async () => {
  data = await temporaryPocketData();
  const tools = join(data.path, 'tools');
  await mkdir(tools);
  const standIn = (name: string, body: string) =>
    writeFile(join(tools, name), `#!/bin/sh\n# A stand-in for ${name}.\n${body}\n`, { mode: 0o755 });
  await nvidiaStandIn(
    { tools, standIn },
    [0, 1, 2, 3].map((index) => healthyCard(index)),
  );
  app = await launchApp(data.dataDir, { PATH: `${tools}:${process.env.PATH}` });
  page = app.page;
});

test.afterAll(async () => {
  // What a failed test left running would outlive the app: that is what jobs are for.
  await page
    .evaluate(async () => {
      const jobs = await window.workbench.call('job.list', {});
      if (!jobs.ok) return;
      for (const { id, state } of jobs.value) {
        if (state.kind === 'running') await window.workbench.call('job.stop', { jobId: id });
      }
    })
    .catch(() => null);
  await app.close();
  await data.remove();
});

const rail = (name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });
const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const field = (section: string, label: string) =>
  page.getByRole('region', { name: section, exact: true }).getByLabel(label, { exact: true });
const tab = async (name: RegExp): Promise<void> => {
  await page.getByRole('navigation', { name: 'Parts of the training' }).getByRole('link', { name }).click();
};

/** Settles when the training at this address has ended well. */
async function trained(): Promise<void> {
  await expect(page.getByText('Done', { exact: true }).first()).toBeVisible({ timeout: 120_000 });
}

test('a small team is ordered: two families that learn in shared trees', async () => {
  await rail('Training').click();
  await expect(page.getByText('No trainings yet')).toBeVisible();
  await picture(page, 'trainings-empty');
  await page.getByRole('button', { name: 'Train a pocket team' }).click();
  await expect(heading('New training')).toBeVisible();
  await picture(page, 'training-form');
  await page.getByLabel('Name', { exact: true }).fill('Two families');
  await field('Size', 'Updates of each agent').fill('30');
  await field('Size', 'Samples of an update').fill('32');
  await field('Size', 'Problems').fill('40');
  await field('Size', 'A checkpoint every').fill('10');
  await field('Evaluation at the end', 'Problems').fill('8');
  await field('Evaluation at the end', 'Nodes of a tree N').fill('8');
  await page.getByRole('button', { name: 'Start training' }).click();
  await expect(heading('Two families')).toBeVisible();
});

test('its curves grow while it learns, one an agent', async () => {
  await expect(page.getByText(/^update \d+ of 30$/)).toBeVisible({ timeout: 60_000 });
  await picture(page, 'training-running');
  await trained();
  await expect(page.getByText('update 30 of 30')).toBeVisible();
  const reward = page.getByRole('figure', { name: 'Reward', exact: true });
  await expect(reward.getByRole('listitem', { name: /^reader: / })).toBeVisible();
  await expect(reward.getByRole('listitem', { name: /^tracer: / })).toBeVisible();
  await picture(page, 'training-curves');
});

test('its rollouts, its evaluation and what was ordered can be read', async () => {
  await tab(/^Rollouts/);
  await picture(page, 'training-rollouts');
  await tab(/^Evaluation/);
  await picture(page, 'training-evaluation');
  await tab(/^Log/);
  await picture(page, 'training-log');
  await tab(/^Settings/);
  await picture(page, 'training-order');
});

test('a checkpoint is served, and answers one real token', async () => {
  await tab(/^Checkpoints/);
  await picture(page, 'training-checkpoints');
  await page
    .getByRole('row', { name: /reader-000030/ })
    .getByRole('button', { name: 'Serve' })
    .click();
  await expect.poll(() => pathOf(page)).toMatch(/^\/servers\/./);
  await expect(page.getByText('Ready').first()).toBeVisible({ timeout: 60_000 });
});

test('the last checkpoints are evaluated as a study: each alone, and as a team', async () => {
  await page.goBack();
  await expect(heading('Two families')).toBeVisible();
  await page.getByRole('button', { name: 'Evaluate the last of every agent' }).click();
  const dialog = page.getByRole('dialog', { name: 'Evaluate checkpoints' });
  await picture(page, 'training-evaluate');
  await dialog.getByLabel('Problems', { exact: true }).fill('4');
  await dialog.getByLabel('Nodes per tree (N)').fill('6');
  await dialog.getByLabel('Samples per agent').fill('2');
  await dialog.getByLabel('Name of the study').fill('What they learned');
  await dialog.getByRole('button', { name: 'Run study' }).click();
  await expect(heading('What they learned')).toBeVisible();
  await expect(page.getByText('Finished').first()).toBeVisible({ timeout: 120_000 });
  await picture(page, 'training-study');
});

test('an experiment compares methods over seeds and ends in a table with intervals', async () => {
  await rail('Training').click();
  await picture(page, 'trainings');
  await page.getByRole('link', { name: 'Experiments' }).click();
  await expect(page.getByText('No experiments yet')).toBeVisible();
  await page.evaluate(() => {
    window.location.hash = '#/experiments/new?preset=tiny';
  });
  await expect(heading('New experiment')).toBeVisible();
  await picture(page, 'experiment-form');
  await page.getByRole('button', { name: 'Start experiment' }).click();
  await expect(heading('Tiny, to try it out')).toBeVisible();
  await picture(page, 'experiment-running');
  await expect(page.getByText('Done', { exact: true }).first()).toBeVisible({ timeout: 240_000 });
  const sentence = page.getByText(/^Training samples without a gradient, because/);
  await expect(sentence).toBeHidden();
  await page.getByText(/Training samples without a gradient: \d/).click();
  await expect(sentence).toBeVisible();
  await expect(page.getByText(/is not finished/)).toHaveCount(0);
  await picture(page, 'experiment');
  const path = join(data.path, 'cells.csv');
  await chooseInDialogs(app, path);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('button', { name: 'All values as CSV…' }).click();
  await expect.poll(() => readFile(path, 'utf8').catch(() => '')).toMatch(/pass@1.*pocket/);
});

test('MARTI is composed with its exact command in sight', async () => {
  const marti = await standInMarti(join(data.path, 'lab'));
  await rail('Training').click();
  await page.getByRole('link', { name: 'Trainings' }).click();
  await page.getByRole('button', { name: 'New training' }).click();
  await page.getByText('MARTI', { exact: true }).click();
  await page.getByLabel('Name', { exact: true }).fill('Two language models');
  for (const agent of [0, 1])
    await page.getByRole('combobox', { name: `Model of agent ${agent}`, exact: true }).fill(marti.model);
  const region = page.getByRole('region', { name: 'On the machine' }).first();
  await region.getByLabel('MARTI repository').fill(marti.checkout);
  await region.getByLabel('Data', { exact: true }).fill(marti.data);
  await region.getByLabel('Output', { exact: true }).fill(marti.output);
  await page.getByRole('button', { name: 'Add a variable' }).click();
  await page.getByLabel('Name of variable 1').fill('PYTHONPATH');
  await page.getByLabel('Value of variable 1').fill(marti.packages);
  await page.getByRole('button', { name: 'Add a variable' }).click();
  await page.getByLabel('Name of variable 2').fill('STAND_IN_ARGUMENTS');
  // In the folder where it runs, which each training has of its own.
  await page.getByLabel('Value of variable 2').fill('arguments.json');
  await expect(page.getByText('examples.mars2.multi_agent_train_ppo_ray')).toBeVisible();
  await page.getByRole('button', { name: 'Check machine' }).click();
  await expect(page.getByText(/^Packages of MARTI: All/)).toBeVisible({ timeout: 60_000 });
  await field('Several values and seeds', 'Seeds').fill('1-2');
  await expect(page.getByText(/^A table compares the evaluations that they log/)).toBeVisible();
  await picture(page, 'marti-form');
});

test('a stand-in of MARTI runs with two seeds on its GPUs, and is watched by its event files and its log', async () => {
  await page.getByRole('button', { name: 'Start 2 trainings' }).click();
  for (const seed of [1, 2]) {
    if (seed === 2) await rail('Training').click();
    await page
      .getByRole('row', { name: new RegExp(`^Two language models, seed ${seed}:`) })
      .click({ timeout: 60_000 });
    await expect(heading(`Two language models, seed ${seed}`)).toBeVisible();
    await trained();
    const path = join(data.path, 'lab', 'output of it', `seed-${seed}`, 'code', 'arguments.json');
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ seed });
  }
  const reward = page.getByRole('figure', { name: 'Reward', exact: true });
  for (const agent of ['model (0)', 'model (1)']) {
    await expect(reward.getByRole('listitem', { name: agent })).toBeVisible();
  }
  await picture(page, 'marti-curves');
  await tab(/^Checkpoints/);
  await expect(page.getByText('global_step6_hf').first()).toBeVisible();
  await picture(page, 'marti-checkpoints');
});
