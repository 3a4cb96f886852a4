import type { RowIndex } from './tree-hit';
import { visitCells } from './tree-hit';
import type { TreeLayout } from './tree-layout';

export type Step = 'parent' | 'child' | 'previous' | 'next' | 'first' | 'newest';

const STEP_OF_KEY: Readonly<Record<string, Step>> = {
  ArrowLeft: 'parent',
  ArrowRight: 'child',
  ArrowUp: 'previous',
  ArrowDown: 'next',
  Home: 'first',
  End: 'newest',
};

/** The step of a key, by `KeyboardEvent.key`. */
export function stepOfKey(key: string): Step | null {
  return STEP_OF_KEY[key] ?? null;
}

/**
 * The node that a step leads to; null: none. Up and down go to the sibling and, past the last sibling, to the next node of
 * the same depth, so that a column can be read from end to end. Without a start node every step leads to the first
 * attempt, `newest` to the newest node.
 */
export function walk(layout: TreeLayout, index: RowIndex, from: number | null, step: Step): number | null {
  const newest = layout.row.length - 2;
  if (newest < 0) return null;
  if (step === 'newest') return newest;
  if (step === 'first' || from === null || from > newest) return 0;
  const slot = from + 1;
  switch (step) {
    case 'parent':
      return nodeOf(layout.parent[slot]);
    case 'child':
      return nodeOf(layout.firstChild[slot]);
    case 'next':
      return nodeOf(neighbour(layout, index, slot, 1));
    case 'previous':
      return nodeOf(neighbour(layout, index, slot, -1));
  }
}

/** Slot 0 is the problem, not a node. */
function nodeOf(slot: number | undefined): number | null {
  return slot === undefined || slot < 1 ? null : slot - 1;
}

function neighbour(layout: TreeLayout, index: RowIndex, slot: number, direction: 1 | -1): number {
  const depth = layout.depth[slot] as number;
  for (let row = (layout.row[slot] as number) + direction; row >= 0 && row < layout.rows; row += direction) {
    let nearest = -1;
    const cells = { firstRow: row, lastRow: row, firstDepth: depth, lastDepth: depth };
    visitCells(layout, index, cells, (slotInCell) => {
      nearest = slotInCell;
    });
    if (nearest !== -1) return nearest;
  }
  return -1;
}
