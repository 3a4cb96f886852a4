import { expect, type Page, test } from '@playwright/test';
import { openPreview } from '../support/preview/open-preview.mjs';
import { byScene, SHOTS, settled, show } from '../support/preview/shoot.mjs';
import { electronPath } from './support/app';
import { axeFaults } from './support/axe';
import { AXE_SCREENS } from './support/axe-screens';
import { cutTexts, layoutFaults } from './support/layout';

// Every screen and dialog with something on it, over the sample: contrast, names, roles, order of headings; whether all
// of it can be reached in the smallest window; and what is cut on some of them. A screen is opened once for all of this.

const USUAL = { width: 1280, height: 800 };
const SMALLEST = { width: 900, height: 600 };

let preview: Awaited<ReturnType<typeof openPreview>>;
test.beforeAll(async () => {
  process.env.MARS2_ELECTRON = electronPath();
  preview = await openPreview();
});
test.afterAll(() => preview.close());

/** In windows of these widths. */
async function inWidths(
  page: Page,
  widths: readonly number[],
  look: (width: number) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: USUAL.height });
    await settled(page);
    faults.push(...(await look(width)).map((fault) => `${width} px: ${fault}`));
  }
  return faults;
}

const ALL_WIDTHS = [1440, 1280, 1000, 900];
/** No state, number or name is cut beside free room, nor a problem in the status bar. */
const nothingIsCut = (page: Page) => inWidths(page, ALL_WIDTHS, () => cutTexts(page));
/** Heads and names take several lines before a column of values is out of sight. */
const noTableScrolls = (page: Page, width: number) =>
  inWidths(page, [width], async () => {
    const wide = await page.locator('[role="region"][aria-label$="scrolls sideways"]').count();
    return wide > 0 ? ['a table scrolls sideways'] : [];
  });

/** What one screen is looked at for besides, in a window of any size. */
const FURTHER: Partial<Record<keyof typeof SHOTS, (page: Page) => Promise<readonly string[]>>> = {
  'home-morning': nothingIsCut,
  trainings: nothingIsCut,
  studies: nothingIsCut,
  'exhibit-done': (page) => noTableScrolls(page, 1440),
  compare: (page) => noTableScrolls(page, 1000),
  experiment: (page) => noTableScrolls(page, 1000),
  // How long a running study takes, where there is little room beside the exhibits.
  home: (page) =>
    inWidths(page, [USUAL.width], async () => {
      const text = page.getByText(/programs, about .* left$/);
      const cut = await text.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      return cut === 0 ? [] : [`how long the running study takes is cut by ${cut} px`];
    }),
  machines: async (page) => {
    const notes = page.locator('main li small, main li li span');
    if ((await notes.count()) === 0) return ['no machine is shown'];
    return await inWidths(page, ALL_WIDTHS, () =>
      notes.evaluateAll((all) =>
        all
          .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
          .map(({ textContent }) => `cut: ${textContent}`),
      ),
    );
  },
  // In the smallest window estimates are bars.
  'run-why': async (page) => {
    await page.setViewportSize(SMALLEST);
    await settled(page);
    const bars = page.locator('[aria-label^="Why node"] tbody tr > td:nth-child(2)');
    const widths = await bars.evaluateAll((cells) => cells.map(({ clientWidth }) => clientWidth));
    if (widths.length === 0) return ['no estimates are shown'];
    return widths.filter((width) => width < 100).map((width) => `a bar of an estimate has ${width} px`);
  },
};

test('axe finds no fault on any screen, nor in the dark; nothing is cut, nor covered in the smallest window', async () => {
  // A second or two a screen; on a busy machine several.
  test.setTimeout(900_000);
  const { browser, url } = preview;
  const page = await browser.newPage({ viewport: USUAL });
  const faults: string[] = [];
  const setScheme = (scheme: 'light' | 'dark') =>
    page.evaluate((value) => {
      document.documentElement.dataset.mantineColorScheme = value;
    }, scheme);
  let previous: (typeof SHOTS)[keyof typeof SHOTS] | null = null;
  expect(AXE_SCREENS).toEqual(expect.arrayContaining(Object.keys(FURTHER)));
  for (const shot of byScene(AXE_SCREENS.map((name) => SHOTS[name]))) {
    await show(page, url, shot, 'light', previous);
    previous = shot;
    const light = await axeFaults(page);
    await setScheme('dark');
    const dark = await axeFaults(page, 'contrast');
    await page.setViewportSize(SMALLEST);
    const small = await layoutFaults(page);
    await setScheme('light');
    const name = AXE_SCREENS.find((one) => SHOTS[one] === shot) ?? 'home';
    const further = (await FURTHER[name]?.(page)) ?? [];
    await page.setViewportSize(USUAL);
    faults.push(
      ...[
        ...light,
        ...dark.map((fault) => `dark: ${fault}`),
        ...small.map((fault) => `900 x 600: ${fault}`),
        ...further,
      ].map((fault) => `${name}: ${fault}`),
    );
  }
  expect(faults).toEqual([]);
});
