import type { TrainingView } from '../../preload/contract/training';
import { agentStyle } from '../theme/index';
import { AgentShapeMark } from '../widgets/index';
import styles from './training.module.css';
import { curveKey, formatCurveValue } from '../text/training-curves';

/** The latest value of each agent, by its shape. */
export function LatestValues(props: { readonly training: TrainingView; readonly of: string }) {
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

type LatestValue = {
  readonly agentId: string | null;
  readonly agent: string;
  /** Its position in the team: decides its shape and colour; null: of no agent. */
  readonly position: number | null;
  readonly value: number;
  readonly words: string;
};

/** The latest value of this quantity, one an agent in their order; of no agent where only that is known. */
export function latestOf(
  { latest, agents }: Pick<TrainingView, 'latest' | 'agents'>,
  key: string,
): readonly LatestValue[] {
  const { unit } = curveKey(key);
  const known = latest.filter((one) => one.key === key);
  const ofAgents = agents.flatMap(({ id, name }, position) => {
    const found = known.find(({ agentId }) => agentId === id);
    return found === undefined
      ? []
      : [
          {
            agentId: id,
            agent: name,
            position,
            value: found.value,
            words: formatCurveValue(unit, found.value),
          },
        ];
  });
  if (ofAgents.length > 0) return ofAgents;
  const ofNone = known.find(({ agentId }) => agentId === null);
  return ofNone === undefined
    ? []
    : [
        {
          agentId: null,
          agent: 'the run',
          position: null,
          value: ofNone.value,
          words: formatCurveValue(unit, ofNone.value),
        },
      ];
}
