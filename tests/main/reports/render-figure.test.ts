import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, inflateSync } from 'node:zlib';
import { create } from 'fontkit';
import { describe, expect, it } from 'vitest';
import type { ReportFigure } from '../../../main/reports';
import { explanationsOf } from '../../../main/reports/logic/explanations';
import { seriesStyle } from '../../../main/reports/logic/style';
import { linearTicks, logTicks, shortNumber } from '../../../main/reports/logic/ticks';
import { renderFigure } from '../../../main/reports/render-figure';
import { measureText, textRuns } from '../../../main/reports/typeface';
import { COMPLEMENT_SHORT } from '../../../preload/contract/plans';
import { sampleBars, sampleGrid, sampleLines } from '../../support/sample-report';

const FIGURES: readonly [string, ReportFigure][] = [
  ['lines', sampleLines(4)],
  ['bars', sampleBars()],
  ['a grid', sampleGrid()],
  ['nothing yet', sampleLines(0)],
];

/** Width, height and RGBA of a PNG, its checksums checked. */
function readPng(png: Buffer) {
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  const data: Buffer[] = [];
  let perMetre = 0;
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const kind = png.toString('latin1', at + 4, at + 8);
    expect(png.readUInt32BE(at + 8 + length), kind).toBe(crc32(png.subarray(at + 4, at + 8 + length)));
    if (kind === 'IDAT') data.push(png.subarray(at + 8, at + 8 + length));
    if (kind === 'pHYs') perMetre = png.readUInt32BE(at + 8);
    at += 12 + length;
  }
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  expect(inflateSync(Buffer.concat(data)).length).toBe(height * (width * 4 + 1));
  return { width, height, perMetre };
}

it('a whisker lies over the diamond of the paper, which would hide its end', async () => {
  const svg = (await renderFigure(sampleBars(), 'svg', 'one-column')).toString();
  // Behind the paper itself and the diamond of the legend.
  const [, , , ...behind] = svg.split('fill="#ffffff"');
  expect(behind.length).toBeGreaterThan(0);
  for (const rest of behind) expect(rest).toMatch(/^[^>]*>\s*<path [^>]*stroke-width="0\.6"/);
});

describe.each(FIGURES)('a figure of %s', (_title, figure) => {
  it.each(['svg', 'pdf', 'png', 'csv', 'json'] as const)(
    'is the same bytes every time as %s',
    async (format) => {
      const one = await renderFigure(figure, format, 'one-column');
      const other = await renderFigure(structuredClone(figure), format, 'one-column');
      expect(one.length).toBeGreaterThan(40);
      expect(one.equals(other)).toBe(true);
    },
  );

  it.each([
    ['one-column', 84],
    ['two-columns', 178],
  ] as const)('is as wide as a paper asks in %s', async (width, millimetres) => {
    const png = readPng(await renderFigure(figure, 'png', width));
    expect(png.width).toBe(Math.round((millimetres / 25.4) * 300));
    // The file itself says how wide that is in print.
    expect((png.width / png.perMetre) * 1_000).toBeCloseTo(millimetres, 0);
    const svg = (await renderFigure(figure, 'svg', width)).toString();
    expect(Number(/ width="([\d.]+)pt"/.exec(svg)?.[1]) / 72).toBeCloseTo(millimetres / 25.4, 3);
    const pdf = (await renderFigure(figure, 'pdf', width)).toString('latin1');
    const box = /MediaBox \[0 0 ([\d.]+) [\d.]+\]/.exec(pdf)?.[1];
    expect(Number(box) / 72).toBeCloseTo(millimetres / 25.4, 3);
  });

  it('has its fonts in it: as WOFF in SVG, as subsets in PDF', async () => {
    const svg = (await renderFigure(figure, 'svg', 'one-column')).toString();
    const fonts = [...svg.matchAll(/data:font\/woff;base64,([A-Za-z0-9+/=]+)/g)];
    expect(fonts.length).toBeGreaterThan(0);
    for (const [, base64 = ''] of fonts) {
      const font = create(Buffer.from(base64, 'base64'));
      expect('familyName' in font && font.familyName).toBe('Source Sans 3');
    }
    const pdf = (await renderFigure(figure, 'pdf', 'one-column')).toString('latin1');
    expect(pdf).toContain('/FontFile2');
    // No font of the reader's computer stands in for one of ours.
    expect(pdf).not.toMatch(/\/BaseFont \/(Helvetica|Times|Courier)/);
  });

  it('is well-formed XML without a script, with any labels', async () => {
    const svg = (await renderFigure(figure, 'svg', 'two-columns')).toString();
    const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text ?? '');
    expect(texts.every((text) => !/&(?!(amp|lt|gt|quot);)/.test(text))).toBe(true);
    const open = [...svg.matchAll(/<(text|style|title|svg)[ >]/g)].length;
    const closed = [...svg.matchAll(/<\/(text|style|title|svg)>/g)].length;
    expect(open).toBe(closed);
  });

  it('stays on its paper', async () => {
    const svg = (await renderFigure(figure, 'svg', 'one-column')).toString();
    const [, width = '', height = ''] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg) ?? [];
    for (const [, d = ''] of svg.matchAll(/<path d="([^"]+)"/g)) {
      const numbers = d.replaceAll(/A[\d.]+ [\d.]+ 0 1 1/g, ' ').match(/-?[\d.]+/g) ?? [];
      numbers.map(Number).forEach((value, at) => {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(Number(at % 2 === 0 ? width : height));
      });
    }
  });
});

it('no label is cut: it goes on in the next line, or is turned where a word does not fit', async () => {
  const groups = Array.from({ length: 9 }, (_, at) => `Heter-MARS\u00b2-T without-reward-model ${at}`);
  const long =
    'reader + tracer with three further roles, each refining what the others wrote, at most eight times';
  const bars = { ...sampleBars(), kind: 'bars' as const, groups };
  const one = { y: 0.5, low: 0.4, high: 0.6 };
  const figure = {
    ...bars,
    y: { label: 'Pass@1 on held-out problems of the second benchmark (%), pocket', unit: 'rate' as const },
    series: [0, 1].map((position) => ({
      ...{ label: `${long} ${position}`, position, hue: position },
      ...{ bars: groups.map(() => one), reference: groups.map(() => null) },
    })),
  };
  const svg = (await renderFigure(figure, 'svg', 'one-column')).toString();
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text ?? '');
  expect(svg).not.toContain('\u2026');
  for (const group of groups) expect(texts).toContain(group);
  expect(texts.join(' ')).toContain(`${long} 1`);
  expect(texts.join(' ')).toContain(figure.y.label);
  const grid = { ...sampleGrid(), kind: 'grid' as const };
  const rows = [{ label: long, position: 0, hue: 0, shares: [1, 0, 0.5] }];
  const drawn = (await renderFigure({ ...grid, rows } as ReportFigure, 'svg', 'one-column')).toString();
  expect([...drawn.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text).join(' ')).toContain(
    long,
  );
});

it('bars without a value have the axis of their unit, from 0 to 100 percent', async () => {
  const bars = sampleBars();
  if (bars.kind !== 'bars') throw new Error('bars');
  const series = bars.series.map((one) => ({
    ...one,
    bars: one.bars.map(() => null),
    reference: one.reference.map(() => null),
  }));
  const svg = (await renderFigure({ ...bars, series }, 'svg', 'one-column')).toString();
  expect(svg).toContain('>100</text>');
  expect(svg).not.toContain('>1.0</text>');
});

it('a picture has six lines of small print at most, the most important ones, and its file has all', async () => {
  const limits = `${COMPLEMENT_SHORT}.`;
  const many = Array.from({ length: 20 }, (_, at) => `Sentence ${at} of many that are said of it.`);
  const bands = 'Bands: 95 % bootstrap intervals over problems.';
  const legend = [...many, limits, `Lines: means over the seeds, ${many.join(' ')} ${bands}`];
  const figure = { ...sampleLines(4), basis: 'Pocket scale: 60 problems', legend };
  const svg = (await renderFigure(figure, 'svg', 'one-column')).toString();
  const small = [...svg.matchAll(/font-size="6"[^>]*>([^<]*)</g)].map(([, line = '']) => line);
  expect(small).toHaveLength(6);
  const said = small.join(' ');
  for (const part of ['Pocket scale: 60 problems.', limits, bands, 'The manifest says more.']) {
    expect(said).toContain(part);
  }
  expect((await renderFigure(figure, 'csv', 'one-column')).toString()).toContain('Sentence 19 of many');
  expect(JSON.stringify(explanationsOf({ tables: [], figures: [figure] }))).toContain('Sentence 19 of many');
});

it('the colours are those of the window', () => {
  const css = readFileSync(join(import.meta.dirname, '../../../renderer/theme/tokens.css'), 'utf8');
  const light = css.slice(0, css.indexOf('data-mantine-color-scheme'));
  for (let position = 0; position < 8; position++) {
    const token = new RegExp(`--series-${position + 1}: (#[0-9a-f]{6})`).exec(light)?.[1];
    expect(seriesStyle({ position: 0, hue: position }).color).toBe(token);
  }
  expect(seriesStyle({ position: 1, hue: 8 }).color).toBe(seriesStyle({ position: 0, hue: 0 }).color);
});

it('configurations next to each other differ in mark or dash too, for a print without colours', () => {
  const styles = Array.from(
    { length: 8 },
    (_, at) =>
      `${seriesStyle({ position: at, hue: 0 }).mark} ${seriesStyle({ position: at, hue: 0 }).dash.join(',')}`,
  );
  expect(new Set(styles).size).toBe(8);
});

describe('the typeface', () => {
  it('measures what its letters add up to', () => {
    const path = 'node_modules/@fontsource/source-sans-3/files/source-sans-3-latin-400-normal.woff';
    const font = create(readFileSync(join(import.meta.dirname, '../../..', path)));
    if ('fonts' in font) throw new Error('one font');
    // Digits have no kerning between them.
    const advance = font.glyphForCodePoint('7'.charCodeAt(0)).advanceWidth;
    expect(measureText('777', 10, 400)).toBeCloseTo((3 * advance * 10) / font.unitsPerEm, 6);
  });

  it('keeps no width for another text, weight or size', () => {
    const width = measureText('iii', 10, 400);
    expect(measureText('mmm', 10, 400)).toBeGreaterThan(width);
    expect(measureText('iii', 10, 600)).toBeGreaterThan(width);
    expect(measureText('iii', 20, 400)).toBeCloseTo(2 * width, 6);
  });

  it('takes letters of other scripts from their own files', () => {
    const names = textRuns('MARS\u00b2 \u03c4 \u0416', 10, 400).map(({ file }) => file.name);
    expect(names).toEqual(['latin-400', 'greek-400', 'cyrillic-400']);
  });
});

describe('ticks', () => {
  it('are round and hold the range', () => {
    expect(linearTicks(0.21, 0.48, 5)).toEqual({
      from: 0.2,
      to: 0.5,
      ticks: [0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5],
    });
    expect(linearTicks(0, 0, 5).ticks.length).toBeGreaterThan(1);
  });

  it('on a log axis are powers, and the end where there is room', () => {
    expect(logTicks(1, 60)).toEqual([1, 2, 4, 8, 16, 32, 60]);
    expect(logTicks(1, 64)).toEqual([1, 2, 4, 8, 16, 32, 64]);
    expect(logTicks(100, 1_000_000)).toEqual([100, 1_000, 10_000, 100_000, 1_000_000]);
  });

  it.each([
    [1_500, '1500'],
    [15_000, '15k'],
    [2_500_000, '2.5M'],
    [0.25, '0.25'],
  ])('%d is written %s', (value, expected) => {
    expect(shortNumber(value)).toBe(expected);
  });
});
