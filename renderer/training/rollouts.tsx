import { SegmentedControl, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { agentPosition, isOwnTraining } from '../../preload/contract/plans/index';
import type { TrainingView } from '../../preload/contract/training';
import { useRollouts } from '../state/index';
import { shortNumber } from '../text/training-curves';
import { agentStyle } from '../theme/index';
import {
  AgentShapeMark,
  type Column,
  type ContextAction,
  copyAction,
  count,
  DataTable,
  EmptyState,
  FailedState,
  LoadingState,
} from '../widgets/index';
import { type ListedRollout, listedRollouts, parentOf } from './rollout-list';
import { RolloutReader } from './rollout-reader';
import styles from './rollouts.module.css';

/** The rollouts of a training: prompts, answers and rewards. */
export function Rollouts({ training }: { readonly training: TrainingView }) {
  const [agentId, setAgentId] = useState<string | null>(null);
  const [upTo, setUpTo] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const upToStep = /^\d{1,9}$/.test(upTo.trim()) ? Number(upTo.trim()) : null;
  const rollouts = useRollouts({ trainingId: training.id, agentId, upToStep });
  const listed = useMemo(() => (rollouts.kind === 'ready' ? listedRollouts(rollouts.value) : []), [rollouts]);
  const columns = useMemo(() => columnsOf(training), [training]);
  const at = Math.max(
    0,
    listed.findIndex(({ key }) => key === chosen),
  );
  const shown = listed[at] ?? null;
  const go = (step: number): void => {
    const next = listed[Math.min(listed.length - 1, Math.max(0, at + step))];
    if (next !== undefined) setChosen(next.key);
  };
  useHotkeys([
    ['J', () => go(1)],
    ['K', () => go(-1)],
  ]);
  return (
    <div className={styles.screen}>
      <div className={styles.list}>
        <div className={styles.filters}>
          {training.agents.length > 1 && (
            <SegmentedControl
              aria-label="Agent"
              value={agentId ?? ''}
              onChange={(value) => setAgentId(value === '' ? null : value)}
              data={[
                { value: '', label: 'All' },
                ...training.agents.map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          )}
          <TextInput
            aria-label={isOwnTraining(training.spec) ? 'Up to update' : 'Up to step'}
            placeholder={`up to ${isOwnTraining(training.spec) ? 'update' : 'step'}`}
            w={130}
            inputMode="numeric"
            autoComplete="off"
            value={upTo}
            error={upTo.trim() !== '' && upToStep === null}
            onChange={(event) => setUpTo(event.currentTarget.value)}
          />
        </div>
        {rollouts.kind === 'loading' && <LoadingState text="Loading rollouts" />}
        {rollouts.kind === 'failed' && (
          <FailedState
            title="The rollouts could not be read"
            message={rollouts.error.message}
            hint={rollouts.error.hint}
          />
        )}
        {rollouts.kind === 'ready' && listed.length === 0 && (
          <div className={styles.padded}>
            <EmptyState title="No rollouts">
              {agentId === null && upToStep === null
                ? 'The trainer has not logged any rollouts.'
                : 'No rollouts match these filters.'}
            </EmptyState>
          </div>
        )}
        {listed.length > 0 && (
          <DataTable
            label="Rollouts"
            columns={columns}
            rows={listed}
            rowKey={({ key }) => key}
            rowLabel={({ rollout }) => `${rollout.problemId}, reward ${rollout.reward ?? 'unknown'}`}
            chosen={shown?.key ?? null}
            onChoose={({ key }) => setChosen(key)}
            rowActions={(one) => rolloutRowActions(listed, one, setChosen)}
          />
        )}
      </div>
      {shown !== null && (
        <RolloutReader
          key={shown.key}
          training={training}
          shown={shown}
          listed={listed}
          onChoose={setChosen}
        />
      )}
    </div>
  );
}

/** What the context menu of a rollout offers: what can be done in its reader. */
function rolloutRowActions(
  listed: readonly ListedRollout[],
  { key, rollout }: ListedRollout,
  open: (key: string) => void,
): readonly ContextAction[] {
  const parent = parentOf(listed, key);
  return [
    { label: 'Open', run: () => open(key) },
    ...(parent === null
      ? []
      : [{ label: `Open node ${rollout.parent}, which it refines`, run: () => open(parent.key) }]),
    copyAction('Copy answer', rollout.answer),
    copyAction('Copy prompt', rollout.prompt),
    copyAction('Copy id of the problem', rollout.problemId),
  ];
}

function columnsOf({ agents }: TrainingView): readonly Column<ListedRollout>[] {
  const indexOf = (agentId: string): number => agents.findIndex(({ id }) => id === agentId);
  return [
    {
      id: 'agent',
      label: '',
      name: 'Agent',
      track: '16px',
      cell: ({ rollout }) => (
        <span title={agents[indexOf(rollout.agentId)]?.name ?? rollout.agentId}>
          <AgentShapeMark agent={agentStyle(agentPosition(agents, rollout.agentId))} size={9} />
        </span>
      ),
    },
    {
      id: 'step',
      label: 'Step',
      track: '46px',
      from: 380,
      right: true,
      cell: ({ rollout }) => count(rollout.step),
      sortValue: ({ rollout }) => rollout.step,
    },
    {
      id: 'problem',
      label: 'Problem',
      track: 'minmax(90px, 1fr)',
      cell: ({ rollout }) => <span title={rollout.problemId}>{rollout.problemId}</span>,
      sortValue: ({ rollout }) => rollout.problemId,
    },
    {
      id: 'node',
      label: 'Node',
      track: '40px',
      right: true,
      cell: ({ rollout }) => (rollout.node === null ? '–' : rollout.node),
      sortValue: ({ rollout }) => rollout.node ?? -1,
    },
    {
      id: 'reward',
      label: 'Reward',
      track: '54px',
      right: true,
      cell: ({ rollout }) => (rollout.reward === null ? '–' : shortNumber(rollout.reward)),
      sortValue: ({ rollout }) => rollout.reward ?? Number.NEGATIVE_INFINITY,
    },
    {
      id: 'advantage',
      label: 'Advantage',
      track: '68px',
      right: true,
      cell: ({ rollout }) => (rollout.advantage === null ? '–' : shortNumber(rollout.advantage)),
      sortValue: ({ rollout }) => rollout.advantage ?? Number.NEGATIVE_INFINITY,
    },
  ];
}
