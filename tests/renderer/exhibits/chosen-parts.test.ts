import { describe, expect, it } from 'vitest';
import { chosenKeys, oursOf, partsWith } from '../../../preload/contract/plans';
import { choiceOf, chosenOurs, chosenText, defaultParts } from '../../../renderer/exhibits/chosen-parts';
import { builtInExhibit } from '../../support/plan-inputs';

const homogeneous = builtInExhibit('homogeneous');

describe('what of an exhibit is measured', () => {
  it('is all of it at pocket scale, and at paper scale all but our controls', () => {
    const controls = homogeneous.rows.flatMap(({ id, ours }) => (ours === true ? [id] : []));
    const [pocket, paper] = [defaultParts(homogeneous, 'pocket'), defaultParts(homogeneous, 'paper')];
    expect(controls.length).toBeGreaterThan(0);
    expect(pocket.rows).toEqual(homogeneous.rows.map(({ id }) => id));
    expect(pocket.rows.filter((id) => !paper.rows.includes(id))).toEqual(controls);
    expect(chosenKeys(homogeneous, pocket)).toHaveLength(homogeneous.cells.length);
  });

  it('has the lines of learning curves at paper scale, though all are ours', () => {
    const curves = builtInExhibit('learning-curves');
    expect(defaultParts(curves, 'paper').lines).toEqual(curves.series.map(({ id }) => id));
  });

  it('loses and gets all that is ours at once, and keeps what else is chosen', () => {
    const usual = defaultParts(homogeneous, 'pocket');
    const first = { ...usual, rows: usual.rows.slice(1) };
    const without = partsWith(homogeneous, first, oursOf(homogeneous), false);
    expect(chosenOurs(homogeneous, first)).toMatchObject({ number: 10, chosen: 10 });
    expect(chosenOurs(homogeneous, without)).toMatchObject({ number: 10, chosen: 0 });
    expect(without.rows).toHaveLength(14);
    expect(partsWith(homogeneous, without, oursOf(homogeneous), true)).toEqual(first);
    // All lines are ours there; of these the controls.
    expect(oursOf(builtInExhibit('learning-curves')).lines).toHaveLength(4);
  });

  it('are the cells in a chosen row and a chosen column', () => {
    const usual = defaultParts(homogeneous, 'pocket');
    const [row = ''] = usual.rows;
    const [first = '', second = ''] = usual.columns;
    expect(chosenKeys(homogeneous, { rows: [row], columns: [first, second], lines: [] })).toEqual([
      `${row}.${first}`,
      `${row}.${second}`,
    ]);
    expect(chosenKeys(homogeneous, { ...usual, columns: [] })).toEqual([]);
  });

  it('is no choice where everything usual is ticked again', () => {
    const usual = defaultParts(homogeneous, 'paper');
    expect(choiceOf(homogeneous, 'paper', { ...usual })).toBeNull();
    const fewer = { ...usual, rows: usual.rows.slice(1) };
    expect(choiceOf(homogeneous, 'paper', fewer)).toBe(fewer);
  });

  it('is named by what is left of it', () => {
    const usual = defaultParts(homogeneous, 'pocket');
    expect(chosenText(homogeneous, { ...usual, rows: usual.rows.slice(0, 3) })).toBe(
      `3 of ${homogeneous.rows.length} rows`,
    );
  });
});
