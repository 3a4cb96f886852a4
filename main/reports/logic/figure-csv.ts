import { type CsvCell, type CsvFile, csvFile } from '../../base/index';
import { smallPrint } from './reading';
import type { ReportFigure } from './report-figure';

function rowsOf(figure: ReportFigure): CsvCell[][] {
  switch (figure.kind) {
    case 'lines':
      return figure.series.flatMap(({ label, ofPaper = label, points, reference }) => [
        ...points.map((point) => [label, 'ours', point.x, point.y, point.low, point.high, null]),
        ...reference.map(({ x, y, source }) => [ofPaper, 'paper', x, y, null, null, source]),
      ]);
    case 'bars':
      return figure.series.flatMap(({ label, ofPaper = label, bars, reference }) =>
        figure.groups.flatMap((group, at) => {
          const bar = bars[at] ?? null;
          const value = reference[at] ?? null;
          return [
            ...(bar === null ? [] : [[label, 'ours', group, bar.y, bar.low, bar.high, null]]),
            ...(value === null
              ? []
              : [[ofPaper, 'paper', figure.groupsOfPaper?.[at] ?? group, value.y, null, null, value.source]]),
          ];
        }),
      );
    case 'grid':
      return figure.rows.flatMap(({ label, shares }) =>
        shares.map((share, at) => [label, 'ours', figure.problems[at] ?? null, share, null, null, null]),
      );
  }
}

/** What x and y are, as the picture's axes say. */
function axesOf(figure: ReportFigure): readonly [x: string, y: string] {
  switch (figure.kind) {
    case 'lines':
      return [figure.x.label.replace(', log scale', ''), figure.y.label];
    case 'bars':
      return ['who answered', figure.y.label];
    case 'grid':
      return [figure.x, 'share of the seeds that solve the problem'];
  }
}

/**
 * One row per point, in full precision. `whose`: "ours" or "paper", whose scale is the paper's; `source`: where that was read;
 * `x_is`, `y_is`: what they are; `about`, in the first row alone: on what ours was measured, and what the interval from `low` to `high` is.
 * Rates are in [0, 1].
 */
export function figureCsv(figure: ReportFigure): CsvFile {
  const [x, y] = axesOf(figure);
  const about = `${smallPrint(figure)} complete: whether all measurements of the figure are there.`;
  return csvFile(
    [
      'series',
      'whose',
      'x',
      'y',
      'low',
      'high',
      'source',
      'scale',
      'complete',
      'x_is',
      'y_is',
      'title',
      'about',
    ],
    rowsOf(figure).map((row, at) => [
      ...row,
      row[1] === 'paper' ? 'paper' : figure.scale,
      row[1] === 'paper' ? null : figure.complete ? 'yes' : 'no',
      ...[x, y.replace(`, ${figure.scale}`, '').replace(' (%)', ', in [0, 1]'), figure.title],
      at === 0 ? about : null,
    ]),
  );
}
