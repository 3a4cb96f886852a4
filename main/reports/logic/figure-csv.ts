import { type CsvCell, type CsvFile, csvFile } from '../../base/index';
import type { ReportFigure } from './report-figure';

function rowsOf(figure: ReportFigure): CsvCell[][] {
  switch (figure.kind) {
    case 'lines':
      return figure.series.flatMap(({ label, points, reference }) => [
        ...points.map((point) => [label, 'ours', point.x, point.y, point.low, point.high, null]),
        ...reference.map(({ x, y, source }) => [label, 'paper', x, y, null, null, source]),
      ]);
    case 'bars':
      return figure.series.flatMap(({ label, bars, reference }) =>
        figure.groups.flatMap((group, at) => {
          const bar = bars[at] ?? null;
          const value = reference[at] ?? null;
          return [
            ...(bar === null ? [] : [[label, 'ours', group, bar.y, bar.low, bar.high, null]]),
            ...(value === null ? [] : [[label, 'paper', group, value.y, null, null, value.source]]),
          ];
        }),
      );
    case 'grid':
      return figure.rows.flatMap(({ label, shares }) =>
        shares.map((share, at) => [label, 'ours', at + 1, share, null, null, null]),
      );
  }
}

/** One row per point, in full precision. `whose`: "ours" or "paper", whose scale is the paper's; `source`: where that was read. */
export function figureCsv(figure: ReportFigure): CsvFile {
  return csvFile(
    ['series', 'whose', 'x', 'y', 'low', 'high', 'source', 'scale', 'complete'],
    rowsOf(figure).map((row) => [
      ...row,
      row[1] === 'paper' ? 'paper' : figure.scale,
      figure.complete ? 'yes' : 'no',
    ]),
  );
}
