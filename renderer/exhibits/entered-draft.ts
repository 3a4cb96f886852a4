import type { EnteredPlace, EnteredValue } from '../../preload/contract/entered-value';
import type { Exhibit } from '../../preload/contract/exhibit';
import { cellKey, cellsOfPaper, enteredProblem } from '../../preload/contract/plans/index';
import { rowName } from './table-layout';

/** Where a line that only the paper's figure has is entered. */
const NEW_LINE = 'line:';

/** The form as it is typed. `target`: "cell:ROW.COLUMN", "series:ID", or "line:" for a line by its name. */
export type EnteredDraft = {
  readonly target: string;
  readonly line: string;
  readonly x: string;
  readonly value: string;
  readonly page: string;
  readonly where: string;
  readonly note: string;
};

export type DraftErrors = Partial<Record<keyof EnteredDraft, string>>;

/** The cells and lines that values can be entered for: those without a value first. */
export function enteredTargets(exhibit: Exhibit): readonly { value: string; label: string }[] {
  const cells = cellsOfPaper(exhibit);
  const named = [...cells.filter(isLacking), ...cells.filter((cell) => !isLacking(cell))].map((cell) => {
    const row = exhibit.rows.find(({ id }) => id === cell.row);
    const column = exhibit.columns.find(({ id }) => id === cell.column);
    const name = `${row === undefined ? cell.row : rowName(row)}: ${column?.label ?? cell.column}`;
    return { value: `cell:${cellKey(cell)}`, label: isLacking(cell) ? name : `${name} (has a value)` };
  });
  const lines = exhibit.series
    .filter(({ ours }) => ours !== true)
    .map(({ id, label }) => ({ value: `series:${id}`, label: `Line: ${label}` }));
  const more =
    exhibit.series.length === 0 ? [] : [{ value: NEW_LINE, label: 'A line that only the paper has' }];
  return [...named, ...lines, ...more];
}

function isLacking({ reference }: Exhibit['cells'][number]): boolean {
  return reference.length === 0;
}

/** `chosen`: a cell or line of the screen; null: the first that lacks a value. */
export function emptyDraft(exhibit: Exhibit, chosen: string | null): EnteredDraft {
  const targets = enteredTargets(exhibit).map(({ value }) => value);
  const preselected = targets.find((value) => value === `cell:${chosen}` || value === `series:${chosen}`);
  const target = preselected ?? (chosen === null ? undefined : targets.find((value) => value === NEW_LINE));
  return { target: target ?? targets[0] ?? '', line: '', x: '', value: '', page: '', where: '', note: '' };
}

export function draftOf(exhibit: Exhibit, { at, value, page, where, note }: EnteredValue): EnteredDraft {
  const shared = { value: String(value), page: String(page), where, note };
  if (at.kind === 'cell') return { ...shared, target: `cell:${at.row}.${at.column}`, line: '', x: '' };
  const isKnown = exhibit.series.some(({ id }) => id === at.line);
  return {
    ...shared,
    target: isKnown ? `series:${at.line}` : NEW_LINE,
    line: isKnown ? '' : at.line,
    x: String(at.x),
  };
}

export function isPoint({ target }: Pick<EnteredDraft, 'target'>): boolean {
  return !target.startsWith('cell:');
}

export function isNewLine({ target }: Pick<EnteredDraft, 'target'>): boolean {
  return target === NEW_LINE;
}

/** The value, or what is wrong in which field. */
export function checkEntered(
  exhibit: Exhibit,
  draft: EnteredDraft,
): { readonly value: EnteredValue | null; readonly errors: DraftErrors } {
  const value = numberOf(draft.value);
  const page = numberOf(draft.page);
  const x = numberOf(draft.x);
  const errors: DraftErrors = {
    ...(value === null && { value: 'Write the number as it is in the paper, e.g. 61.7.' }),
    ...((page === null || !Number.isInteger(page) || page < 1 || page > 9_999) && {
      page: 'Write the page of the PDF, from 1.',
    }),
    ...(draft.where.trim() === '' && { where: 'Write the table or figure, e.g. Table 3.' }),
    ...(isPoint(draft) && (x === null || x < 0) && { x: 'Write where the point is, from 0.' }),
    ...(isNewLine(draft) && draft.line.trim() === '' && { line: 'Write its name in the figure.' }),
  };
  if (value === null || page === null || Object.keys(errors).length > 0) return { value: null, errors };
  const entered = {
    at: placeOf(draft, x ?? 0),
    ...{ value, page, where: draft.where.trim(), note: draft.note.trim() },
  };
  const problem = enteredProblem({ ...exhibit, cells: exhibit.cells.map(withoutReference) }, entered);
  return problem === null ? { value: entered, errors: {} } : { value: null, errors: { value: problem } };
}

/** Only a full cell is refused for its references, which main knows without those that were entered. */
function withoutReference(cell: Exhibit['cells'][number]): typeof cell {
  return { ...cell, reference: [] };
}

function placeOf({ target, line }: EnteredDraft, x: number): EnteredPlace {
  if (target === NEW_LINE) return { kind: 'point', line: line.trim(), x };
  const [kind, name = ''] = target.split(/:(.*)/s);
  if (kind === 'series') return { kind: 'point', line: name, x };
  const [row = '', column = ''] = name.split('.');
  return { kind: 'cell', row, column };
}

/** null: no number. */
function numberOf(text: string): number | null {
  const trimmed = text.trim().replace(',', '.');
  const number = Number(trimmed);
  return trimmed === '' || !Number.isFinite(number) || Math.abs(number) > 1e9 ? null : number;
}
