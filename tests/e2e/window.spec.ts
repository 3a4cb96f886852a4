import { expect, test } from '@playwright/test';
import { type App, launchApp, temporaryData } from './support/app';

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
