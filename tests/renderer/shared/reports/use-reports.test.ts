import { expect, it } from 'vitest';
import { openedBundleText } from '../../../../renderer/text/reports';

const opened = { name: 'Quickstart', studyIds: ['s'], reproductionIds: [], differing: [], tables: 10 };

it.each([
  [
    opened,
    'Opened Quickstart: 1 study, read-only. Recomputed 10 tables from its journals: identical to the byte.',
  ],
  [
    { ...opened, studyIds: ['a', 'b'], reproductionIds: ['r'], tables: 1 },
    'Opened Quickstart: 2 studies and 1 reproduction, read-only. Recomputed 1 table from its journals: identical to the byte.',
  ],
  [
    { ...opened, differing: ['What it cost', 'Who solves what'] },
    "Opened Quickstart: 1 study, read-only. Recomputed from its journals, these tables differ from the bundle's: What it cost, Who solves what.",
  ],
  [{ ...opened, tables: 0 }, 'Opened Quickstart: 1 study, read-only.'],
])('the notice of an opened bundle names its content and the check', (bundle, text) => {
  expect(openedBundleText(bundle)).toBe(text);
});
