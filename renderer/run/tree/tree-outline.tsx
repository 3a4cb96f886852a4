import { memo, useMemo } from 'react';
import type { Agent, NodeView } from '../../../preload/contract';
import { nodeLabel } from './tree-label';
import type { TreeStage } from './tree-stage';
import { cellSize, toScreen } from './tree-view';

/** Up to this many nodes the outline has all; of larger trees only those in view. */
const WHOLE_OUTLINE = 400;

/** The nodes exposed to screen readers. */
export function outlinedNodes(
  stage: TreeStage,
  nodes: readonly NodeView[],
  pane: { readonly width: number; readonly height: number },
  always: ReadonlyArray<number | null>,
): number[] {
  if (nodes.length <= WHOLE_OUTLINE) return nodes.map((node) => node.index);
  const chosen = new Set<number>();
  for (const index of always) if (index !== null && index < nodes.length) chosen.add(index);
  if (stage.detail !== 'far') {
    for (const node of nodes) {
      if (chosen.size >= WHOLE_OUTLINE) break;
      const slot = node.index + 1;
      const point = toScreen(stage.view, node.depth, stage.layout.row[slot] as number);
      if (point.x >= 0 && point.x < pane.width && point.y >= 0 && point.y < pane.height)
        chosen.add(node.index);
    }
  }
  return [...chosen].sort((a, b) => a - b);
}

/** Place and number of every node among its siblings. */
function siblingPositions(nodes: readonly NodeView[]): {
  readonly position: Int32Array;
  readonly size: (node: NodeView) => number;
} {
  const sizes = new Int32Array(nodes.length + 1);
  const position = new Int32Array(nodes.length);
  for (const node of nodes) {
    sizes[node.parent + 1] = (sizes[node.parent + 1] as number) + 1;
    position[node.index] = sizes[node.parent + 1] as number;
  }
  return { position, size: (node) => sizes[node.parent + 1] as number };
}

/**
 * The canvas for screen readers: an invisible item per node, exactly over its picture, so that screen readers, magnifiers
 * and tests find it there.
 */
export const TreeOutline = memo(function TreeOutline(props: {
  /** Changes whenever the stage's view does. */
  viewVersion: number;
  idPrefix: string;
  stage: TreeStage;
  nodes: readonly NodeView[];
  agents: readonly Agent[];
  shown: readonly number[];
  selected: number | null;
  onSelect: (index: number) => void;
}) {
  const { stage, nodes, agents } = props;
  const { position, size } = useMemo(() => siblingPositions(nodes), [nodes]);
  const cell = cellSize(stage.view);
  const width = Math.max(8, stage.chip.extent + 8);
  const height = Math.max(2, Math.min(22, cell.height));
  return props.shown.map((index) => {
    const node = nodes[index];
    if (node === undefined) return null;
    const point = toScreen(stage.view, node.depth, stage.layout.row[index + 1] as number);
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it has the focus and the keys
      <div
        key={index}
        id={`${props.idPrefix}-${index}`}
        role="treeitem"
        tabIndex={-1}
        aria-level={node.depth}
        aria-posinset={position[index]}
        aria-setsize={size(node)}
        aria-selected={props.selected === index}
        aria-label={nodeLabel(node, agents)}
        aria-description={stage.answer === index ? 'the answer of the search' : undefined}
        style={{
          position: 'absolute',
          left: 0,
          top: 0,
          width,
          height,
          transform: `translate(${point.x - 6}px, ${point.y - height / 2}px)`,
        }}
        onClick={(event) => {
          // The canvas handles pointer clicks; those of a screen reader have no pointer (detail 0).
          if (event.detail === 0) props.onSelect(index);
        }}
      />
    );
  });
});
