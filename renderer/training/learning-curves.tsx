import { useMemo, useState } from 'react';
import { isOwnTraining } from '../../preload/contract/plans/index';
import type { TrainingView } from '../../preload/contract/training';
import { DifferencesSection } from '../shared/provenance/index';
import { readyValue, useStoredState, useTrainings, useWorkbench } from '../state/index';
import { EmptyState, FailedState, LoadingState } from '../widgets/index';
import { SMOOTHINGS, type Smoothing } from '../widgets/smoothing';
import { axesOf, axisLabel, CURVE_AXES, type CurveAxis, timeUnit } from './curve-axis';
import { CurveCharts } from './curve-charts';
import { CurveControls } from './curve-controls';
import { type CurvePart, xEndOf } from './curve-panels';
import styles from './curves.module.css';
import { GpuCurves } from './gpu-curves';
import { useMembers } from './use-members';

const PARTS: readonly CurvePart[] = ['train', 'evaluation', 'other'];

/** The curves of a training, optionally with others, and its GPU use. */
export function LearningCurves({ training }: { readonly training: TrainingView }) {
  const { curves: resource } = useWorkbench().trainingResources;
  const [others, setOthers] = useState<readonly string[]>([]);
  const [rememberedAxis, setAxis] = useStoredState<CurveAxis>('training.axis', 'steps', axisNamed);
  // Pocket updates are fast and noisy; steps of a large model are neither.
  const first = training.spec.kind === 'pocket' ? '20' : '5';
  const [smoothing, setSmoothing] = useStoredState<`${Smoothing}`>(
    'training.smoothing',
    first,
    smoothingNamed,
  );
  const [agents, setAgents] = useStoredState<'each' | 'mean'>('training.agents', 'mean', (text) =>
    text === 'each' ? 'each' : 'mean',
  );
  const [chosenPart, setPart] = useState<CurvePart | null>(null);
  const { own, members } = useMembers(training, others);

  const curves = useMemo(() => members.flatMap((member) => member.curves), [members]);
  const parts = PARTS.filter((part) => curves.some((curve) => curve.part === part));
  const part = chosenPart !== null && parts.includes(chosenPart) ? chosenPart : null;
  const axes = axesOf(
    curves,
    members.map(({ gpus }) => gpus),
  );
  const axis = axes.includes(rememberedAxis) ? rememberedAxis : 'steps';
  const longest = Math.max(0, ...curves.map(({ seconds }) => seconds?.at(-1) ?? 0));
  const options = useMemo(
    () => ({ axis, unit: timeUnit(longest), smoothing: Number(smoothing) as Smoothing, agents }),
    [axis, longest, smoothing, agents],
  );
  const stepName = isOwnTraining(training.spec) ? 'updates' : 'steps';
  const isEmpty = own.kind === 'ready' && own.value.length === 0;
  const isLoading = own.kind === 'loading' || (own.kind === 'ready' && !isEmpty && curves.length === 0);
  return (
    <div className={styles.screen}>
      <CurveControls
        training={training}
        others={others}
        onSelectOthers={setOthers}
        axes={axes.map((id) => ({ id, label: axisLabel(id, options.unit, stepName) }))}
        axis={axis}
        onAxis={(id) => setAxis(axisNamed(id) ?? 'steps')}
        parts={parts}
        part={part}
        onPart={setPart}
        smoothing={options.smoothing}
        onSmoothing={(value) => setSmoothing(`${value}`)}
        agents={agents}
        onAgents={members.length > 1 && members.some((member) => member.agents.length > 1) ? setAgents : null}
        stepName={stepName}
      />
      {isLoading && <LoadingState text="Loading the curves" />}
      {own.kind === 'failed' && (
        <FailedState
          title="The curves could not be read"
          message={own.error.message}
          hint={own.error.hint}
          action={{ label: 'Try again', run: () => resource.refresh(training.id) }}
        />
      )}
      {isEmpty && (
        <EmptyState title="No values yet">
          Curves appear when the trainer logs its first {stepName === 'updates' ? 'update' : 'step'}.
        </EmptyState>
      )}
      {curves.length > 0 && (
        <CurveCharts members={members} part={part} options={options} stepName={stepName} />
      )}
      <GpuCurves
        training={training}
        axis={axis}
        unit={options.unit}
        stepName={stepName}
        xEnd={xEndOf(members, axis, options.unit)}
      />
      <Origins training={training} others={others} />
    </div>
  );
}

/** What differs in where this training and those that it is compared with came from. */
function Origins(props: { readonly training: TrainingView; readonly others: readonly string[] }) {
  const all = readyValue(useTrainings()) ?? [];
  const compared = ({ jobId, name }: TrainingView) => (jobId === null ? [] : [{ jobId, name }]);
  const [of] = compared(props.training);
  const others = all.filter(({ id }) => props.others.includes(id)).flatMap(compared);
  return of === undefined ? null : <DifferencesSection of={of} others={others} />;
}

function axisNamed(text: string): CurveAxis | null {
  return CURVE_AXES.find((axis) => axis === text) ?? null;
}

function smoothingNamed(text: string): `${Smoothing}` | null {
  const smoothing = SMOOTHINGS.find((smoothing) => String(smoothing) === text);
  return smoothing === undefined ? null : `${smoothing}`;
}
