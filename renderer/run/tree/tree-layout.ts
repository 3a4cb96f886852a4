/** What the layout needs of a node: its parent's index, below its own; -1 is the root (the problem). */
export type TreeShape = { readonly length: number; readonly parentOf: (index: number) => number };

/**
 * Where nodes stand: depth runs to the right, rows run down, both in whole cells, and no two nodes share a cell.
 * Arrays are by slot: slot 0 is the root, node `i` has slot `i + 1`.
 */
export type TreeLayout = {
  /** Column: 0 for the root, 1 for first attempts. */
  readonly depth: Int32Array;
  readonly row: Int32Array;
  /** Slot of the parent; -1 for the root. */
  readonly parent: Int32Array;
  /** Slot of the first and the last child in order of index; -1 where there is none. */
  readonly firstChild: Int32Array;
  readonly lastChild: Int32Array;
  /** Slot of the next younger sibling; -1 where there is none. */
  readonly nextSibling: Int32Array;
  readonly rows: number;
  readonly depths: number;
  /** Contour steps that were taken: at most one per node, which is what makes the layout linear. */
  readonly steps: number;
};

/**
 * A contour layout in the manner of Reingold and Tilford (1981), with one departure: a parent stands in the row of
 * its first child instead of the middle of its children. So a chain of refinements reads as one line, and a new
 * node moves nothing upwards and no elder sibling of its branch: at most its branch and what follows is pushed down.
 *
 * Subtrees are packed as closely as their contours allow. Contours are linked lists (`threads`) through the nodes,
 * so joining two subtrees costs the depth of the shallower one, and all joins together at most one step per node.
 * Walks go by index, since a parent's index is below its children's: there is no recursion to run out of stack.
 */
export function layoutTree(shape: TreeShape): TreeLayout {
  const slots = shape.length + 1;
  const links = linkFamilies(shape, slots);
  const { parent, firstChild, lastChild, nextSibling } = links;

  // Rows relative to the parent; contours: the next slot one level down and how many rows further down it is.
  const offset = new Int32Array(slots);
  const top = emptyContour(slots);
  const bottom = emptyContour(slots);
  const height = new Int32Array(slots);
  let steps = 0;

  for (let v = slots - 1; v >= 0; v--) {
    const first = at(firstChild, v);
    if (first === -1) continue;
    let last = first;
    let forestHeight = at(height, first);
    let topEnd = at(top.end, first);
    let topEndRow = at(top.endRow, first);
    let bottomEnd = at(bottom.end, first);
    let bottomEndRow = at(bottom.endRow, first);

    for (let child = at(nextSibling, first); child !== -1; child = at(nextSibling, child)) {
      // Walk down the forest's lower contour and the child's upper one together; rows relative to v and child.
      let above = last;
      let aboveRow = at(offset, last);
      let below = child;
      let belowRow = 0;
      const shared = Math.min(forestHeight, at(height, child));
      let nextRow = aboveRow + 1;
      for (let level = 1; level <= shared; level++) {
        aboveRow += at(bottom.nextRow, above);
        above = at(bottom.next, above);
        belowRow += at(top.nextRow, below);
        below = at(top.next, below);
        nextRow = Math.max(nextRow, aboveRow + 1 - belowRow);
        steps += 1;
      }
      offset[child] = nextRow;

      const childEnd = at(bottom.end, child);
      const childEndRow = nextRow + at(bottom.endRow, child);
      if (at(height, child) > shared) {
        // The child is deeper: the forest's upper contour continues in it.
        top.next[topEnd] = at(top.next, below);
        top.nextRow[topEnd] = nextRow + belowRow + at(top.nextRow, below) - topEndRow;
        topEnd = at(top.end, child);
        topEndRow = nextRow + at(top.endRow, child);
        forestHeight = at(height, child);
        bottomEnd = childEnd;
        bottomEndRow = childEndRow;
      } else if (forestHeight > shared) {
        // The forest is deeper: below the child its lower contour continues as before.
        bottom.next[childEnd] = at(bottom.next, above);
        bottom.nextRow[childEnd] = aboveRow + at(bottom.nextRow, above) - childEndRow;
      } else {
        bottomEnd = childEnd;
        bottomEndRow = childEndRow;
      }
      last = child;
    }

    height[v] = forestHeight + 1;
    top.next[v] = first;
    top.nextRow[v] = 0;
    top.end[v] = topEnd;
    top.endRow[v] = topEndRow;
    bottom.next[v] = last;
    bottom.nextRow[v] = at(offset, last);
    bottom.end[v] = bottomEnd;
    bottom.endRow[v] = bottomEndRow;
  }

  const depth = new Int32Array(slots);
  const row = new Int32Array(slots);
  let rows = 0;
  let depths = 0;
  for (let v = 1; v < slots; v++) {
    depth[v] = at(depth, at(parent, v)) + 1;
    row[v] = at(row, at(parent, v)) + at(offset, v);
    rows = Math.max(rows, at(row, v));
    depths = Math.max(depths, at(depth, v));
  }
  return {
    depth,
    row,
    parent,
    firstChild,
    lastChild,
    nextSibling,
    rows: rows + 1,
    depths: depths + 1,
    steps,
  };
}

type Contour = {
  readonly next: Int32Array;
  readonly nextRow: Int32Array;
  /** The deepest slot of the contour and its row, relative to the subtree's root. */
  readonly end: Int32Array;
  readonly endRow: Int32Array;
};

function emptyContour(slots: number): Contour {
  const end = new Int32Array(slots);
  for (let v = 0; v < slots; v++) end[v] = v;
  return {
    next: new Int32Array(slots).fill(-1),
    nextRow: new Int32Array(slots),
    end,
    endRow: new Int32Array(slots),
  };
}

function linkFamilies(shape: TreeShape, slots: number) {
  const parent = new Int32Array(slots).fill(-1);
  const firstChild = new Int32Array(slots).fill(-1);
  const lastChild = new Int32Array(slots).fill(-1);
  const nextSibling = new Int32Array(slots).fill(-1);
  for (let v = 1; v < slots; v++) {
    const p = shape.parentOf(v - 1) + 1;
    parent[v] = p;
    const elder = at(lastChild, p);
    if (elder === -1) firstChild[p] = v;
    else nextSibling[elder] = v;
    lastChild[p] = v;
  }
  return { parent, firstChild, lastChild, nextSibling };
}

/** An element that the caller knows to be there. */
function at(array: Int32Array, index: number): number {
  return array[index] as number;
}
