import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { type App, chooseInDialogs, launchApp, temporaryData } from './support/app';
import { pathOf, picture, snapshot } from './support/page';

test.describe.configure({ mode: 'serial' });

let app: App;
let page: Page;
let data: Awaited<ReturnType<typeof temporaryData>>;

test.beforeAll(async () => {
  data = await temporaryData();
  app = await launchApp(join(data.path, 'data'));
  page = app.page;
});

test.afterAll(async () => {
  await app.close();
  await data.remove();
});

test('the first screen has one obvious button and says what it will do', async () => {
  await expect(page.getByRole('button', { name: 'Run the quickstart study' })).toBeEnabled();
  await expect(page.getByRole('table', { name: 'Configurations of the quickstart study' })).toContainText(
    'heterogeneous',
  );
  await expect(page.getByText('Results go to')).toContainText('data');
  await picture(page, 'home-first');
});

test('empty screens say what belongs there', async () => {
  for (const [name, words] of [
    ['Studies', 'No studies yet'],
    ['Compare', 'Nothing to compare yet'],
    ['Servers', 'No servers'],
    ['Library', 'No benchmarks'],
    ['Settings', 'Theme'],
  ] as const) {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();
    await expect(page.getByText(words).first()).toBeVisible();
    await picture(page, `empty-${name.toLowerCase()}`);
  }
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click();
});

test('one press starts the study, and outcomes, curves and table grow while it runs', async () => {
  await page.getByRole('button', { name: 'Run the quickstart study' }).click();
  await expect.poll(() => pathOf(page)).toMatch(/^\/studies\//);
  await expect(page.getByRole('gridcell', { name: /: solved$/ }).first()).toBeVisible({ timeout: 120_000 });
  await expect(page.getByRole('status', { name: 'Progress in numbers' })).toContainText('left', {
    timeout: 60_000,
  });
  await picture(page, 'study-live');
});

test('a running study can be paused and resumed', async () => {
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible({ timeout: 60_000 });
  await picture(page, 'study-paused');
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible({ timeout: 60_000 });
});

test('a killed app continues with the study where it was', async () => {
  const before = await pathOf(page);
  await app.kill();
  app = await launchApp(join(data.path, 'data'));
  page = app.page;
  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, before);
  const numbers = page.getByRole('status', { name: 'Progress in numbers' });
  await expect(numbers).not.toContainText(/\b0 of/);
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible({ timeout: 60_000 });
});

test('the finished study shows four configurations with intervals and what can be said', async () => {
  test.setTimeout(900_000);
  await expect
    .poll(
      async () => {
        const list = await page.evaluate(() => window.workbench.call('study.list', {}));
        return list.ok ? list.value[0]?.state.kind : list.error.message;
      },
      { timeout: 800_000, intervals: [1_000] },
    )
    .not.toMatch(/running|preparing/);
  await expect(page.getByText('Finished', { exact: true }).first()).toBeVisible();
  const conclusions = page.getByRole('list', { name: 'What can be said' });
  await expect(conclusions.getByRole('listitem').first()).toContainText('made to complement each other');
  await expect(conclusions).toContainText('significantly more problems');
  await expect(conclusions).toContainText('80.0 % after a control without collaboration');
  await expect(conclusions).toContainText('Pocket scale');
  await expect(conclusions).toContainText('One seed per configuration');
  await picture(page, 'study-finished');
  const answer = await page.evaluate(async () => {
    const list = await window.workbench.call('study.list', {});
    const study = list.ok ? list.value[0]?.study.id : undefined;
    return window.workbench.call('study.analysis', { studyId: study ?? '' });
  });
  if (!answer.ok) throw new Error(answer.error.message);
  expect(answer.value.complete).toBe(true);
  expect(answer.value.rows.map((row) => row.configuration)).toEqual([
    'single',
    'single-tracer',
    'homogeneous',
    'heterogeneous',
  ]);
  for (const row of answer.value.rows) {
    for (const cell of row.cells) {
      expect(cell.problems).toBe(60);
      expect(cell.low).toBeLessThanOrEqual(cell.value);
      expect(cell.high).toBeGreaterThanOrEqual(cell.value);
    }
  }
});

test('a table and a figure go into one folder, the nodes into one file', async () => {
  await chooseInDialogs(app, data.path);
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await expect(dialog).toContainText('2 files.');
  await dialog.getByText('CSV', { exact: true }).click();
  await picture(page, 'export');
  await page.keyboard.press('Enter');
  const written = async (): Promise<string> => (await readdir(data.path)).join(' ');
  await expect.poll(written, { timeout: 60_000 }).toMatch(/\.pdf\.manifest\.json.*results\.csv/);
  expect(await readFile(join(data.path, 'results.csv'), 'utf8')).toContain(',heterogeneous,1,1,pocket,');
  await page.getByRole('button', { name: 'Close notice' }).first().click();
  await chooseInDialogs(app, join(data.path, 'nodes.csv'));
  await page.getByRole('button', { name: 'Export' }).click();
  await dialog.getByRole('button', { name: 'Every node as CSV…' }).click();
  await expect
    .poll(() => readFile(join(data.path, 'nodes.csv'), 'utf8').catch(() => ''))
    .toContain('configuration,seed,problem');
  await page.getByRole('button', { name: 'Close notice' }).first().click();
  const nodes = await readFile(join(data.path, 'nodes.csv'), 'utf8');
  expect(nodes.trimEnd().split('\n')).toHaveLength(1 + 2 * 60 * (24 + 10) + 2 * 60 * (24 + 20));
});

test('a square opens its tree; nodes show program, tests, prompt and difference', async () => {
  await page
    .getByRole('gridcell', { name: /^heterogeneous, .*: solved$/ })
    .first()
    .press('Enter');
  await expect.poll(() => pathOf(page)).toContain('/problems/');
  // The square is gone with its screen: the keyboard goes on in the new one.
  await expect(page.locator('main')).toBeFocused();
  await expect(page.getByRole('region', { name: 'Search tree' })).toBeVisible();
  const refined = page.getByRole('treeitem', { name: /refines/ }).first();
  await expect(refined).toBeAttached();
  await page.getByRole('tree', { name: 'Nodes of the search tree' }).focus();
  await page.keyboard.press('End');
  const inspector = page.getByRole('region', { name: 'Node inspector' });
  await expect(inspector.locator('.cm-content').first()).toContainText(/def solve|import sys|print/);
  await picture(page, 'run-tree');
  for (const tab of ['Tests', 'Changes', 'Prompt', 'Answer', 'Details', 'Program']) {
    await inspector.getByRole('tab', { name: tab }).click();
    if (tab === 'Tests') {
      await expect(inspector).toContainText('Public');
      await expect(inspector).toContainText('Private');
    }
    await snapshot(page, `inspector-${tab.toLowerCase()}`);
  }
});

test('the server logs can be read', async () => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Servers' }).click();
  await expect(page.getByText('pocket-reader-base').first()).toBeVisible();
  await page.getByText('pocket-reader-base').first().click();
  await expect(page.getByRole('log', { name: 'Log of pocket-reader-base' })).toContainText(/200|listening/i);
  await picture(page, 'servers');
});

test('the palette finds places by typing, and back returns', async () => {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search the palette' }).fill('settings');
  await snapshot(page, 'palette');
  await page.keyboard.press('Enter');
  await expect.poll(() => pathOf(page)).toBe('/settings');
  await picture(page, 'settings');
  await page.keyboard.press('Alt+ArrowLeft');
  await expect.poll(() => pathOf(page)).toMatch(/^\/servers/);
});

test('home afterwards shows the finished study', async () => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click();
  await expect(page.getByText('Quickstart').first()).toBeVisible();
  await picture(page, 'home-later');
});

test('the page complained about nothing', () => {
  expect(app.complaints).toEqual([]);
});
