import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

type Triple = readonly [number, number, number];

/** Linear light of a colour, as eyes of this kind see it: Machado, Oliveira and Fernandes 2009, the complete deficiency. */
const EYES: Readonly<Record<string, readonly Triple[]>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  deuteranope: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  protanope: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
};

/** OKLab (Ottosson 2020), in which equal distances look about equally different. */
function seen(color: string, eye: string): Triple {
  const light = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const times = (rows: readonly Triple[], of: readonly number[]): Triple => {
    const [x, y, z] = rows.map((row) => row.reduce((sum, factor, at) => sum + factor * (of[at] ?? 0), 0));
    return [x ?? 0, y ?? 0, z ?? 0];
  };
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    times(EYES[eye] ?? [], light).map((part) => Math.min(1, Math.max(0, part))),
  );
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones.map(Math.cbrt),
  );
}

function difference(first: string, second: string, eye: string): number {
  const [a, b] = [seen(first, eye), seen(second, eye)];
  return Math.hypot(...a.map((part, at) => part - (b[at] ?? 0)));
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

  const numbered = (name: string, count: number) =>
    Array.from({ length: count }, (_, at) => `--${name}-${at + 1}`);
  const STATES = ['--good', '--good-mark', '--fair', '--fair-mark', '--bad', '--bad-mark'];

  test.each([...numbered('series', 8), ...numbered('agent', 4)])('%s is no colour of a state', (token) => {
    for (const state of STATES) {
      expect(difference(of(token), of(state), 'normal'), state).toBeGreaterThan(0.08);
    }
  });

  test.each(['normal', 'deuteranope', 'protanope'])('a %s tells configurations apart, and agents', (eye) => {
    const [first, second] = numbered('agent', 2);
    expect(difference(of(first ?? ''), of(second ?? ''), eye)).toBeGreaterThan(0.08);
    const tokens = numbered('series', 8);
    for (const [at, token] of tokens.entries()) {
      for (const other of tokens.slice(0, at)) {
        const least = at < 3 ? 0.08 : 0.06;
        expect(difference(of(token), of(other), eye), `${token} and ${other}`).toBeGreaterThan(least);
      }
    }
  });

  test('the first four configurations, as of the quickstart, have a colour: grey looks disabled', () => {
    for (const token of numbered('series', 4)) {
      const [, a, b] = seen(of(token), 'normal');
      expect(Math.hypot(a, b), token).toBeGreaterThan(0.05);
    }
  });

  // A bar of progress stands in a row of configurations, and the ring of the focus around them.
  test.each(['--accent', '--focus'])(
    '%s, which marks what runs, is no configuration, agent or state',
    (token) => {
      for (const other of [...numbered('series', 8), ...numbered('agent', 4), ...STATES]) {
        expect(difference(of(token), of(other), 'normal'), other).toBeGreaterThan(0.08);
      }
      for (const eye of Object.keys(EYES)) {
        expect(difference(of(token), of('--series-1'), eye), eye).toBeGreaterThan(0.06);
      }
    },
  );

  test('configurations and agents do not share a colour', () => {
    for (const token of numbered('series', 8)) {
      for (const agent of numbered('agent', 4)) {
        expect(difference(of(token), of(agent), 'normal'), `${token} and ${agent}`).toBeGreaterThan(0.05);
      }
    }
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

test('no text of the window is below 12 pixels: sizes are tokens, and the smallest is 12', () => {
  const sheets = readdirSync('renderer', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.css'),
  );
  expect(sheets.length).toBeGreaterThan(20);
  for (const file of sheets) {
    expect(readFileSync(join('renderer', file), 'utf8'), file).not.toMatch(/font(-size)?: [\d.]+(px|em|%)/);
  }
  expect(readFileSync('renderer/theme/base.css', 'utf8')).toMatch(
    /^small \{\n {2}font-size: var\(--type-small\);/m,
  );
  const sizes = [...css.matchAll(/--type-\w+: (\d+)px/g)].map(([, size]) => Number(size));
  expect(Math.min(...sizes)).toBe(12);
});

test('the window ships its font, in every weight that it uses', () => {
  const fonts = readFileSync('renderer/theme/fonts.css', 'utf8');
  expect(css).toMatch(/--font-ui:\s*"Source Sans 3"/);
  for (const weight of [400, 500, 600, 700]) {
    const sheet = `@fontsource/source-sans-3/${weight}.css`;
    expect(fonts).toContain(`@import "${sheet}";`);
    const file = `files/source-sans-3-latin-${weight}-normal.woff2`;
    expect(readFileSync(join('node_modules', sheet), 'utf8')).toContain(`url(./${file})`);
    expect(readFileSync(join('node_modules/@fontsource/source-sans-3', file)).length).toBeGreaterThan(1_000);
  }
});
