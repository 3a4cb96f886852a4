import { type KeyboardEvent, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { AnswerRule, TreeView } from '../../../preload/contract';
import type { PlacedAgent } from '../../shared/studies';
import { answerRuleText } from '../../text/search';
import type { ContextAction } from '../../widgets/context-menu';
import classes from './tree-canvas.module.css';
import { nodeLabel, treeSummary } from './tree-label';
import { marksOf, TreeLegend } from './tree-legend';
import { outlinedNodes, TreeOutline } from './tree-outline';
import type { TreeStage } from './tree-stage';
import { TreeTools, ZOOM_STEP } from './tree-tools';
import type { Point } from './tree-view';
import { stepOfKey, walk } from './tree-walk';
import { useNodeMenu } from './use-node-menu';
import { useTreeStage } from './use-tree-stage';

/**
 * The tree of one problem: drag or Shift + wheel to pan, wheel, pinch, + and - to zoom, 0 for actual size, F or a
 * double click to fit; arrows move the selection, Home and End go to the first and newest node, Escape deselects.
 */
export function TreeCanvas(props: {
  /** Name of the run, which distinguishes two trees side by side. */
  name: string;
  tree: TreeView;
  agents: readonly PlacedAgent[];
  rule: AnswerRule;
  selected: number | null;
  onSelect: (index: number | null) => void;
  /** What the context menu of a node offers. */
  actionsOf: (index: number) => readonly ContextAction[];
}) {
  const { tree, agents, rule, selected, onSelect, actionsOf } = props;
  const idPrefix = useId();
  const stageElement = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [walker, setWalker] = useState<number | null>(null);
  const [focused, setFocused] = useState(false);
  const [follow, setFollow] = useState(false);
  const [legend, setLegend] = useState(true);
  const { nodes } = tree;

  const latest = useRef(props);
  latest.current = props;
  const choose = useCallback((index: number) => {
    setWalker(index);
    latest.current.onSelect(index);
  }, []);

  const { stage, pane, viewVersion, hover } = useTreeStage(
    { canvas, element: stageElement },
    { tree, agents, rule },
    { follow, onPan: () => setFollow(false), onPress: choose },
  );
  const indexInTree = (index: number | null): number | null =>
    index !== null && index < nodes.length ? index : null;
  const shownSelected = indexInTree(selected);
  const cursor = indexInTree(walker) ?? shownSelected;
  const hovered = indexInTree(hover?.index ?? null);
  useEffect(() => {
    stage?.setHighlights({ selected: shownSelected, cursor: focused ? cursor : null, hovered });
  }, [stage, shownSelected, cursor, focused, hovered]);

  // Reveals a node selected elsewhere (table, palette, route).
  useEffect(() => {
    if (stage === null || selected === null) return;
    setWalker(selected);
    stage.reveal(selected);
  }, [stage, selected]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (stage === null || event.ctrlKey || event.metaKey || event.altKey) return;
    // A mouse click shows no focus ring; the first key does.
    setFocused(true);
    const step = stepOfKey(event.key);
    if (step !== null) {
      const next = walk(stage.layout, stage.index, cursor, step);
      if (next !== null) {
        setFollow(false);
        choose(next);
        stage.reveal(next);
      }
    } else if (!act(event.key)) return;
    event.preventDefault();
  };

  const act = (key: string): boolean => {
    if (key === 'Enter') {
      if (cursor !== null) choose(cursor);
      return true;
    }
    if (key !== 'Escape') return zoomByKey(stage, key);
    if (selected === null) return false;
    onSelect(null);
    return true;
  };

  const { openNodeMenu, menu } = useNodeMenu({ name: props.name, stage, cursor, idPrefix, actionsOf });

  // The version changes when the stage's view does.
  const shown = useMemo(
    () => (stage === null ? [] : outlinedNodes(stage, nodes, pane, [cursor, shownSelected, stage.answer])),
    [stage, nodes, pane, cursor, shownSelected, viewVersion],
  );
  const explained = useMemo(() => ({ answerRule: answerRuleText(rule), ...marksOf(nodes) }), [rule, nodes]);
  const hoveredNode = hovered === null ? undefined : nodes[hovered];
  return (
    <section className={classes.frame} aria-label={`Search tree of ${props.name}`}>
      <div className={classes.bar}>
        <span className={classes.summary}>{treeSummary(nodes, tree.failures.length)}</span>
        <TreeTools stage={stage} follow={follow} onFollow={setFollow} legend={legend} onLegend={setLegend} />
      </div>
      <div
        ref={stageElement}
        className={classes.stage}
        role="tree"
        aria-label={`Nodes of the search tree of ${props.name}`}
        aria-activedescendant={
          cursor !== null && shown.includes(cursor) ? `${idPrefix}-${cursor}` : undefined
        }
        tabIndex={0}
        data-over-node={hovered === null ? undefined : true}
        onKeyDown={onKeyDown}
        onContextMenu={openNodeMenu}
        onFocus={() => setFocused(stageElement.current?.matches(':focus-visible') ?? false)}
        onBlur={() => setFocused(false)}
      >
        <div className={classes.canvas} aria-hidden="true">
          <canvas ref={canvas} />
        </div>
        {stage !== null && (
          <TreeOutline
            viewVersion={viewVersion}
            idPrefix={idPrefix}
            stage={stage}
            nodes={nodes}
            agents={agents}
            shown={shown}
            selected={shownSelected}
            onSelect={choose}
          />
        )}
        {nodes.length === 0 && <EmptyTree ended={tree.searched !== null} />}
        {hoveredNode !== undefined && hover !== null && (
          <div key={hoveredNode.index} className={classes.tip} style={tipPosition(hover.at, pane)}>
            {nodeLabel(hoveredNode, agents)}
          </div>
        )}
      </div>
      {menu}
      {legend && (
        <TreeLegend
          agents={agents}
          detail={stage === null ? 'near' : stage.detail}
          showsStrip={stage?.chip.showStrip ?? true}
          paneWidth={pane.width}
          {...explained}
        />
      )}
    </section>
  );
}

/** False: it is no key of the view. */
function zoomByKey(stage: TreeStage | null, key: string): boolean {
  switch (key) {
    case '+':
    case '=':
      stage?.zoomBy(ZOOM_STEP);
      return true;
    case '-':
      stage?.zoomBy(1 / ZOOM_STEP);
      return true;
    case '0':
      stage?.zoomTo(1);
      return true;
    case 'f':
    case 'F':
      stage?.fit();
      return true;
    default:
      return false;
  }
}

function EmptyTree({ ended }: { ended: boolean }) {
  return <div className={classes.empty}>{ended ? 'The search ended without nodes.' : 'No nodes yet.'}</div>;
}

const TIP_WIDTH = 260;

/** Below the pointer, above it in the lower half, and never out of the pane. */
function tipPosition(at: Point, pane: { width: number; height: number }) {
  const x = Math.max(4, Math.min(at.x + 12, pane.width - TIP_WIDTH - 4));
  const above = at.y > pane.height / 2;
  return {
    maxWidth: TIP_WIDTH,
    transform: `translate(${x}px, ${above ? at.y - 14 : at.y + 18}px) translateY(${above ? '-100%' : '0'})`,
  };
}
