import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { TreeView } from '../../preload/contract/folds/index';
import { pathOf, runRoute } from '../state/index';
import { EmptyState } from '../widgets/index';
import { NodeTable } from './node-table';
import { answerAt } from './replay/index';
import styles from './run.module.css';
import type { RunSide } from './run-side';
import { TreeCanvas } from './tree/index';
import { useNodeActions } from './use-node-actions';

/** One tree as a canvas or a node table, with a header if there are two. */
export function TreeSide(props: {
  readonly side: RunSide;
  readonly shown: TreeView | null;
  readonly tab: 'tree' | 'nodes';
  readonly selected: number | null;
  readonly onSelect: (node: number | null) => void;
  readonly headed: boolean;
  /** The inspector shows this tree's node. */
  readonly active: boolean;
  /** Only the second tree can be closed. */
  readonly onClose?: () => void;
  readonly emptyState: ReactNode;
}) {
  const { side, shown, tab, selected, onSelect } = props;
  const { run } = side;
  const actionsOf = useNodeActions(side, onSelect);
  return (
    <section className={styles.side} aria-label={side.label}>
      {props.headed && (
        <SideHead
          side={side}
          active={props.active}
          nodes={shown?.nodes.length ?? 0}
          {...(props.onClose === undefined ? {} : { onClose: props.onClose })}
        />
      )}
      <div className={styles.sideBody}>
        {shown === null || (side.tree?.nodes.length ?? 0) === 0 ? (
          props.emptyState
        ) : tab === 'tree' ? (
          <TreeCanvas
            name={side.label}
            tree={shown}
            agents={side.agents}
            rule={run.search}
            selected={selected}
            onSelect={onSelect}
            actionsOf={actionsOf}
          />
        ) : (
          <NodeTable
            tree={shown}
            agents={side.agents}
            scale={run.scale}
            rule={run.search}
            selected={selected}
            onSelect={onSelect}
            actionsOf={actionsOf}
          />
        )}
      </div>
    </section>
  );
}

function SideHead(props: {
  readonly side: RunSide;
  readonly active: boolean;
  readonly nodes: number;
  readonly onClose?: () => void;
}) {
  const { side, nodes, onClose } = props;
  const best = answerAt(side.changes, nodes);
  return (
    <header className={styles.sideHead} data-active={props.active || undefined}>
      <i className={styles.chip} style={{ background: side.color }} />
      <a
        className={styles.sideName}
        href={`#${pathOf(runRoute(side.study.id, side.run.id, side.tree?.problemId ?? null))}`}
        title={`${side.label}, ${side.study.name}`}
      >
        {side.label}
      </a>
      <span className={styles.soft}>
        {best === null ? 'no answer yet' : `best #${best.index}, ${best.score.toFixed(2)}`}
      </span>
      {onClose !== undefined && (
        <ActionIcon size={22} variant="subtle" aria-label={`Close ${side.label}`} onClick={onClose}>
          <IconX size={14} aria-hidden="true" />
        </ActionIcon>
      )}
    </header>
  );
}

/** Shown instead of the second tree if that run has none for this problem. */
export function NoSecondTree(props: { readonly label: string }) {
  return (
    <div className={styles.padded}>
      <EmptyState title="No tree of this problem">{props.label} has not searched this problem.</EmptyState>
    </div>
  );
}

/** Explains why there is no tree. */
export function NoTree(props: {
  readonly part: TreeView['part'];
  readonly tree: TreeView | null;
  /** The run's journal is damaged and may have contained the tree. */
  readonly damaged: boolean;
}) {
  const { part, tree, damaged } = props;
  const failure = tree?.failures.at(-1);
  return (
    <div className={styles.padded}>
      {damaged ? (
        <EmptyState title="This problem cannot be read">
          The journal is damaged before its records of this problem.
        </EmptyState>
      ) : (
        <EmptyState
          title={part === 'search' ? 'The search of this problem has not started' : 'No samples yet'}
        >
          {failure === undefined
            ? 'Nodes appear here as the agents write them.'
            : `No nodes yet. The last attempt failed: ${failure.message}`}
        </EmptyState>
      )}
    </div>
  );
}
