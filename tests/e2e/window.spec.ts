import { expect, test } from '@playwright/test';
import { type App, launchApp, temporaryData } from './support/app';

async function withApps(work: (launch: () => Promise<App>) => Promise<void>): Promise<void> {
  const data = await temporaryData();
  let open: App | null = null;
  try {
    await work(async () => {
      await open?.close();
      open = await launchApp(data.path);
      return open;
    });
  } finally {
    await (open as App | null)?.close();
    await data.remove();
  }
}

test('the window comes back where it was', () =>
  withApps(async (launch) => {
    const first = await launch();
    const place = { x: 40, y: 60, width: 1111, height: 777 };
    await first.inMain(({ BrowserWindow }, bounds) => {
      BrowserWindow.getAllWindows()[0]?.setBounds(bounds);
    }, place);
    await first.page.waitForTimeout(800); // the place is remembered when the window has come to rest
    const second = await launch();
    // A question to main can be lost while it starts ("promise was garbage collected"): it is asked again.
    const bounds = () =>
      second.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds()).catch(() => null);
    await expect.poll(bounds).toEqual(place);
  }));

test('the native menu leads to the screens', () =>
  withApps(async (launch) => {
    const { inMain, page } = await launch();
    for (const [label, path] of [
      ['Library', '/library'],
      ['Studies', '/studies'],
      ['Settings', '/settings'],
    ] as const) {
      await inMain(({ Menu, BrowserWindow }, wanted) => {
        const items = Menu.getApplicationMenu()?.items.flatMap((item) => item.submenu?.items ?? []) ?? [];
        items.find((item) => item.label === wanted)?.click(undefined, BrowserWindow.getAllWindows()[0]);
      }, label);
      await expect.poll(() => page.evaluate(() => window.location.hash)).toBe(`#${path}`);
    }
  }));

test('the theme follows the system until one is chosen, and the choice lasts', () =>
  withApps(async (launch) => {
    const first = await launch();
    const scheme = first.page.locator('html');
    for (const colorScheme of ['dark', 'light'] as const) {
      await first.page.emulateMedia({ colorScheme });
      await expect(scheme).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    }
    await first.page.goto('workbench://app/index.html#/settings');
    await first.page.getByRole('radiogroup', { name: 'Theme' }).getByText('Dark').click();
    await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'dark');
    const second = await launch();
    await expect(second.page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  }));

test('ordinary users keep Chromium’s own sandbox; only root runs without it, with a warning', () =>
  withApps(async (launch) => {
    const { inMain, page } = await launch();
    const off = await inMain(({ app }) => app.commandLine.hasSwitch('no-sandbox'));
    expect(off).toBe(process.getuid?.() === 0);
    await expect(page.getByRole('contentinfo', { name: 'Status' }).getByText('Runs as root')).toHaveCount(
      off ? 1 : 0,
    );
  }));
