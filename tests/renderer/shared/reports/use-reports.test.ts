import { expect, it } from 'vitest';
import { openedBundleText } from '../../../../renderer/text/reports';

const opened = { name: 'Quickstart', studyIds: ['s'], reproductionIds: [], differing: [], tables: 10 };

it.each([
  [
    opened,
    'Opened Quickstart: 1 study, to be looked at. Its 10 tables were worked out again from its journals: the same to the byte.',
  ],
  [
    { ...opened, studyIds: ['a', 'b'], reproductionIds: ['r'], tables: 1 },
    'Opened Quickstart: 2 studies and 1 reproduction, to be looked at. Its 1 table was worked out again from its journals: the same to the byte.',
  ],
  [
    { ...opened, differing: ['What it cost', 'Who solves what'] },
    "Opened Quickstart: 1 study, to be looked at. Worked out again from its journals, these tables differ from the bundle's own: What it cost, Who solves what.",
  ],
  [{ ...opened, tables: 0 }, 'Opened Quickstart: 1 study, to be looked at.'],
])('what came out of a bundle is told in a sentence or two', (bundle, words) => {
  expect(openedBundleText(bundle)).toBe(words);
});
