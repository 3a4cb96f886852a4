import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { agentPosition, isOwnTraining } from '../../preload/contract/plans/index';
import type { TrainingCheckpoint, TrainingView } from '../../preload/contract/training';
import type { TrainingAction } from '../state/index';
import { agentStyle } from '../theme/index';
import {
  AgentShapeMark,
  bytes,
  type Column,
  type ContextAction,
  copyAction,
  count,
  TimeAgo,
} from '../widgets/index';
import styles from './checkpoints.module.css';

const NOT_SERVED = 'Merge it into one model before serving it';

type CheckpointOptions = {
  readonly training: TrainingView;
  /** The name of the other machine where the checkpoints are; null: this computer. */
  readonly awayOn: string | null;
  readonly pendingAction: TrainingAction | null;
  readonly onFetch: (checkpointId: string) => void;
  readonly onServe: (checkpointId: string) => void;
  readonly onEvaluate: (checkpoint: TrainingCheckpoint) => void;
  readonly onCompare: (checkpoint: TrainingCheckpoint) => void;
  readonly choice: (checkpoint: TrainingCheckpoint) => ReactNode;
};

/** The checkpoint can be copied to this computer by itself. */
function isFetchable({ training, awayOn }: CheckpointOptions, { copy }: TrainingCheckpoint): boolean {
  return awayOn !== null && training.spec.kind === 'model' && copy === undefined;
}

/** What the context menu of a checkpoint offers: the buttons of its row, and its path. */
export function checkpointRowActions(
  options: CheckpointOptions,
  checkpoint: TrainingCheckpoint,
): readonly ContextAction[] {
  const { pendingAction, onFetch, onServe, onEvaluate, onCompare } = options;
  const { id, canServe, copy, path } = checkpoint;
  const isIdle = pendingAction === null;
  return [
    ...(canServe
      ? [
          ...(isIdle ? [{ label: 'Serve', run: () => onServe(id) }] : []),
          { label: 'Evaluate on…', run: () => onEvaluate(checkpoint) },
          { label: 'Compare with…', run: () => onCompare(checkpoint) },
        ]
      : []),
    ...(isIdle && isFetchable(options, checkpoint) ? [{ label: 'Fetch', run: () => onFetch(id) }] : []),
    copyAction('Copy path', copy ?? path),
    copyAction('Copy id', id),
  ];
}

/** Columns of the checkpoint list, with the actions. */
export function checkpointColumns(options: CheckpointOptions): readonly Column<TrainingCheckpoint>[] {
  const { training, awayOn, pendingAction, onFetch, onServe, onEvaluate, onCompare, choice } = options;
  const fetchesOneByOne = awayOn !== null && training.spec.kind === 'model';
  const { agents } = training;
  const indexOf = (agentId: string): number => agents.findIndex(({ id }) => id === agentId);
  const nameOf = (agentId: string): string => agents[indexOf(agentId)]?.name ?? agentId;
  return [
    { id: 'choice', label: '', name: 'Selected', track: '24px', isFixed: true, cell: choice },
    {
      id: 'agent',
      label: 'Agent',
      isFixed: true,
      track: 'minmax(100px, 0.8fr)',
      cell: ({ agentId }) => (
        <span className={styles.agent}>
          {indexOf(agentId) >= 0 && <AgentShapeMark agent={agentStyle(agentPosition(agents, agentId))} />}
          {nameOf(agentId)}
        </span>
      ),
      sortValue: ({ agentId }) => indexOf(agentId),
    },
    {
      id: 'step',
      label: isOwnTraining(training.spec) ? 'Updates' : 'Step',
      isFixed: true,
      track: '76px',
      right: true,
      cell: ({ step }) => <b className={styles.step}>{count(step)}</b>,
      sortValue: ({ step }) => step,
    },
    {
      id: 'path',
      label: 'Path',
      track: 'minmax(120px, 2fr)',
      from: 760,
      cell: ({ path, copy }) => {
        const machine = awayOn === null || copy !== undefined ? '' : `${awayOn}:`;
        const shown = copy ?? path;
        return (
          <code className={styles.path} title={`${machine}${shown}`} data-selectable>
            {machine}
            {shortPath(shown)}
          </code>
        );
      },
      sortValue: ({ path }) => path,
    },
    {
      id: 'at',
      label: 'Written',
      track: '90px',
      right: true,
      cell: ({ at }) => (at === null ? '–' : <TimeAgo at={at} />),
      sortValue: ({ at }) => at ?? '',
    },
    {
      id: 'bytes',
      label: 'Size',
      track: '80px',
      right: true,
      cell: (checkpoint) => (checkpoint.bytes === null ? '–' : bytes(checkpoint.bytes)),
      sortValue: (checkpoint) => checkpoint.bytes ?? -1,
    },
    {
      id: 'do',
      label: '',
      name: 'Actions',
      isFixed: true,
      track: fetchesOneByOne ? '252px' : '196px',
      right: true,
      cell: (checkpoint) => (
        <span className={styles.actions}>
          {isFetchable(options, checkpoint) && (
            <Button
              size="compact-xs"
              variant="default"
              loading={pendingAction === `fetch ${checkpoint.id}`}
              disabled={pendingAction !== null && pendingAction !== `fetch ${checkpoint.id}`}
              title={`Copies ${checkpointSize(checkpoint)} from ${awayOn} to this computer`}
              aria-label={`Fetch ${checkpoint.id}, ${checkpointSize(checkpoint)}`}
              onClick={() => onFetch(checkpoint.id)}
            >
              Fetch
            </Button>
          )}
          <Button
            size="compact-xs"
            variant="default"
            loading={pendingAction === `serve ${checkpoint.id}`}
            disabled={
              !checkpoint.canServe || (pendingAction !== null && pendingAction !== `serve ${checkpoint.id}`)
            }
            title={checkpoint.canServe ? undefined : NOT_SERVED}
            aria-label={`Serve ${checkpoint.id}`}
            onClick={() => onServe(checkpoint.id)}
          >
            Serve
          </Button>
          <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
            <Menu.Target>
              <Button
                size="compact-xs"
                variant="default"
                disabled={!checkpoint.canServe}
                title={checkpoint.canServe ? undefined : NOT_SERVED}
                aria-label={`Evaluate ${checkpoint.id}`}
                rightSection={<IconChevronDown size={12} aria-hidden="true" />}
              >
                Evaluate
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => onEvaluate(checkpoint)}>Evaluate on…</Menu.Item>
              <Menu.Item onClick={() => onCompare(checkpoint)}>Compare with…</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </span>
      ),
    },
  ];
}

/** "538.0 MB", or words if its machine did not say. */
export function checkpointSize({ bytes: size }: TrainingCheckpoint): string {
  return size === null ? 'an unknown size' : bytes(size);
}

/** The last two parts of a path: "…/training-1/reader-000300.json". */
function shortPath(path: string): string {
  const parts = path.split('/');
  return parts.length <= 3 ? path : `…/${parts.slice(-2).join('/')}`;
}

/** Newest first; within a step in the order of the agents. */
export function newestFirst(
  checkpoints: readonly TrainingCheckpoint[],
  agents: TrainingView['agents'],
): readonly TrainingCheckpoint[] {
  const agentIndex = ({ agentId }: TrainingCheckpoint): number =>
    agents.findIndex(({ id }) => id === agentId);
  return [...checkpoints].sort((a, b) => b.step - a.step || agentIndex(a) - agentIndex(b));
}

/** The last checkpoint of every agent that a server can load, in the given order. */
export function latestServable(checkpoints: readonly TrainingCheckpoint[]): readonly TrainingCheckpoint[] {
  const last = new Map<string, TrainingCheckpoint>();
  for (const checkpoint of checkpoints.filter(({ canServe }) => canServe)) {
    const newest = last.get(checkpoint.agentId);
    if (newest === undefined || newest.step <= checkpoint.step) last.set(checkpoint.agentId, checkpoint);
  }
  return [...last.values()];
}
