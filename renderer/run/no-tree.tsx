import type { TreeView } from '../../preload/contract/folds/index';
import { EmptyState } from '../widgets/index';
import styles from './run.module.css';

/** Says why there is no tree to look at. */
export function NoTree(props: {
  readonly part: TreeView['part'];
  readonly tree: TreeView | null;
  /** The run's journal is damaged: what is not there may have been. */
  readonly damaged: boolean;
}) {
  const { part, tree, damaged } = props;
  const failure = tree?.failures.at(-1);
  return (
    <div className={styles.padded}>
      {damaged ? (
        <EmptyState title="Nothing of this problem can be read">
          What the journal had of it, if anything, stands behind its damage.
        </EmptyState>
      ) : (
        <EmptyState title={part === 'search' ? 'The search of this problem has not begun' : 'No samples yet'}>
          {failure === undefined
            ? 'Its nodes appear here one by one as the agents write them.'
            : `No node was made so far. The last try failed: ${failure.message}`}
        </EmptyState>
      )}
    </div>
  );
}
