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
  'jobs-all': nothingIsCut,
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
    // A terminal takes its colours from the page a moment later.
    if ((await page.locator('.xterm').count()) > 0) await settled(page);
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

test('a long name, a wide number and 200 % zoom leave states, buttons and the time left their room', async () => {
  const { browser, url } = preview;
  const page = await browser.newPage({ viewport: USUAL });
  const faults: string[] = [];
  await show(page, url, SHOTS['study-long-name'], 'light');
  for (const width of [1440, 1280, 1000]) {
    await page.setViewportSize({ width, height: 800 });
    // The scale and the state of the study stand between its name and its buttons.
    const [states, buttons] = await page.locator('main header h1 ~ div').evaluateAll((all) =>
      all.map((one) => {
        const edges = [...one.children].filter((child) => child.checkVisibility());
        const sides = edges.map((child) => child.getBoundingClientRect());
        return {
          left: Math.min(...sides.map(({ left }) => left)),
          right: Math.max(...sides.map(({ right }) => right)),
        };
      }),
    );
    if (states === undefined || buttons === undefined || states.right > buttons.left)
      faults.push(`study at ${width}: the state lies under the buttons`);
    const name = page.locator('footer[aria-label="Status"] a').first();
    const ends = await name.evaluate((one) => {
      const clip = one.parentElement?.getBoundingClientRect().right ?? 0;
      return [...one.children].every((part) => part.getBoundingClientRect().right <= clip);
    });
    if (!ends) faults.push(`study at ${width}: the time left is cut in the status bar`);
  }
  await show(page, url, SHOTS['home-morning'], 'light');
  await page.setViewportSize({ width: 1000, height: 800 });
  const units = page.locator('main li b + small');
  const cut = await units.evaluateAll((all) =>
    all.flatMap((one) => {
      one.textContent = 'Team Pass@N, N = 240, 1,055 problems';
      return one.scrollWidth > one.clientWidth ? ['cut'] : [];
    }),
  );
  faults.push(...cut.map(() => 'home: what a number is, is cut'));
  if ((await units.count()) === 0) faults.push('home: no number is shown');
  // 200 % of the smallest window.
  await page.setViewportSize({ width: SMALLEST.width / 2, height: SMALLEST.height / 2 });
  await show(page, url, SHOTS.machines, 'light');
  const widths = async (selector: string) =>
    await page.locator(selector).evaluateAll((all) => all.map((one) => one.clientWidth));
  const machines = await widths('main li:has(button) > :nth-child(2)');
  const gpus = await widths('main li li');
  if (Math.min(...machines) < 100) faults.push(`machines: a state has ${Math.min(...machines)} px`);
  if (Math.min(...gpus) < 50) faults.push(`machines: a GPU has ${Math.min(...gpus)} px`);
  if (machines.length * gpus.length === 0) faults.push('no machine is shown');
  expect(faults).toEqual([]);
});
