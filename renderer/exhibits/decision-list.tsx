import { useDecisions, useWorkbench } from '../state/index';
import { clockTime, EmptyState, FailedState, LoadingState } from '../widgets/index';
import styles from './drawer.module.css';

/** What was decided and why, the newest first. */
export function DecisionList({ reproductionId }: { readonly reproductionId: string }) {
  const decisions = useDecisions(reproductionId);
  const { reproductions } = useWorkbench();
  if (decisions.kind === 'loading') return <LoadingState what="Reading the decisions" />;
  if (decisions.kind === 'failed') {
    return (
      <FailedState
        title="The decisions could not be read"
        message={decisions.error.message}
        hint={decisions.error.hint}
        action={{ label: 'Read again', run: () => reproductions.decisions.refresh(reproductionId) }}
      />
    );
  }
  if (decisions.value.length === 0) return <EmptyState title="Nothing was decided yet" />;
  return (
    <ol className={styles.decisions} aria-label="Decisions, the newest first">
      {decisions.value.toReversed().map(({ at, text }, position) => (
        <li key={`${at} ${position}`}>
          <time dateTime={at} title={at}>
            {clockTime(at)}
          </time>
          <span data-selectable>{text}</span>
        </li>
      ))}
    </ol>
  );
}
