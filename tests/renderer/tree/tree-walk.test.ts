import { describe, expect, it } from 'vitest';
import { indexRows } from '../../../renderer/run/tree/tree-hit';
import { layoutTree } from '../../../renderer/run/tree/tree-layout';
import { type Step, stepOfKey, walk } from '../../../renderer/run/tree/tree-walk';

//  0 ── 1 ── 4
//    └─ 2
//  3 ── 5
const parents = [-1, 0, 0, -1, 1, 3];
const layout = layoutTree({ length: parents.length, parentOf: (index) => parents[index] ?? -1 });
const rows = indexRows(layout);
const go = (from: number | null, step: Step): number | null => walk(layout, rows, from, step);

describe('walking a tree by keys', () => {
  it.each<[string, number | null, Step, number | null]>([
    ['right goes to the first child', 0, 'child', 1],
    ['right at a leaf goes nowhere', 4, 'child', null],
    ['left goes to the parent', 4, 'parent', 1],
    ['left at a first attempt goes nowhere: the problem is no node', 3, 'parent', null],
    ['down goes to the next sibling', 1, 'next', 2],
    ['down past the last sibling goes on in the column', 2, 'next', 5],
    ['down at the end of a column goes nowhere', 5, 'next', null],
    ['up comes back', 5, 'previous', 2],
    ['up at the top goes nowhere', 0, 'previous', null],
    ['Home goes to the first attempt', 5, 'first', 0],
    ['End goes to the newest node', 0, 'newest', 5],
    ['without a start any step begins at the first attempt', null, 'next', 0],
    ['a start that is gone counts as none', 99, 'next', 0],
  ])('%s', (_, from, step, to) => {
    expect(go(from, step)).toBe(to);
  });

  it('goes nowhere in a tree without nodes', () => {
    const empty = layoutTree({ length: 0, parentOf: () => -1 });
    expect(walk(empty, indexRows(empty), null, 'newest')).toBeNull();
  });

  it('knows the arrow keys, Home and End, and no others', () => {
    expect(stepOfKey('ArrowLeft')).toBe('parent');
    expect(stepOfKey('End')).toBe('newest');
    expect(stepOfKey('j')).toBeNull();
  });
});
