import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layoutTree, type TreeLayout } from '../../../renderer/run/tree/tree-layout';

function layoutOf(parents: readonly number[]): TreeLayout {
  return layoutTree({ length: parents.length, parentOf: (index) => parents[index] ?? -1 });
}

/** Parents of a random tree: each node hangs on an earlier one or on the root. */
const someTree = fc
  .array(fc.nat(), { maxLength: 200 })
  .map((numbers) => numbers.map((number, index) => (number % (index + 1)) - 1));

function manyNodes(count: number): number[] {
  return Array.from({ length: count }, (_, index) => ((index * 7919 + 13) % (index + 1)) - 1);
}

describe('the layout of a tree', () => {
  it('puts no two nodes in one cell', () => {
    fc.assert(
      fc.property(someTree, (parents) => {
        const { row, depth } = layoutOf(parents);
        const cells = new Set(Array.from(row, (r, slot) => `${r}:${depth[slot]}`));
        expect(cells.size).toBe(parents.length + 1);
      }),
    );
  });

  it('puts a parent in the row of its first child and one column before it', () => {
    fc.assert(
      fc.property(someTree, (parents) => {
        const { row, depth, firstChild } = layoutOf(parents);
        firstChild.forEach((child, slot) => {
          if (child === -1) return;
          expect(row[child]).toBe(row[slot]);
          expect(depth[child]).toBe((depth[slot] ?? 0) + 1);
        });
      }),
    );
  });

  it('keeps siblings in order of their index, whole subtrees one below the other', () => {
    fc.assert(
      fc.property(someTree, (parents) => {
        const { row, depth, parent, nextSibling } = layoutOf(parents);
        const span = (top: number): Map<number, { low: number; high: number }> => {
          const byDepth = new Map<number, { low: number; high: number }>();
          for (let slot = top; slot < row.length; slot++) {
            let at = slot;
            while (at > top) at = parent[at] as number;
            if (at !== top) continue;
            const r = row[slot] as number;
            const before = byDepth.get(depth[slot] as number) ?? { low: r, high: r };
            byDepth.set(depth[slot] as number, {
              low: Math.min(before.low, r),
              high: Math.max(before.high, r),
            });
          }
          return byDepth;
        };
        nextSibling.forEach((sibling, slot) => {
          if (sibling === -1) return;
          const above = span(slot);
          for (const [level, { low }] of span(sibling)) {
            expect(low).toBeGreaterThan(above.get(level)?.high ?? -1);
          }
        });
      }),
      { numRuns: 40 },
    );
  });

  it('moves nothing upwards when a node comes, and no elder sibling of its branch within the family', () => {
    fc.assert(
      fc.property(someTree, (parents) => {
        fc.pre(parents.length > 0);
        const after = layoutOf(parents);
        const before = layoutOf(parents.slice(0, -1));
        for (let slot = 0; slot < before.row.length; slot++) {
          expect(after.row[slot]).toBeGreaterThanOrEqual(before.row[slot] as number);
        }
        const positionOf = (layout: TreeLayout, slot: number): number =>
          (layout.row[slot] as number) - (layout.row[layout.parent[slot] as number] as number);
        for (let branch = parents.length; branch > 0; branch = after.parent[branch] as number) {
          let elder = after.firstChild[after.parent[branch] as number] as number;
          for (; elder !== branch; elder = after.nextSibling[elder] as number) {
            expect(positionOf(after, elder)).toBe(positionOf(before, elder));
          }
        }
      }),
    );
  });

  it('slides a childless sibling up next to the subtree of its elder', () => {
    // 0 has children 1 and 2; 3 is a second first attempt and needs no row below them.
    const { row } = layoutOf([-1, 0, 0, -1]);
    expect(Array.from(row)).toEqual([0, 0, 0, 1, 1]);
  });

  it('takes at most one step a node, for any shape', () => {
    for (const count of [1_000, 10_000, 100_000]) {
      expect(layoutOf(manyNodes(count)).steps).toBeLessThanOrEqual(count);
    }
    const comb = Array.from({ length: 10_000 }, (_, index) => (index % 2 === 0 ? index - 2 : index - 1));
    expect(layoutOf(comb.map((parent) => Math.max(-1, parent))).steps).toBeLessThanOrEqual(10_000);
  });

  it('lays out a chain of 100,000 refinements', () => {
    const chain = layoutOf(Array.from({ length: 100_000 }, (_, index) => index - 1));
    expect(chain.depths).toBe(100_001);
    expect(chain.rows).toBe(1);
  });

  it('lays out the root alone', () => {
    expect(layoutOf([])).toMatchObject({ rows: 1, depths: 1, steps: 0 });
  });
});
