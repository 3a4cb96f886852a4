import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { type App, launchApp, temporaryData } from './support/app';
import { axeFaults } from './support/axe';
import { pathOf } from './support/page';

// For who opens it the first time, who has no mouse, who wants nothing to move, and who reads at twice the size.

test.describe.configure({ mode: 'serial' });

let app: App;
let page: Page;
let data: Awaited<ReturnType<typeof temporaryData>>;
const dataDir = (): string => join(data.path, 'data');

test.beforeAll(async () => {
  data = await temporaryData();
  app = await launchApp(dataDir());
  page = app.page;
});
test.afterAll(async () => {
  await app.close();
  await data.remove();
});

const SCREENS = [
  ['Home', '/'],
  ['Exhibits', '/exhibits'],
  ['Studies', '/studies'],
  ['Compare', '/compare'],
  ['Training', '/training'],
  ['Library', '/library'],
  ['Servers', '/servers'],
  ['Jobs', '/jobs'],
  ['Machines', '/machines'],
  ['Terminals', '/terminals'],
  ['Activity', '/activity'],
  ['Settings', '/settings'],
] as const;
const rail = (name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });
const go = async (name: string): Promise<void> => {
  await rail(name).click();
  await expect(rail(name)).toHaveAttribute('aria-current', 'page');
};

test('the first start shows four hints, and shows them once', async () => {
  const tour = page.getByRole('region', { name: 'Tour' });
  const titles: string[] = [];
  for (const at of [1, 2, 3, 4]) {
    await expect(tour).toContainText(`${at} of 4`);
    titles.push(await tour.getByRole('heading').innerText());
    await tour.getByRole('button', { name: at === 4 ? 'Done' : 'Next' }).click();
  }
  expect(new Set(titles).size).toBe(4);
  await expect(tour).toBeHidden();
  await app.close();
  app = await launchApp(dataDir());
  page = app.page;
  await expect(page.getByRole('button', { name: 'Run the quickstart study' })).toBeEnabled();
  await expect(page.getByRole('region', { name: 'Tour' })).toBeHidden();
  await page.keyboard.press('Control+k');
  await page.getByLabel('Search the palette').fill('show the tour');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Tour' })).toContainText('1 of 4');
  await page.getByRole('button', { name: 'End the tour' }).click();
});

/** What has the focus: its name, and whether one sees that it has it. */
const focused = () =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return null;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    const { width, height } = element.getBoundingClientRect();
    return {
      name: element.getAttribute('aria-label') ?? element.textContent ?? '',
      isSeen: (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none',
      hasRoom: width > 0 && height > 0,
    };
  });

test('the first press of Tab offers to skip the rail, and Enter goes on in the content', async () => {
  await go('Studies');
  await page.reload();
  await expect(rail('Studies')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Skip to the content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});

test('the keyboard alone reaches the main button and every screen, and one sees where it is', async () => {
  await go('Home');
  // A fresh page: Tab goes on from the last press of the mouse.
  await page.reload();
  await expect(page.getByRole('button', { name: 'Run the quickstart study' })).toBeEnabled();
  const names: string[] = [];
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab');
    const at = await focused();
    if (at === null) break;
    expect(at, JSON.stringify(at)).toMatchObject({ isSeen: true, hasRoom: true });
    names.push(at.name);
    if (at.name === 'Run the quickstart study') break;
  }
  for (const [name] of SCREENS) expect(names).toContain(name);
  expect(names).toContain('Run the quickstart study');
  for (const [name, path] of SCREENS) {
    await rail(name).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => pathOf(page)).toBe(path);
  }
  // Who does not see the screen hears which one it is; the focus stays in the rail.
  await expect(page.getByRole('status', { name: 'Screen' })).toHaveText('Settings');
});

test('axe finds no fault on a screen where there is nothing yet', async () => {
  for (const [name] of SCREENS) {
    await go(name);
    expect(await axeFaults(page), name).toEqual([]);
  }
});

test('nothing is animated when the system asks for reduced motion', async () => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const [name] of SCREENS) {
    await go(name);
    const longest = await page.evaluate(() => {
      const seconds = (text: string): number =>
        Math.max(
          ...text.split(',').map((part) => Number.parseFloat(part) * (part.includes('ms') ? 1e-3 : 1)),
        );
      return Math.max(
        ...[...document.querySelectorAll('*')].map((element) => {
          const { transitionDuration, animationDuration } = getComputedStyle(element);
          return Math.max(seconds(transitionDuration), seconds(animationDuration));
        }),
      );
    });
    expect(longest, name).toBeLessThanOrEqual(0.001);
  }
  await page.emulateMedia({ reducedMotion: null });
});

test('at twice the size every screen has its title and its buttons within the window', async () => {
  const zoom = (factor: number): Promise<void> =>
    app.inMain(({ BrowserWindow }, wanted) => {
      BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(wanted);
    }, factor);
  await zoom(2);
  try {
    await expect.poll(() => page.evaluate(() => window.devicePixelRatio)).toBeGreaterThanOrEqual(2);
    for (const [name] of SCREENS) {
      await go(name);
      const cut = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        const outside = [...document.querySelectorAll('h1, header button, header a')].filter((element) => {
          const { left, right, width } = element.getBoundingClientRect();
          return width > 0 && (left < 0 || right > clientWidth + 1);
        });
        return [...(scrollWidth > clientWidth ? ['the page'] : []), ...outside.map((one) => one.textContent)];
      });
      expect(cut, name).toEqual([]);
    }
  } finally {
    await zoom(1);
  }
});

test('the page complained of nothing', () => {
  expect(app.complaints).toEqual([]);
});
