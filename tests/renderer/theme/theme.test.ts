import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { verdictSchema } from '../../../preload/contract';
import { agentStyle, configurationColor } from '../../../renderer/theme/series';
import { verdictStyle } from '../../../renderer/theme/verdicts';

const css = readFileSync('renderer/theme/tokens.css', 'utf8');
const [lightCss = '', darkCss = ''] = css.split('[data-mantine-color-scheme="dark"]');

function tokens(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(/(--[\w-]+):\s*(#[0-9a-f]{6})/g)].map((match) => [match[1] ?? '', match[2] ?? '']),
  );
}

/** Contrast of two colours as WCAG 2.1 defines it. */
function contrast(first: string, second: string): number {
  const luminance = (color: string): number => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [high = 0, low = 0] = [luminance(first), luminance(second)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

describe.each([
  ['light', tokens(lightCss)],
  ['dark', tokens(darkCss)],
])('the %s theme', (_name, theme) => {
  const of = (token: string): string => theme.get(token) ?? '#000000';

  test.each(['--text', '--text-soft', '--text-faint', '--accent', '--good', '--fair', '--bad', '--fault'])(
    '%s reads on the ground, on panes and on sunken parts (4.5 : 1)',
    (token) => {
      for (const ground of ['--ground', '--surface', '--sunken']) {
        expect(contrast(of(token), of(ground)), ground).toBeGreaterThanOrEqual(4.5);
      }
    },
  );

  test.each(['--text', '--text-soft', '--text-faint', '--good', '--fair', '--bad', '--fault'])(
    '%s reads in a row that is hovered or chosen',
    (token) => {
      for (const ground of ['--hover', '--chosen']) {
        expect(contrast(of(token), of(ground)), ground).toBeGreaterThanOrEqual(4.5);
      }
    },
  );

  test.each(['good', 'fair', 'bad', 'fault'])('%s reads on its own soft ground', (tone) => {
    expect(contrast(of(`--${tone}`), of(`--${tone}-soft`))).toBeGreaterThanOrEqual(4.5);
  });

  test('the button of the accent reads', () => {
    expect(contrast(of('--on-accent'), of('--accent'))).toBeGreaterThanOrEqual(4.5);
  });

  test.each([1, 2, 3, 4, 5, 6, 8])(
    'series %i stands out from panes (2.4 : 1; the palette’s orange is light)',
    (number) => {
      expect(contrast(of(`--series-${number}`), of('--surface'))).toBeGreaterThanOrEqual(2.4);
    },
  );
});

test('both themes hold the same colours', () => {
  expect([...tokens(darkCss).keys()].filter((token) => token !== '--ground').sort()).toEqual(
    [...tokens(lightCss).keys()].filter((token) => token !== '--ground').sort(),
  );
});

test('agents differ by shape, configurations by colour', () => {
  expect(new Set([0, 1, 2, 3].map((at) => agentStyle(at).shape)).size).toBe(4);
  expect(new Set(Array.from({ length: 8 }, (_, at) => configurationColor(at))).size).toBe(8);
  expect(configurationColor(8)).toBe(configurationColor(0));
});

test('every verdict has its own glyph, one character wide', () => {
  const glyphs = verdictSchema.options.map((verdict) => verdictStyle(verdict).glyph);
  expect(new Set(glyphs).size).toBe(glyphs.length);
  expect(glyphs.every((glyph) => [...glyph].length === 1)).toBe(true);
});
