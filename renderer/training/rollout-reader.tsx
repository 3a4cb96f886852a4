import { Button } from '@mantine/core';
import { IconCornerLeftUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { agentPosition } from '../../preload/contract/plans/index';
import type { TrainingView } from '../../preload/contract/training';
import { shortNumber } from '../text/training-curves';
import { agentStyle } from '../theme/index';
import { ProgramView } from '../widgets/code-view';
import { AgentShapeMark, CopyTextButton, count } from '../widgets/index';
import { answerParts, type ListedRollout, parentOf, parentText } from './rollout-list';
import styles from './rollouts.module.css';

/** One rollout: reward, advantage, answer and prompt. */
export function RolloutReader(props: {
  readonly training: TrainingView;
  readonly shown: ListedRollout;
  readonly listed: readonly ListedRollout[];
  readonly onChoose: (key: string) => void;
}) {
  const { training, shown, listed, onChoose } = props;
  const { rollout } = shown;
  const { agents } = training;
  const parent = parentOf(listed, shown.key);
  return (
    <article className={styles.reader} aria-label={`Rollout of ${rollout.problemId}`}>
      <header>
        <h2>
          <AgentShapeMark agent={agentStyle(agentPosition(agents, rollout.agentId))} />
          {agents.find(({ id }) => id === rollout.agentId)?.name ?? rollout.agentId}
        </h2>
        <span>{rollout.problemId}</span>
        <span>step {count(rollout.step)}</span>
        {rollout.node !== null && <span>node {rollout.node}</span>}
        {parent === null ? (
          <span>{parentText(rollout)}</span>
        ) : (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconCornerLeftUp size={12} aria-hidden="true" />}
            onClick={() => onChoose(parent.key)}
          >
            {parentText(rollout)}
          </Button>
        )}
      </header>
      <dl className={styles.numbers}>
        <Value name="Reward" value={rollout.reward} />
        <Value name="Shaped reward" value={rollout.shapedReward} />
        <Value name="Advantage" value={rollout.advantage} isSigned />
      </dl>
      <Part title="Answer" text={rollout.answer}>
        {rollout.answer.trim() === '' ? (
          <p className={styles.nothing}>The answer is empty.</p>
        ) : (
          <Text text={rollout.answer} label="Answer" />
        )}
      </Part>
      <Part title="Prompt" text={rollout.prompt}>
        <Text text={rollout.prompt} label="Prompt" />
      </Part>
    </article>
  );
}

function Value(props: { readonly name: string; readonly value: number | null; readonly isSigned?: boolean }) {
  const { name, value, isSigned } = props;
  const sign = isSigned === true && value !== null && value > 0 ? '+' : '';
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value === null ? '–' : `${sign}${shortNumber(value)}`}</dd>
    </div>
  );
}

function Part(props: { readonly title: string; readonly text: string; readonly children: ReactNode }) {
  return (
    <section className={styles.part} aria-label={props.title}>
      <div>
        <h3>{props.title}</h3>
        <CopyTextButton label={`Copy ${props.title.toLowerCase()}`} read={() => props.text} />
      </div>
      {props.children}
    </section>
  );
}

/** Prose as plain text, programs highlighted. */
function Text(props: { readonly text: string; readonly label: string }) {
  const parts = answerParts(props.text);
  return parts.map(({ kind, text }, at) => {
    const key = `${at} ${kind}`;
    return kind === 'prose' ? (
      <pre key={key} className={styles.prose}>
        {text}
      </pre>
    ) : (
      <div key={key} className={styles.code}>
        <ProgramView text={text} label={`${props.label}, program ${at + 1}`} />
      </div>
    );
  });
}
