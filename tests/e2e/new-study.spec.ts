import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { type App, chooseInDialogs, launchApp, temporaryData } from './support/app';
import { pathOf, picture } from './support/page';

/** Three problems of our own in HumanEval's format; two of them say in their docstring what they expect. */
const PROBLEMS = [
  {
    name: 'doubled',
    argument: 'number',
    says: 'Twice the number.',
    example: ['doubled(4)', '8'],
    body: 'number * 2',
  },
  {
    name: 'backwards',
    argument: 'text',
    says: 'The text from its end.',
    example: ["backwards('ab')", "'ba'"],
    body: 'text[::-1]',
  },
  {
    name: 'largest',
    argument: 'numbers',
    says: 'The largest of the numbers.',
    example: null,
    body: 'max(numbers)',
  },
] as const;
const CHECKS = [
  'assert candidate(0) == 0\n    assert candidate(-3) == -6',
  "assert candidate('') == ''\n    assert candidate('xyz') == 'zyx'",
  'assert candidate([3, 9, 2]) == 9\n    assert candidate([-4]) == -4',
];

const jsonLines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

const benchmarkFile = jsonLines(
  PROBLEMS.map(({ name, argument, says, example, body }, at) => ({
    task_id: `Small/${at}`,
    prompt: `def ${name}(${argument}):\n    """${says}\n${example === null ? '' : `    >>> ${example[0]}\n    ${example[1]}\n`}    """\n`,
    entry_point: name,
    canonical_solution: `    return ${body}\n`,
    test: `def check(candidate):\n    ${CHECKS[at]}\n`,
  })),
);
/** Four samples a problem, of which every second is right; the other recording has two and both are wrong. */
const goodFile = jsonLines(
  PROBLEMS.flatMap(({ body }, at) =>
    [0, 1, 2, 3].map((sample) => ({
      task_id: `Small/${at}`,
      completion: sample % 2 === 0 ? `    return ${body}\n` : '    return None\n',
    })),
  ),
);
const badFile = jsonLines(
  PROBLEMS.flatMap((_, at) =>
    [0, 1].map(() => ({ task_id: `Small/${at}`, completion: '    return None\n' })),
  ),
);

test.describe.configure({ mode: 'serial' });

let app: App;
let page: Page;
let data: Awaited<ReturnType<typeof temporaryData>>;

/** Chooses a new file of this text in the next dialog. */
async function chooseFile(name: string, text: string): Promise<void> {
  const path = join(data.path, name);
  await writeFile(path, text);
  await chooseInDialogs(app, path);
}

test.beforeAll(async () => {
  data = await temporaryData();
  app = await launchApp(join(data.path, 'data'));
  page = app.page;
});

test.afterAll(async () => {
  await app.close();
  await data.remove();
});

test('the menu opens the composer with Ctrl+N, which without a benchmark offers to import one', async () => {
  const accelerator = await app.inMain(({ Menu }) => {
    const item = Menu.getApplicationMenu()
      ?.items.flatMap((menu) => menu.submenu?.items ?? [])
      .find(({ label }) => label === 'New study');
    item?.click();
    return item?.accelerator;
  });
  expect(accelerator).toBe('CmdOrCtrl+N');
  await expect.poll(() => pathOf(page)).toBe('/studies/new');
  await expect(page.getByText('A study needs a benchmark')).toBeVisible();
  await chooseFile('small.jsonl', benchmarkFile);
  await page.getByRole('button', { name: 'Import benchmark' }).click();
  await expect(page.getByRole('form', { name: 'New study' })).toBeVisible();
});

test('recordings are imported from the composer and become its configurations', async () => {
  await expect(page.getByLabel('URL of agent 1 of configuration 1')).toBeVisible();
  for (const [name, text] of [
    ['careful.jsonl', goodFile],
    ['hasty.jsonl', badFile],
  ] as const) {
    await chooseFile(name, text);
    await page.getByRole('button', { name: 'Import recording' }).click();
    await expect(page.getByText(`Imported the recording ${name.replace('.jsonl', '')}`)).toBeVisible();
  }
  await expect(page.getByRole('textbox', { name: 'Name of configuration 3' })).toHaveAttribute(
    'placeholder',
    'careful + hasty',
  );
  await expect(page.getByLabel('Nodes per tree (N)')).toHaveValue('4');
  await picture(page, 'new-study');
});

test('what cannot be run is said where it is wrong, and nothing is created', async () => {
  await page.getByLabel('Nodes per tree (N)').fill('');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('A whole number from 1 to 100,000.')).toBeVisible();
  await expect(page.getByLabel('Nodes per tree (N)')).toBeFocused();
  expect(await pathOf(page)).toBe('/studies/new');
});

test('the draft outlives a look at another screen', async () => {
  await page.getByLabel('Nodes per tree (N)').fill('4');
  await page.getByRole('textbox', { name: 'Name of the study' }).fill('Careful against hasty');
  await page.getByRole('button', { name: 'Remove configuration 2' }).click();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Library' }).click();
  await page.getByRole('link', { name: 'New study over small' }).click();
  await expect(page.getByRole('textbox', { name: 'Name of the study' })).toHaveValue('Careful against hasty');
  await expect(page.getByRole('list', { name: 'Configurations' }).getByRole('listitem')).toHaveCount(2);
  await expect(page.getByRole('status', { name: 'Programs to write and grade' })).toContainText('24');
});

test('Ctrl+Enter runs the study, and its table compares the single agent with the team', async () => {
  await page.getByRole('textbox', { name: 'Name of the study' }).focus();
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => pathOf(page)).toMatch(/^\/studies\/\d{4}-/);
  await expect(page.getByRole('heading', { name: 'Careful against hasty' })).toBeVisible();
  await expect(page.getByText('Finished', { exact: true }).first()).toBeVisible({ timeout: 60_000 });
  const answer = await page.evaluate(async () => {
    const list = await window.workbench.call('study.list', {});
    return window.workbench.call('study.analysis', {
      studyId: list.ok ? (list.value[0]?.study.id ?? '') : '',
    });
  });
  if (!answer.ok) throw new Error(answer.error.message);
  // Four samples a problem, two of them right; the team has two of each agent and those of one are wrong.
  const passAt1 = answer.value.rows.map(({ configuration, cells }) => [
    configuration,
    cells.find(({ metric }) => metric === 'pass@1')?.value,
  ]);
  expect(passAt1).toEqual([
    ['careful', 0.5],
    ['careful + hasty', expect.any(Number)],
  ]);
  const comparison = page.getByRole('region', { name: 'Comparison' });
  await expect(comparison).toContainText('careful + hasty');
  await expect(comparison).toContainText('50.0');
  await picture(page, 'new-study-finished');
});

test('a finished study is extended from its menu, goes on at once, and says that it was', async () => {
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Extend…' }).click();
  await page.getByRole('textbox', { name: 'Seeds to add' }).fill('1');
  await expect(page.getByRole('alert')).toContainText('It has seed 1 already');
  await page.getByRole('textbox', { name: 'Seeds to add' }).fill('2');
  await expect(page.getByText(/^Adds 1 seed \(2\): at most/)).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('list', { name: 'Extension' })).toContainText('1 seed (2)');
  await expect(page.getByText('Finished', { exact: true }).first()).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('region', { name: 'Comparison' })).toContainText('after looking 2 times');
  await expect(page.getByRole('region', { name: 'Problems' })).toContainText('careful, seed 2');
  await picture(page, 'study-extended');
});

test('the next new study begins afresh', async () => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Studies' }).click();
  await page.getByRole('button', { name: 'New study' }).click();
  await expect(page.getByRole('textbox', { name: 'Name of the study' })).toHaveValue('');
});

test('the page complained about nothing', () => {
  expect(app.complaints).toEqual([]);
});
