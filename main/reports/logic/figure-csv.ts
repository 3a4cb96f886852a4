import type { AtHand } from '../../../preload/contract/index';
import { type CsvCell, type CsvFile, csvFile } from '../../base/index';
import { figureText } from './reading';
import type { ReportFigure } from './report-figure';

/** A point, and what is behind its line where that is of runs or trainings at hand. */
type Row = { readonly cells: readonly CsvCell[]; readonly atHand?: AtHand | undefined };

function rowsOf(figure: ReportFigure): Row[] {
  switch (figure.kind) {
    case 'lines':
      return figure.series.flatMap(({ label, ofPaper = label, points, reference, atHand }): Row[] => [
        ...points.map(({ x, y, low, high }) => ({ cells: [label, 'ours', x, y, low, high, null], atHand })),
        ...reference.map(({ x, y, source }) => ({ cells: [ofPaper, 'paper', x, y, null, null, source] })),
      ]);
    case 'bars':
      return figure.series.flatMap(({ label, ofPaper = label, bars, reference }) =>
        figure.groups.flatMap((group, at): Row[] => {
          const bar = bars[at] ?? null;
          const value = reference[at] ?? null;
          const ofGroup = figure.groupsOfPaper?.[at] ?? group;
          return [
            ...(bar === null ? [] : [{ cells: [label, 'ours', group, bar.y, bar.low, bar.high, null] }]),
            ...(value === null
              ? []
              : [{ cells: [ofPaper, 'paper', ofGroup, value.y, null, null, value.source] }]),
          ];
        }),
      );
    case 'grid':
      return figure.rows.flatMap(({ label, shares }) =>
        shares.map((share, at) => ({
          cells: [label, 'ours', figure.problems[at] ?? null, share, null, null, null],
        })),
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

/** For lines of runs and trainings at hand; other figures have no such columns. */
const SOURCE_COLUMNS = ['seed_numbers', 'problems', 'problems_of', 'models', 'trainings'];

function sourceCells(atHand: AtHand | undefined): CsvCell[] {
  if (atHand === undefined) return SOURCE_COLUMNS.map(() => null);
  const { seeds, problems, benchmarks, models, trainings = [] } = atHand;
  return [
    seeds.join(' '),
    problems ?? null,
    benchmarks.join(' and '),
    models.join(' + '),
    trainings.map(({ id, name }) => `${name} (${id})`).join('; ') || null,
  ];
}

/**
 * One row per point, in full precision. `whose`: "ours" or "paper", whose scale is the paper's; `source`: where that was read;
 * `x_is`, `y_is`: what they are; of lines of runs and trainings at hand also their seeds, problems, models and trainings; `about`, in the first row alone: on what ours was measured, and what the interval from `low` to `high` is.
 * Rates are in [0, 1].
 */
export function figureCsv(figure: ReportFigure): CsvFile {
  const [x, y] = axesOf(figure);
  const rows = rowsOf(figure);
  const hasSources = rows.some(({ atHand }) => atHand !== undefined);
  const about = `${figureText(figure)} complete: whether all measurements of the figure are there.`;
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
      ...(hasSources ? SOURCE_COLUMNS : []),
    ],
    rows.map(({ cells, atHand }, at) => [
      ...cells,
      cells[1] === 'paper' ? 'paper' : (atHand?.scale ?? figure.scale),
      cells[1] === 'paper' ? null : figure.complete ? 'yes' : 'no',
      ...[x, y.replace(`, ${figure.scale}`, '').replace(' (%)', ', in [0, 1]'), figure.title],
      at === 0 ? about : null,
      ...(hasSources ? sourceCells(atHand) : []),
    ]),
  );
}
