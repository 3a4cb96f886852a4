import type { TableNote } from './printed-notes';
import { estimatesIn, type ReportCell, type ReportTable } from './report-table';

/** Behind a value that does not differ significantly from what it was tested against. */
export const TIES = '\u2020';
/** Behind a value that could not be tested, in a table where others were. */
export const UNTESTED = '\u00a7';

/** How values of an exhibit were tested: where its differences are listed, and where there is no room for them. */
export const DIFFERENCES_NOTE = 'the differences below say how';
export const LARGER_P = 'the larger p of paired bootstrap over the problems and paired t test over the seeds';

/** Whether a test of a measured value was made. */
export function isTested({ ours, test }: Extract<ReportCell, { kind: 'estimate' }>): boolean {
  return ours !== null && typeof test?.isSignificant === 'boolean';
}

/** What bold, \u2020 and \u00a7 mean here: a conclusion only where a test was made. */
export function boldNotes(table: ReportTable, hasTests: boolean): TableNote[] {
  const columns = table.columns.flatMap(({ printed, label }, at) =>
    printed ? [{ label, cells: estimatesIn(table.rows.map((row) => row.cells[at])) }] : [],
  );
  const shown = columns.flatMap(({ cells }) => cells).filter(({ ours }) => ours !== null);
  if (!shown.some(({ best, test }) => best || test !== null)) return [];
  const isGrouped = table.rows.some(({ group }) => group !== '');
  const withPaper = shown.some(({ reference }) => reference.length > 0);
  const highestOf = (ours: string, group: string): string =>
    `Bold: the highest of ${withPaper ? `${ours} in its` : 'its'} ${table.bestOf === 'row' ? 'row' : `column${isGrouped ? ` and ${group}` : ''}`}`;
  const highest = highestOf('our values', 'group of rows');
  if (!hasTests) return [{ full: `${highest}; no test was made.` }];
  const methods = [...new Set(shown.flatMap(({ test }) => test?.against ?? []))];
  const against =
    methods.length === 0
      ? 'the bold value'
      : `${methods.map((method) => `"${method}"`).join(' or ')}${methods.length > 1 ? ' of its group' : ''}`;
  const tested = columns.filter(({ cells }) => cells.some(isTested)).map(({ label }) => label);
  // Where methods are columns, one metric has several of them.
  const isInPart =
    methods.length > 0 &&
    table.bestOf !== 'row' &&
    columns.some(({ cells }) => cells.length > 0 && !cells.some(isTested));
  const how = methods.length === 0 ? (table.tests ?? '') : DIFFERENCES_NOTE;
  const parts = [
    `${highest}${methods.length === 0 ? '' : ', significantly or not'}. ${isInPart ? `Tested in ${tested.join(', ')} only. ` : ''}${TIES}: no significant difference from ${against} was found (p \u2265 0.05 after Holm's correction${how === '' ? '' : `; ${how}`}), which does not show that there is none`,
    ...(shown.some(({ test }) => test?.isSignificant === null) ? [`${UNTESTED}: not tested against it`] : []),
    ...(shown.some(({ test }) => test?.isSignificant === true)
      ? [
          `${withPaper ? 'our values' : 'values'}${methods.length > 0 ? ' of other methods' : ''} without a mark${isInPart ? ' there' : ''} differ significantly`,
        ]
      : []),
  ];
  const full = `${parts.join('; ')}.${withPaper ? " The paper's values were not tested." : ''}`;
  const test = how === DIFFERENCES_NOTE ? LARGER_P : how;
  const where = isInPart ? ` in ${tested.join(', ')}` : '';
  const print = [
    `${highestOf('ours', 'group')}. ${TIES}: no significant difference from ${against}${where} (p \u2265 0.05 after Holm${test === '' ? '' : `; ${test}`}), which does not show equality${isInPart ? '; other columns are not tested' : ''}`,
    ...(shown.some(({ test: one }) => one?.isSignificant === null) ? [`${UNTESTED}: not tested`] : []),
    ...(shown.some(({ test: one }) => one?.isSignificant === true) ? ['no mark: significant'] : []),
  ];
  return [{ full, print: `${print.join('; ')}.` }];
}
