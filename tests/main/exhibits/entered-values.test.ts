import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createExhibitLibrary } from '../../../main/exhibits';
import { emptyResult } from '../../../main/plans/reproductions/reproduction-result';
import { renderTable } from '../../../main/reports';
import { exhibitFigures } from '../../../main/reports/logic/exhibit-figures';
import { exhibitTable } from '../../../main/reports/logic/exhibit-tables';
import {
  type EnteredValue,
  type Exhibit,
  enteredValueSchema,
  exhibitSchema,
} from '../../../preload/contract';
import { withEnteredOf } from '../../../preload/contract/plans';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

const BUILT_IN = join(import.meta.dirname, '../../../resources/exhibits');

async function openLibrary() {
  const ownFolder = join(await temporaryFolder(), 'exhibits');
  return { library: createExhibitLibrary({ builtInFolder: BUILT_IN, ownFolder }), ownFolder };
}

const SYSTEMS = 'mars2-systems';
const cell = (row: string, column: string, value: number, more: Partial<EnteredValue> = {}): EnteredValue =>
  enteredValueSchema.parse({ at: { kind: 'cell', row, column }, value, page: 7, where: 'Table 3', ...more });
const point = (line: string, x: number, value: number): EnteredValue =>
  enteredValueSchema.parse({ at: { kind: 'point', line, x }, value, page: 9, where: 'Figure 4' });

/** A cell of the paper that our sources have no value of. */
function lackingCell(exhibit: Exhibit) {
  const ours = new Set(exhibit.rows.filter((row) => row.ours).map(({ id }) => id));
  const found = exhibit.cells.find(({ row, reference }) => reference.length === 0 && !ours.has(row));
  if (found === undefined) throw new Error('Every cell has a value');
  return found;
}

function sourceOf(exhibit: Exhibit) {
  return { exhibit, seeds: [11], result: emptyResult(exhibit, 'pocket'), analysis: null };
}

describe('values of the paper that a lab enters', () => {
  test('stand in the exhibit and in every format with page and table, and are there after a restart', async () => {
    const { library, ownFolder } = await openLibrary();
    const { row, column } = lackingCell((await unwrap(library.get(SYSTEMS))).exhibit);
    const entry = await unwrap(library.setValues(SYSTEMS, [cell(row, column, 74.3, { note: 'v2; bold' })]));
    const source = 'Entered by the lab from p. 7, Table 3 (v2, bold)';
    expect(entry.entered).toHaveLength(1);
    const again = createExhibitLibrary({ builtInFolder: BUILT_IN, ownFolder });
    const { exhibit, digest } = await unwrap(again.get(SYSTEMS));
    const shown = exhibit.cells.find((one) => one.row === row && one.column === column);
    expect(shown?.reference).toEqual([{ value: 74.3, unit: '%', source }]);
    // The file itself has not changed.
    expect(digest).toBe((await unwrap(library.get(SYSTEMS))).digest);
    for (const format of ['csv', 'csv-long', 'latex', 'markdown', 'json'] as const) {
      expect(renderTable(exhibitTable(sourceOf(exhibit)), format).toString()).toContain(source);
    }
    expect(exhibitSchema.safeParse(exhibit).success).toBe(true);
  });

  test('a second value of the same cell takes the place of the first, and a removed one is gone', async () => {
    const { library } = await openLibrary();
    const { row, column } = lackingCell((await unwrap(library.get(SYSTEMS))).exhibit);
    await unwrap(library.setValues(SYSTEMS, [cell(row, column, 70)]));
    const edited = await unwrap(library.setValues(SYSTEMS, [cell(row, column, 71, { page: 8 })]));
    expect(edited.entered).toEqual([cell(row, column, 71, { page: 8 })]);
    const removed = await unwrap(library.removeValue(SYSTEMS, edited.entered?.[0]?.at ?? cell('', '', 0).at));
    expect(removed.entered).toBeUndefined();
    const none = await library.removeValue(SYSTEMS, cell(row, column, 0).at);
    expect(none).toMatchObject({ ok: false, error: { code: 'not-found' } });
  });

  test.each<[string, EnteredValue, RegExp]>([
    ['no such cell', cell('nobody', 'pass-n', 50), /no cell "nobody.pass-n".*ROW.COLUMN/],
    ['more than all problems', cell('8b-base', 'pass-n', 750), /750 is no percentage/],
    ['a table without a figure', point('RS²', 60, 50), /has no figure/],
  ])('%s is refused, and nothing is entered', async (_, value, message) => {
    const { library } = await openLibrary();
    const good = cell('8b-base', 'pass-n', 50);
    const refused = await library.setValues(SYSTEMS, [good, value]);
    expect(refused).toMatchObject({ ok: false, error: { message: expect.stringMatching(message) } });
    expect((await unwrap(library.get(SYSTEMS))).entered).toBeUndefined();
  });

  test('a control of ours has no value of the paper', async () => {
    const { library } = await openLibrary();
    const { rows, cells } = (await unwrap(library.get(SYSTEMS))).exhibit;
    const ours = rows.find((row) => row.ours)?.id ?? '';
    const column = cells.find(({ row }) => row === ours)?.column ?? '';
    const refused = await library.setValues(SYSTEMS, [cell(ours, column, 50)]);
    expect(refused).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('addition of ours') },
    });
  });

  test.each([
    { page: 0 },
    { page: 1.5 },
    { where: ' ' },
    { where: 'x'.repeat(61) },
    { note: 'x'.repeat(201) },
    { value: Number.NaN },
  ])('%j is no value', (change) => {
    expect(enteredValueSchema.safeParse({ ...cell('8b-base', 'pass-n', 50), ...change }).success).toBe(false);
  });

  test('points of a line that only the paper has are drawn as a line of the paper, with their source', async () => {
    const { library } = await openLibrary();
    const { exhibit } = await unwrap(
      library.setValues('learning-curves', [point('Homo-MARS²', 200, 52), point('Homo-MARS²', 100, 48)]),
    );
    const [figure] = exhibitFigures({ ...sourceOf(exhibit), hues: new Map() });
    const line = figure?.kind === 'lines' ? figure.series.at(-1) : undefined;
    expect(line).toMatchObject({
      label: 'Homo-MARS² (paper)',
      reference: [
        { x: 100, y: 0.48, source: 'Entered by the lab from p. 9, Figure 4' },
        { x: 200, y: 0.52 },
      ],
    });
    expect(figure?.legend.join(' ')).toContain('Entered by the lab from p. 9, Figure 4');
  });

  test('a CSV file is taken whole, or its wrong lines are named', async () => {
    const { library } = await openLibrary();
    const csv = 'row,column,value,page,where,note\n8b-base,pass-n,69.7,7,"Table 3, left",\n\n';
    const entry = await unwrap(library.importValues(SYSTEMS, csv));
    expect(entry.entered).toEqual([cell('8b-base', 'pass-n', 69.7, { where: 'Table 3, left' })]);
    const wrong = `${csv}8b-grpo,pass-n,,7,Table 3,\n8b-grpo,pass-n,70,0,Table 3,\n`;
    const refused = await library.importValues(SYSTEMS, wrong);
    expect(refused).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/Line 4: value.*Line 5: page/) },
    });
    const unknown = await library.importValues(SYSTEMS, 'row,colour,value\n');
    expect(unknown).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/no column "colour".*"page" is missing/) },
    });
  });

  test('a file that cannot be read is named, hides no exhibit, and is not written over', async () => {
    const { library, ownFolder } = await openLibrary();
    const path = join(ownFolder, 'entered', `${SYSTEMS}.json`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, '{ "version": 1, "values": [');
    const { exhibits, problems } = await library.list();
    expect(exhibits.some(({ exhibit }) => exhibit.id === SYSTEMS)).toBe(true);
    expect(problems).toEqual([{ file: path, problems: [expect.objectContaining({ path: '' })] }]);
    expect(await library.setValues(SYSTEMS, [cell('8b-base', 'pass-n', 50)])).toMatchObject({ ok: false });
    expect(await readFile(path, 'utf8')).toBe('{ "version": 1, "values": [');
  });

  test('results that were measured before have what is entered later, and not what was removed', async () => {
    const { library } = await openLibrary();
    const recorded = (await unwrap(library.get(SYSTEMS))).exhibit;
    const entered = (await unwrap(library.setValues(SYSTEMS, [cell('8b-base', 'pass-n', 50)]))).exhibit;
    const merged = withEnteredOf(recorded, entered);
    expect(merged).toEqual(entered);
    expect(withEnteredOf(merged, entered)).toEqual(entered);
    expect(withEnteredOf(merged, recorded)).toEqual(recorded);
  });
});
