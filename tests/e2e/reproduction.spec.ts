import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { tinyExhibit } from '../support/tiny-exhibit';
import { type App, launchApp } from './support/app';
import { runCli } from './support/cli';
import { pathOf, picture } from './support/page';
import { temporaryPocketData } from './support/pocket-data';

test.describe.configure({ mode: 'serial' });

let app: App;
let page: Page;
let data: Awaited<ReturnType<typeof temporaryPocketData>>;
const dataDir = (): string => data.dataDir;

test.beforeAll(async () => {
  data = await temporaryPocketData();
  app = await launchApp(dataDir());
  page = app.page;
});
test.afterAll(async () => {
  await app.close();
  await data.remove();
});

const rail = (name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });
const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const cell = (key: string) => page.locator(`[data-cell="${key}"]`);
const tiny = tinyExhibit();
const firstCell = `${tiny.cells[0]?.row}.${tiny.cells[0]?.column}`;
const RATE = /\d+\.\d/;

test('the exhibits of both papers are there, with the papers’ numbers before anything was measured', async () => {
  await rail('Exhibits').click();
  await expect(heading('Exhibits')).toBeVisible();
  await picture(page, 'exhibits-empty');
  await page.getByRole('link', { name: /Homo-MARS²$/ }).click();
  await expect(heading(/Homogeneous teams/)).toBeVisible();
  await expect(page.getByText('paper 50.3').first()).toBeVisible();
  await expect(page.getByRole('status', { name: 'Cost' })).toContainText(/train|search|min/i);
  await expect(page.getByRole('button', { name: 'Reproduce', exact: true })).toBeEnabled();
  await picture(page, 'exhibit-empty');
});

test('at paper scale the plan says what is missing without GPUs, and what to do', async () => {
  await page.getByRole('radiogroup', { name: 'Scale' }).getByText('Paper').click();
  const missing = page.getByRole('button', { name: /missing requirements?$/ });
  await expect(missing).toBeVisible();
  await missing.click();
  const list = page.getByRole('region', { name: 'What is missing' });
  await expect(list).toContainText(/GPU/);
  await expect(list).toContainText(/LiveCodeBench/);
  await expect(list.getByRole('link').first()).toBeVisible();
  await picture(page, 'exhibit-paper-plan');
  await page.keyboard.press('Escape');
});

test('a lab that has the paper enters a value, which says where it was read, and takes it back', async () => {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Enter values of the paper…' }).click();
  const form = page.getByRole('dialog', { name: 'Values of the paper' });
  await form.getByLabel('Value', { exact: true }).fill('74.3');
  await form.getByLabel('Page', { exact: true }).fill('7');
  await form.getByLabel('Table or figure', { exact: true }).fill('Table 3');
  await form.getByRole('button', { name: 'Enter value' }).click();
  await expect(form).toContainText('Entered by the lab from p. 7, Table 3');
  await picture(page, 'exhibit-entered');
  await form.getByRole('button', { name: /^Remove the value of/ }).click();
  await expect(form.getByRole('status')).toContainText('Removed 74.3');
  await page.keyboard.press('Escape');
  await expect(form).toBeHidden();
});

test('a lab writes its own exhibit; what is wrong in it is said with its place', async () => {
  await rail('Exhibits').click();
  await page.getByRole('button', { name: 'New exhibit' }).click();
  const file = page.getByLabel("The exhibit's file");
  await expect(file).toHaveValue(/"version": 1/);
  const text = JSON.stringify(tiny, null, 2);
  await file.fill(text.replace('"configuration": "base"', '"configuration": "nobody"'));
  await expect(page.getByRole('region', { name: 'Problems' })).toContainText('cells[0].configuration');
  await expect(page.getByRole('button', { name: 'Save exhibit' })).toBeDisabled();
  await picture(page, 'exhibit-editor');
  await file.fill(text);
  await expect(page.getByRole('button', { name: 'Save exhibit' })).toBeEnabled();
  await page.getByRole('button', { name: 'Save exhibit' }).click();
  await expect(heading(tiny.title)).toBeVisible();
});

test('one press trains, serves, searches and grades, and fills the table', async () => {
  const start = page.getByRole('button', { name: 'Reproduce', exact: true });
  await expect(start).toBeEnabled();
  await start.click();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await picture(page, 'exhibit-running');
});

test('the app is killed in the middle, and continues by itself', async () => {
  const path = await pathOf(page);
  await app.kill();
  app = await launchApp(dataDir());
  page = app.page;
  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, path);
  await expect(heading(tiny.title)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Reproduce again' })).toBeVisible({ timeout: 300_000 });
  for (const { row, column } of tiny.cells) await expect(cell(`${row}.${column}`)).toContainText(RATE);
  await expect(page.getByText(/pocket/i).first()).toBeVisible();
  await picture(page, 'exhibit-done');
});

test('a line of the chart leads to what it rests on, by its reading', async () => {
  const line = page.getByRole('figure').getByRole('button', { name: /weak, GRPO/ });
  await expect(line).toHaveAttribute('aria-pressed', 'false');
  await line.click();
  await expect(line).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('complementary').filter({ hasText: 'Based on' })).toContainText('Points');
  await line.click();
  await expect(line).toHaveAttribute('aria-pressed', 'false');
});

test('a cell leads to the trees behind it, and its steps and decisions can be read', async () => {
  await cell(firstCell).click();
  const detail = page.getByRole('complementary').filter({ hasText: 'Based on' });
  await expect(detail).toContainText('Not comparable with the paper');
  await page.getByRole('button', { name: 'Steps' }).click();
  await expect(page.getByRole('dialog')).toContainText(/Train/);
  await picture(page, 'exhibit-steps');
  await page.getByRole('dialog').getByText('Decisions').click();
  await expect(page.getByRole('dialog')).toContainText(/\d/);
  await page.keyboard.press('Escape');
  await detail
    .getByRole('link', { name: /seed 11/ })
    .first()
    .click();
  await expect(page.getByRole('region', { name: 'Replay' })).toBeVisible();
  await picture(page, 'replay');
});

test('pressed once more nothing is run again', async () => {
  await page.goBack();
  await expect(heading(tiny.title)).toBeVisible();
  const before = await page.evaluate(() => window.workbench.call('study.list', {}));
  await page.getByRole('button', { name: 'Reproduce again' }).click();
  await expect
    .poll(
      async () => {
        const list = await page.evaluate(() => window.workbench.call('reproduction.list', {}));
        return list.ok ? list.value.map(({ state }) => state.kind) : [];
      },
      { timeout: 60_000 },
    )
    .toEqual(['done', 'done']);
  const after = await page.evaluate(() => window.workbench.call('study.list', {}));
  if (!before.ok || !after.ok) throw new Error('The studies can not be listed.');
  expect(after.value.length).toBe(before.value.length);
});

/** Of the newest reproduction. */
async function reproductionId(): Promise<string> {
  const list = await page.evaluate(() => window.workbench.call('reproduction.list', {}));
  const id = list.ok ? list.value.at(-1)?.id : undefined;
  if (id === undefined) throw new Error('There is no reproduction.');
  return id;
}

async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((one) => one.isFile())
    .map((one) => relative(folder, join(one.parentPath, one.name)))
    .sort();
}

const cli = (...args: string[]) => runCli([...args, '--data', dataDir()]);

test('every table and figure leaves the tool in every format, the same bytes twice', async () => {
  const id = await reproductionId();
  const [one, two] = [join(data.path, 'one'), join(data.path, 'two')];
  for (const out of [one, two]) {
    const written = cli('export', id, '--format', 'all', '--out', out);
    expect(written.status, written.stderr).toBe(0);
  }
  const names = await filesIn(one);
  for (const ending of ['.csv', '.tex', '.md', '.json', '.svg', '.pdf', '.png'])
    expect(
      names.some((name) => name.endsWith(ending)),
      ending,
    ).toBe(true);
  expect(await filesIn(two)).toEqual(names);
  for (const name of names)
    expect(await readFile(join(two, name)), name).toEqual(await readFile(join(one, name)));
});

test('another lab opens the bundle in a fresh data folder, and its tables come out the same', async () => {
  const bundle = join(data.path, 'tiny.bundle');
  const written = cli('bundles', 'write', await reproductionId(), '--out', bundle);
  expect(written.status, written.stderr).toBe(0);
  const other = join(data.path, 'other');
  await mkdir(other);
  const opened = runCli(['bundles', 'open', bundle, '--json', '--data', other]);
  expect(opened.status, opened.stderr).toBe(0);
  expect(JSON.parse(opened.stdout)).toMatchObject({ differing: [] });
  await app.close();
  app = await launchApp(other);
  page = app.page;
  await rail('Exhibits').click();
  await page.getByRole('link', { name: tiny.title }).first().click();
  for (const { row, column } of tiny.cells) await expect(cell(`${row}.${column}`)).toContainText(RATE);
  // Its learning curve too, though the training did not come along.
  await expect(page.getByText('Pass@1 during training').first()).toBeVisible();
  await expect(page.getByText('No points measured yet.')).toBeHidden();
  await picture(page, 'exhibit-of-a-bundle');
  await rm(other, { recursive: true, force: true }).catch(() => undefined);
});

test('the page complained of nothing', () => {
  expect(app.complaints).toEqual([]);
});
