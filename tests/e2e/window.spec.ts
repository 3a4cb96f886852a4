import { readFile, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { type App, chooseInDialogs, launchApp, temporaryData } from './support/app';

test.describe.configure({ mode: 'serial' });

let app: App;
let data: Awaited<ReturnType<typeof temporaryData>>;

test.beforeAll(async () => {
  data = await temporaryData();
  app = await launchApp(data.path);
});
test.afterAll(async () => {
  await app.close();
  await data.remove();
});

const scheme = () => app.page.locator('html');
const PLACE = { x: 40, y: 60, width: 1111, height: 777 };

test('ordinary users keep Chromium’s own sandbox; only root runs without it, with a warning', async () => {
  const off = await app.inMain(({ app: electron }) => electron.commandLine.hasSwitch('no-sandbox'));
  expect(off).toBe(process.getuid?.() === 0);
  await expect(app.page.getByRole('contentinfo', { name: 'Status' }).getByText('Runs as root')).toHaveCount(
    off ? 1 : 0,
  );
});

test('the window draws in the font that it ships', async () => {
  const loaded = await app.page.evaluate(async () => {
    await document.fonts.ready;
    return [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family);
  });
  expect(loaded.join()).toContain('Source Sans 3');
});

test('the native menu leads to the screens', async () => {
  for (const [label, path] of [
    ['Library', '/library'],
    ['Studies', '/studies'],
    ['Settings', '/settings'],
  ] as const) {
    await app.inMain(({ Menu, BrowserWindow }, wanted) => {
      const items = Menu.getApplicationMenu()?.items.flatMap((item) => item.submenu?.items ?? []) ?? [];
      items.find((item) => item.label === wanted)?.click(undefined, BrowserWindow.getAllWindows()[0]);
    }, label);
    await expect.poll(() => app.page.evaluate(() => window.location.hash)).toBe(`#${path}`);
  }
});

test('Ctrl+K opens the palette from a text field too, and leaves its text', async () => {
  const field = app.page.getByRole('textbox').first();
  const before = await field.inputValue();
  await field.focus();
  await app.page.keyboard.press('Control+k');
  const search = app.page.getByRole('combobox', { name: 'Search the palette' });
  await expect(search).toBeFocused();
  await app.page.keyboard.type('report');
  await expect(search).toHaveValue('report');
  await app.page.keyboard.press('Escape');
  await expect(field).toHaveValue(before);
});

test('Help > Report a problem shows the text, saves just that for this user, and needs no mouse', async () => {
  const path = join(data.path, 'problem.txt');
  await chooseInDialogs(app, path);
  await app.inMain(({ Menu, BrowserWindow }) => {
    const items = Menu.getApplicationMenu()?.items.flatMap((item) => item.submenu?.items ?? []) ?? [];
    const report = items.find(({ label }) => label.includes('Report a problem'));
    report?.click(undefined, BrowserWindow.getAllWindows()[0]);
  });
  const dialog = app.page.getByRole('dialog', { name: 'Report a problem' });
  await expect(dialog.getByLabel('What you did, and what happened')).toBeFocused();
  await app.page.keyboard.type(`I am on ${hostname()} with hf_abcdefghijkl.`);
  const text = dialog.getByRole('region', { name: 'The text of the file' });
  await expect(text).toContainText('with •••');
  await dialog.getByLabel('Doctor').press('Space');
  const save = dialog.getByRole('button', { name: 'Save as…' });
  await expect(save).toBeEnabled();
  await expect(text).toContainText(/Electron: \d+/);
  await expect(text).toContainText('Not included: Doctor.');
  const shown = await text.locator('pre').textContent();
  await save.press('Enter');
  await expect(dialog).toHaveCount(0);
  expect(await readFile(path, 'utf8')).toBe(shown);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(shown).not.toContain('abcdefghijkl');
  expect(shown).not.toContain(data.path);
});

test('the theme follows the system until one is chosen', async () => {
  for (const colorScheme of ['dark', 'light'] as const) {
    await app.page.emulateMedia({ colorScheme });
    await expect(scheme()).toHaveAttribute('data-mantine-color-scheme', colorScheme);
  }
  await app.page.goto('workbench://app/index.html#/settings');
  await app.page.getByRole('radiogroup', { name: 'Theme' }).getByText('Dark').click();
  await expect(scheme()).toHaveAttribute('data-mantine-color-scheme', 'dark');
});

test('the window comes back where it was, in the theme that was chosen', async () => {
  await app.inMain(({ BrowserWindow }, bounds) => {
    BrowserWindow.getAllWindows()[0]?.setBounds(bounds);
  }, PLACE);
  await app.page.waitForTimeout(800); // the place is remembered when the window has come to rest
  await app.close();
  app = await launchApp(data.path);
  // A question to main can be lost while it starts ("promise was garbage collected"): it is asked again.
  const bounds = () =>
    app.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds()).catch(() => null);
  await expect.poll(bounds).toEqual(PLACE);
  await expect(scheme()).toHaveAttribute('data-mantine-color-scheme', 'dark');
});
