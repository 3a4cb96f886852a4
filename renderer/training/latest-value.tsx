import { VisuallyHidden } from '@mantine/core';
import { agentPosition } from '../../preload/contract/plans/index';
import type { TrainingView } from '../../preload/contract/training';
import { curveKey, formatCurveValue } from '../text/training-curves';
import { agentStyle } from '../theme/index';
import { AgentShapeMark } from '../widgets/index';
import styles from './training.module.css';

/** The latest value of each agent, with its icon. */
export function LatestValues(props: {
  readonly training: TrainingView;
  readonly of: string;
  readonly part?: LatestPart;
}) {
  const values = latestOf(props.training, props.of, props.part);
  if (values.length === 0) return <span className={styles.none}>–</span>;
  return (
    <span className={styles.latest}>
      {values.map(({ agentId, agent, position, text }) => (
        <span key={agentId} title={`${agent}: ${text}`}>
          {position !== null && <AgentShapeMark agent={agentStyle(position)} size={8} />}
          <VisuallyHidden>{agent} </VisuallyHidden>
          {text}
        </span>
      ))}
    </span>
  );
}

/** Of the problems that it learns from, or of those that it never saw. */
type LatestPart = 'train' | 'evaluation';

type LatestValue = {
  readonly agentId: string | null;
  readonly agent: string;
  /** For the agent's mark; null: no single agent. */
  readonly position: number | null;
  readonly value: number;
  readonly text: string;
};

/** The latest value of a quantity per agent, or the training's own value if there is none per agent. */
export function latestOf(
  { latest, agents }: Pick<TrainingView, 'latest' | 'agents'>,
  key: string,
  part: LatestPart = 'train',
): readonly LatestValue[] {
  const { unit } = curveKey(key);
  const values = latest.filter((value) => value.key === key && (value.part ?? 'train') === part);
  const ofAgents = agents.flatMap(({ id, name }) => {
    const value = values.find(({ agentId }) => agentId === id);
    return value === undefined
      ? []
      : [
          {
            agentId: id,
            agent: name,
            position: agentPosition(agents, id),
            value: value.value,
            text: formatCurveValue(unit, value.value),
          },
        ];
  });
  if (ofAgents.length > 0) return ofAgents;
  const ofNone = values.find(({ agentId }) => agentId === null);
  return ofNone === undefined
    ? []
    : [
        {
          agentId: null,
          agent: 'the run',
          position: null,
          value: ofNone.value,
          text: formatCurveValue(unit, ofNone.value),
        },
      ];
}
