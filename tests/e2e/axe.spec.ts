import { expect, test } from '@playwright/test';
import { openPreview } from '../support/preview/open-preview.mjs';
import { SHOTS, show } from '../support/preview/shoot.mjs';
import { electronPath } from './support/app';
import { axeFaults } from './support/axe';
import { cutTexts, layoutFaults } from './support/layout';

// Every screen and dialog with something on it, over the sample: contrast, names, roles, order of headings; and whether
// all of it can be reached in the smallest window.

/** At least one of each screen, tab and kind of dialog. */
const SCREENS: ReadonlyArray<keyof typeof SHOTS> = [
  'home',
  'first',
  'exhibits',
  'exhibit',
  'exhibit-figure',
  'exhibit-plan',
  'exhibit-steps',
  'exhibit-decisions',
  'exhibit-editor',
  'studies',
  'study',
  'finished',
  'warnings',
  'damaged',
  'export',
  'bundle',
  'new-study-pocket',
  'new-study-details',
  'run',
  'run-why',
  'run-nodes',
  'run-curves',
  'run-problem',
  'compare',
  'compare-pairs',
  'compare-problems',
  'compare-agents',
  'compare-diversity',
  'compare-settings',
  'compare-choose',
  'library',
  'library-import',
  'benchmark',
  'servers',
  'launches',
  'jobs',
  'job',
  'machines',
  'usage',
  'machine',
  'machine-clean',
  'terminals',
  'trainings',
  'training',
  'training-checkpoints',
  'training-rollouts',
  'training-evaluation',
  'new-training-filled',
  'experiments',
  'experiment',
  'activity',
  'settings',
  'nowhere',
  'palette',
  'keys',
  'report-problem',
  'study-method',
  'trash',
];

const USUAL = { width: 1280, height: 800 };
const SMALLEST = { width: 900, height: 600 };

test('axe finds no fault on any screen, nor in the dark, and nothing is cut or covered in the smallest window', async () => {
  // A second or two a screen; on a busy machine several.
  test.setTimeout(900_000);
  process.env.MARS2_ELECTRON = electronPath();
  const { browser, url, close } = await openPreview();
  try {
    const page = await browser.newPage({ viewport: USUAL });
    const faults: string[] = [];
    for (const name of SCREENS) {
      await show(page, url, SHOTS[name], 'light');
      const light = await axeFaults(page);
      await page.evaluate(() => {
        document.documentElement.dataset.mantineColorScheme = 'dark';
      });
      const dark = await axeFaults(page, 'contrast');
      await page.setViewportSize(SMALLEST);
      const small = await layoutFaults(page);
      await page.setViewportSize(USUAL);
      faults.push(
        ...[
          ...light,
          ...dark.map((fault) => `dark: ${fault}`),
          ...small.map((fault) => `900 x 600: ${fault}`),
        ].map((fault) => `${name}: ${fault}`),
      );
    }
    expect(faults).toEqual([]);
  } finally {
    await close();
  }
});

test('Home shows the whole of how long a running study takes, where there is little room beside the exhibits', async () => {
  process.env.MARS2_ELECTRON = electronPath();
  const { browser, url, close } = await openPreview();
  try {
    const page = await browser.newPage({ viewport: USUAL });
    await show(page, url, SHOTS.home, 'light');
    const text = page.getByText(/programs, about .* left$/);
    expect(await text.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  } finally {
    await close();
  }
});

test('no state, number or name is cut beside room that a table does not use, nor any problem in the status bar', async () => {
  process.env.MARS2_ELECTRON = electronPath();
  const { browser, url, close } = await openPreview();
  try {
    const page = await browser.newPage({ viewport: USUAL });
    const faults: string[] = [];
    for (const name of ['home-morning', 'trainings', 'studies'] as const) {
      for (const width of [1440, 1280, 1000, 900]) {
        await page.setViewportSize({ width, height: 800 });
        await show(page, url, SHOTS[name], 'light');
        faults.push(...(await cutTexts(page)).map((fault) => `${name} at ${width}: ${fault}`));
      }
    }
    expect(faults).toEqual([]);
  } finally {
    await close();
  }
});
