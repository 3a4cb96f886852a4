import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { type App, chooseInDialogs, launchApp } from './support/app';
import { pathOf, picture } from './support/page';
import { temporaryPocketData } from './support/pocket-data';

test.describe.configure({ mode: 'serial' });

let app: App;
let page: Page;
let data: Awaited<ReturnType<typeof temporaryPocketData>>;

/** Two problems of our own in LiveCodeBench's form: one reads stdin, one is a function. */
const ROWS = [
  {
    question_title: 'Twice',
    question_content: 'Print twice the number.',
    platform: 'atcoder',
    question_id: 'own_a',
    contest_id: 'own',
    contest_date: '2025-01-05T00:00:00',
    starter_code: '',
    difficulty: 'easy',
    public_test_cases: JSON.stringify([{ input: '2\n', output: '4\n', testtype: 'stdin' }]),
    private_test_cases: JSON.stringify([{ input: '5\n', output: '10\n', testtype: 'stdin' }]),
    metadata: '{}',
  },
  {
    question_title: 'Sum',
    question_content: 'The sum of two numbers.',
    platform: 'leetcode',
    question_id: '9001',
    contest_id: 'own',
    contest_date: '2025-03-09T00:00:00',
    starter_code: 'class Solution:\n    def add(self, a: int, b: int) -> int:\n        ',
    difficulty: 'medium',
    public_test_cases: JSON.stringify([{ input: '1\n2', output: '3', testtype: 'functional' }]),
    private_test_cases: JSON.stringify([{ input: '4\n5', output: '9', testtype: 'functional' }]),
    metadata: JSON.stringify({ func_name: 'add' }),
  },
];

test.beforeAll(async () => {
  data = await temporaryPocketData({ rewardModel: true });
  app = await launchApp(data.dataDir);
  page = app.page;
});
test.afterAll(async () => {
  await app.close();
  await data.remove();
});

test('a strategy is chosen by its name, with a line that explains it', async () => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Studies' }).click();
  await page.getByRole('button', { name: 'New study' }).click();
  await page.getByLabel('Strategy', { exact: true }).first().click();
  await page.getByRole('option', { name: /^MARS²-T\+/ }).click();
  await expect(page.getByText('with error feedback, depth guidance').first()).toBeVisible();
  await page.getByRole('button', { name: 'Details of the strategy' }).click();
  await expect(page.getByLabel('Depth guidance').first()).toHaveValue('on');
  await expect(page.getByLabel('Refinement feedback').first()).toHaveValue(
    'first failure with input and error',
  );
  await expect(page.getByLabel('Reward model').first()).toHaveValue('pocket, trained here');
});

test('a row searches in its own way, and an agent has its own budget', async () => {
  await page.getByRole('button', { name: 'Remove configuration 3' }).click();
  await page.getByRole('button', { name: 'Remove configuration 2' }).click();
  await page.getByRole('button', { name: 'Duplicate configuration 1' }).click();
  await page.getByLabel('Strategy of configuration 2').first().click();
  await page.getByRole('option', { name: 'MARS²-T', exact: true }).click();
  await page.getByRole('button', { name: 'Add an agent to configuration 2' }).click();
  await page.getByRole('button', { name: 'Details of agent 2 of configuration 2' }).click();
  await page.getByLabel('Max nodes per tree of agent 2 of configuration 2').fill('2');
  await page.getByLabel('First problems').fill('3');
  await page.getByLabel('Nodes per tree (N)').fill('6');
  await page.getByLabel('Samples per agent').fill('2');
  await expect(page.getByRole('status', { name: 'Programs to write and grade' })).toContainText('54');
  await picture(page, 'ablation-composed');
});

test('the study runs, and every node says why it is there', async () => {
  await page.getByRole('button', { name: 'Create and run' }).click();
  await expect.poll(() => pathOf(page)).toMatch(/^\/studies\/\d{4}-/);
  await expect(page.getByText('Finished', { exact: true }).first()).toBeVisible({ timeout: 120_000 });
  const study = await pathOf(page);
  const list = await page.evaluate(() => window.workbench.call('study.list', {}));
  if (!list.ok) throw new Error(list.error.message);
  const view = list.value.find(({ study: one }) => study.endsWith(one.id));
  const run = view?.study.runs[1];
  if (view === undefined || run === undefined) throw new Error('The study is not listed');
  expect(run.team.agents.map(({ budget }) => budget?.nodes ?? null)).toEqual([null, 2]);
  const problem = encodeURIComponent(run.problemIds[0] ?? '');
  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, `#/studies/${view.study.id}/runs/${run.id}/problems/${problem}/nodes/1?part=search`);
  await page.getByRole('tab', { name: 'Why' }).click();
  await expect(page.getByRole('list', { name: 'Why node 1' })).toContainText('new program');
  await expect(page.getByRole('list', { name: 'Why node 1' })).toContainText('chosen');
  await picture(page, 'run-why');
});

test('the journals are verified and graded again from the window', async () => {
  const [, id] = /\/studies\/([^/]+)/.exec(await pathOf(page)) ?? [];
  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, `#/studies/${id}`);
  for (const [item, action, said] of [
    ['Verify the journals', 'Verify', 'The journals replay.'],
    ['Re-grade…', 'Grade again', 'Every verdict is the same.'],
  ] as const) {
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: item }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: action, exact: true }).click();
    await expect(dialog.getByText(said)).toBeVisible({ timeout: 60_000 });
    await dialog.getByRole('button', { name: 'Close' }).click();
  }
  const counts = page.getByLabel('Which grading counts', { exact: true });
  await expect(counts).toContainText('as first graded');
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Re-grade…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Use this grading' }).click();
  await expect(dialog.getByRole('button', { name: 'It counts' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(counts).toContainText('re-graded on');
});

test('Compare has exact tests, cost, and diversity when it is asked for', async () => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Compare' }).click();
  const parts = page.getByRole('navigation', { name: 'Parts of the comparison' });
  await parts.getByRole('link', { name: 'Differences' }).click();
  await expect(page.getByRole('table', { name: 'Differences of configurations' })).toContainText('no');
  await parts.getByRole('link', { name: 'Problems' }).click();
  await expect(page.getByRole('grid', { name: 'Who solves what' })).toBeVisible();
  await parts.getByRole('link', { name: 'Diversity and cost' }).click();
  await expect(page.getByRole('table', { name: 'Cost' })).toContainText('reader');
  await page.getByRole('button', { name: 'Measure', exact: true }).click();
  await expect(page.getByRole('table', { name: 'Diversity' })).toContainText('Vendi', { timeout: 60_000 });
  await picture(page, 'compare-ablation');
});

test('a LiveCodeBench file is imported within its days, and a problem is marked', async () => {
  const path = join(data.path, 'test6.jsonl');
  await writeFile(path, ROWS.map((row) => `${JSON.stringify(row)}\n`).join(''));
  await chooseInDialogs(app, path);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Library' }).click();
  await page.getByRole('button', { name: 'Import benchmark' }).click();
  await page.getByLabel('Contests from').fill('2025-02-01');
  await page.getByRole('button', { name: 'Choose a file' }).click();
  const table = page.getByRole('table', { name: 'Benchmarks' });
  await expect(table).toContainText('version v6');
  const row = table.getByRole('row').filter({ hasText: 'version v6' });
  await expect(row.getByRole('cell').nth(0)).toHaveText('1');
  await row
    .getByRole('link', { name: /LiveCodeBench/ })
    .first()
    .click();
  await page
    .getByRole('grid', { name: /^Problems of/ })
    .getByRole('row', { name: '9001' })
    .click();
  await expect(page.getByRole('region', { name: 'Problem' })).toContainText('public test');
  await page.getByRole('button', { name: 'Mark this problem' }).click();
  await page.getByLabel('Reason', { exact: true }).fill('checked by hand');
  await page.getByRole('button', { name: 'Mark', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Problem' })).toContainText('checked by hand');
  await page.getByRole('link', { name: 'Library' }).last().click();
  await expect(row).toContainText('1 problem marked, 1 excluded');
});

test('the page complained about nothing', () => {
  expect(app.complaints).toEqual([]);
});
