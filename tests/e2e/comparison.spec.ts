import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Locator, type Page, test } from '@playwright/test';
import type { StudyView } from '../../preload/contract/index';
import { type App, chooseInDialogs, launchApp } from './support/app';
import { runCli } from './support/cli';
import { pathOf, picture } from './support/page';
import { temporaryPocketData } from './support/pocket-data';
import { runStudy, untilFinished } from './support/studies';

// Runs of two studies side by side: numbers, sentences, who solves what, colours, replay, notes, exports.

test.describe.configure({ mode: 'serial' });

let app: App;
let page: Page;
let data: Awaited<ReturnType<typeof temporaryPocketData>>;
let studies: StudyView[] = [];
const dataDir = (): string => data.dataDir;

/** A quickstart, and a study of its benchmark that has one configuration in common with it. */
test.beforeAll(async () => {
  test.setTimeout(300_000);
  data = await temporaryPocketData();
  app = await launchApp(dataDir());
  page = app.page;
  const first = await page.evaluate(() =>
    window.workbench.call('quickstart.start', { problems: 6, nodes: 8 }),
  );
  if (!first.ok) throw new Error(first.error.message);
  await untilFinished(page, first.value.studyId);
  const rows = [
    { configuration: 'weak alone', team: ['weak'] },
    { configuration: 'heterogeneous', team: ['reader', 'weak'] },
  ] as const;
  await runStudy(page, { name: 'Second', problems: 6, nodes: 8, samples: 2, rows });
  const list = await page.evaluate(() => window.workbench.call('study.list', {}));
  if (!list.ok) throw new Error(list.error.message);
  studies = list.value;
});
test.afterAll(async () => {
  await app.close();
  await data.remove();
});

const study = (name: string): StudyView => {
  const found = studies.find((view) => view.study.name === name);
  if (found === undefined) throw new Error(`There is no study ${name}`);
  return found;
};
const runOf = (name: string, configuration: string) => {
  const found = study(name).study.runs.find((run) => run.configuration === configuration);
  if (found === undefined) throw new Error(`There is no run of ${configuration}`);
  return found;
};
const go = (path: string): Promise<void> =>
  page.evaluate((hash) => {
    window.location.hash = hash;
  }, path);
const tab = (name: string): Locator =>
  page.getByRole('navigation', { name: 'Parts of the comparison' }).getByRole('link', { name });
const region = (name: string): Locator => page.getByRole('region', { name, exact: true });

test('studies are ticked in the list and compared: values with intervals, tests, and what can be said', async () => {
  await go('/studies');
  for (const name of ['Quickstart', 'Second'])
    await page.getByRole('checkbox', { name: new RegExp(name) }).check();
  await page.getByRole('button', { name: 'Compare 2 studies' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Compare' })).toBeVisible();
  const table = page.getByRole('table').first();
  await expect(table).toContainText('weak alone', { timeout: 60_000 });
  // Both studies have one of this name, and they are different teams.
  await expect(table).toContainText('heterogeneous (Quickstart)');
  await expect(table).toContainText('heterogeneous (Second)');
  await expect(page.getByRole('list', { name: 'What can be said' })).toContainText(
    /of 15 pairs of configurations differ significantly after Holm/,
  );
  const curves = page.locator('figure').filter({ hasText: 'Pass@N' }).getByRole('listitem');
  await expect(curves).toHaveCount(6);
  for (const name of [
    'single-tracer',
    'weak alone',
    'heterogeneous (Quickstart)',
    'heterogeneous (Second)',
  ]) {
    const row = table.getByRole('rowheader').filter({ hasText: name });
    expect(await colourAt(curves.filter({ hasText: name })), name).toBe(await colourAt(row));
  }
  await picture(page, 'compare-two-studies');
  await tab('Differences').click();
  const pairs = page.getByRole('table', { name: 'Differences of configurations' });
  // Fifteen pairs are listed by one metric at a time.
  await expect(pairs.getByRole('row')).toHaveCount(1 + 15);
  await expect(pairs).toContainText('1.00');
  await tab('Settings').click();
  await expect(page.getByRole('table', { name: 'Settings that differ' }).first()).toBeVisible();
});

test('agents, depth and width, diversity and cost are parts of the same comparison', async () => {
  await tab('Agents').click();
  await expect(page.getByRole('table', { name: /^Agents of heterogeneous \(Second\)/ })).toBeVisible();
  await expect(page.getByRole('table', { name: /^Who refines whom in / }).first()).toBeVisible();
  await expect(page.getByRole('table', { name: 'Depth and width of the trees' })).toContainText('weak alone');
  await tab('Diversity and cost').click();
  await expect(page.getByRole('table', { name: 'Cost' })).toContainText('weak alone');
});

test('a press on a square leads to both trees of that problem, and so does the keyboard', async () => {
  await go(`/compare/${study('Quickstart').study.id}?view=problems`);
  const matrix = page.getByRole('grid', { name: /^Who solves what/ });
  await expect(matrix).toBeVisible({ timeout: 60_000 });
  const order = page.getByRole('combobox', { name: 'Order of the problems' });
  await order.focus();
  await page.keyboard.press('ArrowDown');
  // The arrows go on from what is chosen.
  const active = await order.getAttribute('aria-activedescendant');
  await expect(page.locator(`[id="${active}"]`)).toHaveText('Most solved first');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(order).toHaveValue("The benchmark's order");
  await matrix.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  const [, , third] = runOf('Quickstart', 'single').problemIds;
  await page.keyboard.press('Enter');
  await expect(region('Replay')).toBeVisible();
  const path = await pathOf(page);
  expect(path).toContain(encodeURIComponent(runOf('Quickstart', 'single').id));
  expect(path).toContain(encodeURIComponent(third ?? ''));
  // Beside the first stands the last.
  expect(path).toContain(`beside=${encodeURIComponent(runOf('Quickstart', 'heterogeneous').id)}`);
  await expect(page.getByRole('tree')).toHaveCount(2);
  await picture(page, 'two-trees');

  await page.goBack();
  const squares = matrix.locator('canvas');
  await expect(squares).toBeVisible();
  await expect(order).toHaveValue("The benchmark's order");
  await squares.click({ position: { x: 4, y: 40 } });
  await expect
    .poll(() => pathOf(page))
    .toContain(`runs/${encodeURIComponent(runOf('Quickstart', 'single').id)}`);
  expect(await pathOf(page)).toContain('beside=');
});

test('a replay shows the tree and the best so far as they were', async () => {
  const run = runOf('Quickstart', 'heterogeneous');
  const [problem = ''] = run.problemIds;
  const path = join(dataDir(), 'studies', study('Quickstart').study.id, `${run.id}.jsonl`);
  const nodes = (await readFile(path, 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { kind: string; problemId?: string; part?: string; score?: number })
    .filter(
      ({ kind, problemId, part }) => kind === 'node-added' && problemId === problem && part === 'search',
    );
  const scores = nodes.slice(0, 5).map(({ score = Number.NaN }) => score);
  const best = Math.max(...scores);
  await go(
    `/studies/${study('Quickstart').study.id}/runs/${run.id}/problems/${encodeURIComponent(problem)}?part=search&moment=5`,
  );
  const replay = region('Replay');
  await expect(replay).toContainText('5 of 8');
  const chosen = run.search.tie === 'latest' ? scores.lastIndexOf(best) : scores.indexOf(best);
  await expect(replay).toContainText(`best #${chosen} ${best.toFixed(2)}`);
  await expect(page.getByRole('treeitem')).toHaveCount(5);
  await page.getByRole('button', { name: /One node back/ }).click();
  await expect(replay).toContainText('4 of 8');
  // On a button the space bar presses it.
  await page.getByRole('tree').focus();
  await page.keyboard.press('Space');
  await expect(replay).toContainText('8 of 8');
});

test('however long a key is held, tree, inspector and address stay together', async () => {
  const run = runOf('Quickstart', 'heterogeneous');
  const [problem = ''] = run.problemIds;
  const path = `/studies/${study('Quickstart').study.id}/runs/${run.id}/problems/${encodeURIComponent(problem)}`;
  await go(`${path}?part=search`);
  await page.getByRole('tree').focus();
  // Chromium listens to 200 changes of an address in ten seconds, and then to none. The page presses by itself: through
  // the test's connection so many presses take longer than that on a busy machine.
  await page.getByRole('tree').evaluate(async (tree) => {
    for (let press = 0; press < 300; press++) {
      const key = press % 2 === 0 ? 'Home' : 'End';
      tree.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      await new Promise((done) => setTimeout(done));
    }
  });
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  const [chosen] = await page.getByRole('treeitem', { selected: true }).all();
  const index = (await chosen?.getAttribute('id'))?.split('-').at(-1);
  await expect(page.getByRole('region', { name: 'Node inspector' })).toContainText(`Node ${index}`);
  await expect.poll(() => pathOf(page)).toContain(`/nodes/${index}?`);
  await go('/studies');
  await expect(page.getByRole('heading', { level: 1, name: 'Studies' })).toBeVisible();
});

test('notes and tags are written, filtered by, and there after a restart, as is the filter', async () => {
  await go(`/studies/${study('Second').study.id}`);
  await page.getByRole('button', { name: 'Add a note or tags' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Note').fill('Does a weak member hurt?');
  await dialog.getByLabel('Tags').fill('ablation');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Does a weak member hurt?')).toBeVisible();
  await go('/studies');
  await page.getByRole('combobox', { name: 'Tag' }).click();
  await page.getByRole('option', { name: 'ablation' }).click();
  const table = page.getByRole('grid');
  await expect(table).toContainText('Second');
  await expect(table).not.toContainText('Quickstart');
  await app.close();
  app = await launchApp(dataDir());
  page = app.page;
  await go('/studies');
  await expect(page.getByRole('grid')).not.toContainText('Quickstart');
  await expect(page.getByRole('combobox', { name: 'Tag' })).toHaveValue('ablation');
  await page.getByRole('combobox', { name: 'Tag' }).click();
  await page.getByRole('option', { name: 'Any tag' }).click();
  await expect(page.getByRole('grid')).toContainText('Quickstart');
});

/** The colour of the mark before a name, as the page has computed it. */
const colourAt = (element: Locator): Promise<string> =>
  element
    .locator('i')
    .first()
    .evaluate((mark) => getComputedStyle(mark).backgroundColor);

test('a configuration has one colour: in both studies, in the comparison and in the figure that leaves the tool', async () => {
  await page.evaluate(() => window.workbench.call('settings.change', { theme: 'light' }));
  const seen: string[] = [];
  for (const name of ['Quickstart', 'Second']) {
    await go(`/studies/${study(name).study.id}`);
    const row = page
      .getByRole('table', { name: 'Comparison of configurations' })
      .getByRole('rowheader', { name: /^heterogeneous/ });
    await expect(row).toBeVisible({ timeout: 60_000 });
    seen.push(await colourAt(row));
  }
  await go(`/compare/${study('Second').study.id}`);
  const row = page.getByRole('rowheader', { name: /^heterogeneous/ }).first();
  await expect(row).toBeVisible({ timeout: 60_000 });
  seen.push(await colourAt(row));
  expect(new Set(seen).size).toBe(1);
  const hex = `#${(seen[0]?.match(/\d+/g) ?? []).map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
  const out = join(data.path, 'figures');
  const written = runCli([
    'export',
    study('Second').study.id,
    '--format',
    'all',
    '--out',
    out,
    '--data',
    dataDir(),
  ]);
  expect(written.status, written.stderr).toBe(0);
  const figure = await readFile(join(out, 'figures', 'results-bars.one-column.svg'), 'utf8');
  expect(figure).toContain(hex);

  // From the window the same bytes, where a person wants them.
  const path = join(data.path, 'chosen.svg');
  await chooseInDialogs(app, path);
  await go(`/studies/${study('Second').study.id}`);
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });
  for (const all of ['Tables', 'Figures']) {
    await dialog.getByRole('checkbox', { name: all }).check();
    await dialog.getByRole('checkbox', { name: all }).uncheck();
  }
  await dialog.getByRole('checkbox', { name: 'Results by configuration' }).last().check();
  await dialog.getByText('SVG', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Export…' }).click();
  await expect.poll(() => readFile(path, 'utf8').catch(() => ''), { timeout: 60_000 }).toBe(figure);
});

test('the page complained of nothing', () => {
  expect(app.complaints).toEqual([]);
});
