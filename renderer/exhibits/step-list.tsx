import { Button, Menu, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { capitalised } from '../../preload/contract/plans/index';
import type {
  PlanStep,
  ReproductionStep,
  ReproductionView,
  StepKind,
} from '../../preload/contract/reproduction';
import {
  pathOf,
  readyValue,
  runRoute,
  useMachines,
  usePendingStepAction,
  useWorkbench,
} from '../state/index';
import { STEP_KIND_NAMES, STEP_KINDS, stepStatus } from '../text/exhibits';
import { count, Hint, ProgressLine, plural, Section, StateMark, usePress } from '../widgets/index';
import { amountParts } from './cell-text';
import styles from './drawer.module.css';

/** Steps rendered at once; the papers' largest exhibit has several hundred. */
const MOST = 60;

/** The steps in order, filtered by kind, each with its cost and state. */
export function StepList(props: {
  readonly steps: readonly (PlanStep | ReproductionStep)[];
  /** null: a plan only. */
  readonly reproduction: ReproductionView | null;
}) {
  const { steps, reproduction } = props;
  const hasFailed = steps.some((step) => 'state' in step && step.state.kind === 'failed');
  const running = steps.find((step) => 'state' in step && step.state.kind === 'running');
  const [shown, setShown] = useState<StepKind | 'all' | 'failed'>(
    hasFailed ? 'failed' : (running?.kind ?? 'train'),
  );
  const [most, setMost] = useState(MOST);
  const kinds = STEP_KINDS.filter((kind) => steps.some((step) => step.kind === kind));
  const selectedKind =
    shown === 'all' || shown === 'failed' || kinds.includes(shown) ? shown : (kinds[0] ?? 'all');
  const own = steps.filter((step) =>
    selectedKind === 'all'
      ? true
      : selectedKind === 'failed'
        ? 'state' in step && (step.state.kind === 'failed' || step.state.kind === 'blocked')
        : step.kind === selectedKind,
  );
  return (
    <Section
      title="Steps"
      aside={
        <SegmentedControl
          aria-label="Show steps"
          value={selectedKind}
          onChange={(value) => {
            setShown(
              value === 'all' || value === 'failed'
                ? value
                : (STEP_KINDS.find((kind) => kind === value) ?? 'all'),
            );
            setMost(MOST);
          }}
          data={[
            { value: 'all', label: 'All' },
            ...(hasFailed ? [{ value: 'failed', label: 'Failed' }] : []),
            ...kinds.map((kind) => ({ value: kind, label: kindLabel(STEP_KIND_NAMES[kind][1]) })),
          ]}
        />
      }
    >
      <ul className={styles.steps} aria-label="Steps">
        {own.slice(0, most).map((step) => (
          <StepLine key={step.id} step={step} reproduction={reproduction} />
        ))}
      </ul>
      {own.length > most && (
        <Button variant="subtle" size="compact-xs" onClick={() => setMost(most + 200)}>
          Show {plural(Math.min(200, own.length - most), 'more step')}
        </Button>
      )}
    </Section>
  );
}

function kindLabel(text: string): string {
  return text === 'sets of metrics' ? 'Metrics' : capitalised(text);
}

function StepLine(props: {
  readonly step: PlanStep | ReproductionStep;
  readonly reproduction: ReproductionView | null;
}) {
  const { step, reproduction } = props;
  const machines = readyValue(useMachines()) ?? [];
  const machine = machines.find(({ spec }) => spec.id === step.machineId)?.spec.name ?? step.machineId;
  const live = 'state' in step ? step : null;
  const failed = live?.state.kind === 'failed' ? live.state : null;
  const amount = live !== null && live.state.kind === 'done' ? live.took : step.estimate;
  const amounts = step.reuse === null ? amountParts(amount) : [];
  return (
    <li>
      <div className={styles.what}>
        <span>{step.title}</span>
        <small>{step.detail}</small>
        {step.reuse !== null && <small className={styles.reuse}>{step.reuse}</small>}
        {step.missing.length > 0 && (
          <small className={styles.lacks} title={step.missing.map(({ what }) => what).join('\n')}>
            {step.missing.length === 1
              ? step.missing[0]?.what
              : `${count(step.missing.length)} requirements missing, see above`}
          </small>
        )}
      </div>
      <div className={styles.where}>
        {machine !== null && <span>{machine}</span>}
        <small>
          {live?.state.kind === 'done' || amounts.length === 0 ? '' : 'about '}
          {amounts.join(', ')}
        </small>
      </div>
      <div className={styles.stand}>
        {live === null ? (
          <StateMark
            tone={step.missing.length > 0 ? 'bad' : 'quiet'}
            text={step.missing.length > 0 ? 'Missing' : step.reuse === null ? 'Planned' : 'Reused'}
          />
        ) : (
          <StateMark {...stepStatus(live.state)} />
        )}
        {live?.state.kind === 'running' && live.state.share01 !== null && (
          <ProgressLine label={`Progress of ${step.title}`} share={live.state.share01} />
        )}
        {live?.state.kind === 'waiting' && <small>{live.state.why}</small>}
        {live !== null && <StepLinks step={live} />}
        {live !== null && reproduction !== null && !reproduction.readOnly && (
          <StepActions step={live} reproduction={reproduction} />
        )}
      </div>
      {failed !== null && (
        <div className={styles.failed}>
          <span data-selectable>{failed.message}</span>
          {failed.hint !== null && <Hint text={failed.hint} />}
        </div>
      )}
    </li>
  );
}

function StepLinks({ step }: { readonly step: ReproductionStep }) {
  const { trainingId, studyId, runId, serverIds } = step;
  const [serverId] = serverIds;
  const [route, label] =
    trainingId !== null
      ? [pathOf({ kind: 'training', trainingId, tab: 'curves' }), 'Open the training']
      : studyId !== null && runId !== null
        ? [pathOf(runRoute(studyId, runId)), 'Open the run']
        : studyId !== null
          ? [pathOf({ kind: 'study', studyId }), 'Open the study']
          : serverId !== undefined
            ? [pathOf({ kind: 'servers', serverId }), 'Open the server']
            : [null, ''];
  return route === null ? null : (
    <a href={`#${route}`} aria-label={`${label}: ${step.title}`}>
      {label}
    </a>
  );
}

/** Retry a failed step, or move a step to another machine. */
function StepActions(props: { readonly step: ReproductionStep; readonly reproduction: ReproductionView }) {
  const { step, reproduction } = props;
  const { reproductions } = useWorkbench();
  const machines = readyValue(useMachines()) ?? [];
  const pendingAction = usePendingStepAction(reproduction.id, step.id);
  const { state, machineId, kind } = step;
  const others = machines.filter(({ spec }) => spec.id !== machineId);
  const canMove =
    state.kind !== 'done' && (kind === 'train' || kind === 'serve' || kind === 'search') && others.length > 0;
  if (state.kind !== 'failed' && !canMove) return null;
  return (
    <span className={styles.actions}>
      {state.kind === 'failed' && (
        <RetryStep reproduction={reproduction} stepId={step.id} title={step.title} />
      )}
      {canMove && (
        <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
          <Menu.Target>
            <Button
              variant="subtle"
              size="compact-xs"
              loading={pendingAction === 'move'}
              aria-label={`Move to another machine: ${step.title}`}
            >
              Move
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map(({ spec }) => (
              <Menu.Item
                key={spec.id}
                onClick={() => void reproductions.move(reproduction.id, step.id, spec.id)}
              >
                To {spec.name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </span>
  );
}

/** Retries a failed step and those that wait for it. */
export function RetryStep(props: {
  readonly reproduction: ReproductionView;
  readonly stepId: string;
  readonly title: string;
}) {
  const { reproduction, stepId, title } = props;
  const { reproductions } = useWorkbench();
  const { busy, press } = usePress(() => reproductions.retry(reproduction.id, stepId));
  if (reproduction.readOnly) return null;
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={busy}
      aria-label={`Retry: ${title}`}
      title={title}
      onClick={press}
    >
      Retry
    </Button>
  );
}
