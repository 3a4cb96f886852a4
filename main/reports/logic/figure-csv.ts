import { type CsvCell, type CsvFile, csvFile } from '../../base/index';
import type { ReportFigure } from './report-figure';

function rowsOf(figure: ReportFigure): CsvCell[][] {
  switch (figure.kind) {
    case 'lines':
      return figure.series.flatMap(({ label, points, reference }) => [
        ...points.map((point) => [label, 'ours', point.x, point.y, point.low, point.high]),
        ...reference.map(({ x, y }) => [label, 'paper', x, y, null, null]),
      ]);
    case 'bars':
      return figure.series.flatMap(({ label, bars, reference }) =>
        figure.groups.flatMap((group, at) => {
          const bar = bars[at] ?? null;
          const value = reference[at] ?? null;
          return [
            ...(bar === null ? [] : [[label, 'ours', group, bar.y, bar.low, bar.high]]),
            ...(value === null ? [] : [[label, 'paper', group, value, null, null]]),
          ];
        }),
      );
    case 'grid':
      return figure.rows.flatMap(({ label, shares }) =>
        shares.map((share, at) => [label, 'ours', at + 1, share, null, null]),
      );
  }
}

/** One row per point, in full precision. `whose`: "ours" or "paper". */
export function figureCsv(figure: ReportFigure): CsvFile {
  return csvFile(
    ['series', 'whose', 'x', 'y', 'low', 'high', 'scale', 'complete'],
    rowsOf(figure).map((row) => [...row, figure.scale, figure.complete ? 'yes' : 'no']),
  );
}
