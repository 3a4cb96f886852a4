import type { TrainingView } from '../../preload/contract/training';
import { agentStyle } from '../theme/index';
import { AgentShapeMark } from '../widgets/index';
import { latestOf } from './latest-values';
import styles from './training.module.css';

/** The latest value of each agent, by its shape. */
export function Latest(props: { readonly training: TrainingView; readonly of: string }) {
  const values = latestOf(props.training, props.of);
  if (values.length === 0) return <span className={styles.none}>–</span>;
  return (
    <span className={styles.latest}>
      {values.map(({ agentId, agent, position, words }) => (
        <span key={agentId} title={`${agent}: ${words}`}>
          {position !== null && <AgentShapeMark agent={agentStyle(position)} size={8} />}
          {words}
        </span>
      ))}
    </span>
  );
}
