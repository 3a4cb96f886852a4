import { expect, test } from '@playwright/test';
import { openPreview } from '../support/preview/open-preview.mjs';
import { byScene, SHOTS, show } from '../support/preview/shoot.mjs';
import { electronPath } from './support/app';
import { axeFaults } from './support/axe';
import { AXE_SCREENS } from './support/axe-screens';
import { cutTexts, layoutFaults } from './support/layout';

// Every screen and dialog with something on it, over the sample: contrast, names, roles, order of headings; and whether
// all of it can be reached in the smallest window.

const USUAL = { width: 1280, height: 800 };
const SMALLEST = { width: 900, height: 600 };

let preview: Awaited<ReturnType<typeof openPreview>>;
test.beforeAll(async () => {
  process.env.MARS2_ELECTRON = electronPath();
  preview = await openPreview();
});
test.afterAll(() => preview.close());

test('axe finds no fault on any screen, nor in the dark, and nothing is cut or covered in the smallest window', async () => {
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
  for (const shot of byScene(AXE_SCREENS.map((name) => SHOTS[name]))) {
    await show(page, url, shot, 'light', previous);
    previous = shot;
    const light = await axeFaults(page);
    await setScheme('dark');
    const dark = await axeFaults(page, 'contrast');
    await page.setViewportSize(SMALLEST);
    const small = await layoutFaults(page);
    await page.setViewportSize(USUAL);
    await setScheme('light');
    const name = AXE_SCREENS.find((one) => SHOTS[one] === shot);
    faults.push(
      ...[
        ...light,
        ...dark.map((fault) => `dark: ${fault}`),
        ...small.map((fault) => `900 x 600: ${fault}`),
      ].map((fault) => `${name}: ${fault}`),
    );
  }
  expect(faults).toEqual([]);
});

test('Home shows the whole of how long a running study takes, where there is little room beside the exhibits', async () => {
  const { browser, url } = preview;
  const page = await browser.newPage({ viewport: USUAL });
  await show(page, url, SHOTS.home, 'light');
  const text = page.getByText(/programs, about .* left$/);
  expect(await text.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

test('no state, number or name is cut beside free room, nor a problem in the status bar, and estimates are bars', async () => {
  const { browser, url } = preview;
  const page = await browser.newPage({ viewport: USUAL });
  const faults: string[] = [];
  for (const name of ['home-morning', 'trainings', 'studies'] as const) {
    for (const width of [1440, 1280, 1000, 900]) {
      await page.setViewportSize({ width, height: 800 });
      await show(page, url, SHOTS[name], 'light', width === 1440 ? null : SHOTS[name]);
      faults.push(...(await cutTexts(page)).map((fault) => `${name} at ${width}: ${fault}`));
    }
  }
  // Heads and names take several lines before a column of values is out of sight.
  for (const [name, width] of [
    ['exhibit-done', 1440],
    ['compare', 1000],
    ['experiment', 1000],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await show(page, url, SHOTS[name], 'light');
    const wide = await page.locator('[role="region"][aria-label$="scrolls sideways"]').count();
    if (wide > 0) faults.push(`${name} at ${width}: a table scrolls sideways`);
  }
  await show(page, url, SHOTS.machines, 'light');
  const notes = page.locator('main li small, main li li span');
  for (const width of [1440, 1280, 1000, 900]) {
    await page.setViewportSize({ width, height: 800 });
    const cut = await notes.evaluateAll((all) =>
      all.flatMap((one) =>
        one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1
          ? [one.textContent]
          : [],
      ),
    );
    faults.push(...cut.map((text) => `machines at ${width}: ${text}`));
  }
  if ((await notes.count()) === 0) faults.push('no machine is shown');
  await page.setViewportSize(SMALLEST);
  await show(page, url, SHOTS['run-why'], 'light');
  const bars = page.locator('[aria-label^="Why node"] tbody tr > td:nth-child(2)');
  const widths = await bars.evaluateAll((cells) => cells.map(({ clientWidth }) => clientWidth));
  faults.push(
    ...widths.filter((width) => width < 100).map((width) => `a bar of an estimate has ${width} px`),
  );
  if (widths.length === 0) faults.push('no estimates are shown');
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
