import type { EnteredPlace, EnteredValue } from '../entered-value';
import type { Exhibit, ExhibitReference, ExhibitSeries } from '../exhibit';
import type { ReproductionView } from '../reproduction';
import { measuresRate } from './exhibit-units';

const ENTERED = 'Entered by the lab from ';
/** Most values of a cell that an exhibit's file may name. */
const MAX_REFERENCES = 6;

/** The source of an entered value, wherever the paper's values are shown or exported. A table separates sources by ";". */
export function enteredSource({ page, where, note }: Omit<EnteredValue, 'at' | 'value'>): string {
  const location = [where, ...(note === '' ? [] : [`(${note})`])].join(' ');
  return `${ENTERED}p. ${page}, ${location.replaceAll(';', ',')}`;
}

/** Was a value entered by a lab, here or in the one that a bundle is from? */
export function isEntered({ source }: Pick<ExhibitReference, 'source'>): boolean {
  return source.startsWith(ENTERED);
}

/** Was a value read in texts about the paper alone, not in it? A source separates its texts by ";". */
export function isSecondHand({ source }: Pick<ExhibitReference, 'source'>): boolean {
  return source.split('; ').every((part) => part.includes('second-hand'));
}

/** Has an exhibit any value that a lab has entered? */
export function hasEntered({ cells, series, paperLines = [] }: Exhibit): boolean {
  return [...cells, ...series, ...paperLines].some((one) =>
    (one.reference as readonly Pick<ExhibitReference, 'source'>[]).some(isEntered),
  );
}

export function sameEnteredPlace(a: EnteredPlace, b: EnteredPlace): boolean {
  if (a.kind === 'cell') return b.kind === 'cell' && a.row === b.row && a.column === b.column;
  return b.kind === 'point' && a.line === b.line && a.x === b.x;
}

/** "8b-base.pass-1", "Heter-MARS², x = 60". */
export function enteredPlaceText(at: EnteredPlace): string {
  return at.kind === 'cell' ? `${at.row}.${at.column}` : `${at.line}, x = ${at.x}`;
}

/** Cells of the paper: those whose row and column are not additions of ours. */
export function cellsOfPaper({ cells, rows, columns }: Exhibit): Exhibit['cells'] {
  const ours = new Set([...rows, ...columns].filter((line) => line.ours === true).map(({ id }) => id));
  return cells.filter(({ row, column }) => !ours.has(row) && !ours.has(column));
}

/** The place with the id of the line that is meant by its label in the exhibit. */
export function placeInExhibit({ series }: Pick<Exhibit, 'series'>, at: EnteredPlace): EnteredPlace {
  if (at.kind === 'cell' || series.some(({ id }) => id === at.line)) return at;
  return { ...at, line: series.find(({ label }) => label === at.line)?.id ?? at.line };
}

/** Why a value cannot stand in the exhibit, with what to do; null: it can. */
export function enteredProblem(exhibit: Exhibit, { at, value }: EnteredValue): string | null {
  const name = enteredPlaceText(at);
  if (at.kind === 'point') {
    if (exhibit.series.length === 0) return `"${exhibit.title}" has no figure. Name a row and a column.`;
    const line = exhibit.series.find(({ id }) => id === at.line);
    if (line?.ours === true) {
      return `The line "${at.line}" is an addition of ours. Give the paper's line the name that it has there.`;
    }
    return inPercent(value, name);
  }
  const cell = exhibit.cells.find(({ row, column }) => row === at.row && column === at.column);
  if (cell === undefined) {
    return `There is no cell "${name}". Cells are named ROW.COLUMN, e.g. "${firstCell(exhibit)}".`;
  }
  if (!cellsOfPaper(exhibit).includes(cell)) {
    return `The cell "${name}" is an addition of ours: the paper has no value of it.`;
  }
  if (cell.reference.length >= MAX_REFERENCES) return `The cell "${name}" has ${MAX_REFERENCES} values.`;
  return measuresRate(cell.measure) ? inPercent(value, name) : null;
}

function inPercent(value: number, name: string): string | null {
  return value >= 0 && value <= 100 ? null : `${name}: ${value} is no percentage. Write 0 to 100.`;
}

function firstCell(exhibit: Exhibit): string {
  const [cell] = cellsOfPaper(exhibit);
  return cell === undefined ? '' : `${cell.row}.${cell.column}`;
}

/** The exhibit with the entered values behind those of its file. What does not fit its file any more is left out. */
export function withEntered(exhibit: Exhibit, values: readonly EnteredValue[]): Exhibit {
  const fitting = values.filter((value) => enteredProblem(exhibit, value) === null);
  if (fitting.length === 0) return exhibit;
  const cells = exhibit.cells.map((cell) => {
    const own = fitting.filter(
      ({ at }) => at.kind === 'cell' && at.row === cell.row && at.column === cell.column,
    );
    const unit = measuresRate(cell.measure) ? ('%' as const) : ('number' as const);
    const read = own.map((one) => ({ value: one.value, unit, source: enteredSource(one) }));
    return read.length === 0 ? cell : { ...cell, reference: [...cell.reference, ...read] };
  });
  const points = new Map<string, ExhibitSeries['reference']>();
  for (const one of fitting) {
    if (one.at.kind !== 'point') continue;
    const point = { x: one.at.x, y: one.value, source: enteredSource(one) };
    points.set(one.at.line, [...(points.get(one.at.line) ?? []), point]);
  }
  const series = exhibit.series.map((line) => ({
    ...line,
    reference: inOrder([...line.reference, ...(points.get(line.id) ?? [])]),
  }));
  const known = new Set(exhibit.series.map(({ id }) => id));
  const added = [...points].filter(([line]) => !known.has(line));
  const paperLines = [
    ...(exhibit.paperLines ?? []),
    ...added.map(([label, reference]) => ({ label, reference: inOrder(reference) })),
  ];
  return { ...exhibit, cells, series, ...(paperLines.length === 0 ? {} : { paperLines }) };
}

function inOrder(points: ExhibitSeries['reference']): ExhibitSeries['reference'] {
  return points.toSorted((a, b) => a.x - b.x);
}

/**
 * An exhibit as it was recorded, with the values that the lab has entered by now: they are the paper's, so they belong to
 * results that were measured before.
 */
export function withEnteredOf(recorded: Exhibit, current: Exhibit): Exhibit {
  const merged = <T extends Pick<ExhibitReference, 'source'>>(own: readonly T[], now: readonly T[]): T[] => [
    ...own.filter((one) => !isEntered(one)),
    ...now.filter(isEntered),
  ];
  const { paperLines: _, ...rest } = recorded;
  const lines = current.paperLines ?? [];
  return {
    ...rest,
    cells: recorded.cells.map((cell) => {
      const now = current.cells.find(({ row, column }) => row === cell.row && column === cell.column);
      return { ...cell, reference: merged(cell.reference, now?.reference ?? []) };
    }),
    series: recorded.series.map((line) => {
      const now = current.series.find(({ id }) => id === line.id);
      return { ...line, reference: inOrder(merged(line.reference, now?.reference ?? [])) };
    }),
    ...(lines.length === 0 ? {} : { paperLines: lines }),
  };
}

/** The exhibit as a reproduction shows it: one of another lab with the values that they have entered, not with ours. */
export function exhibitOfReproduction(
  exhibit: Exhibit,
  reproduction: Pick<ReproductionView, 'entered'> | null,
): Exhibit {
  return reproduction?.entered === undefined ? exhibit : withEnteredOf(exhibit, reproduction.entered);
}
