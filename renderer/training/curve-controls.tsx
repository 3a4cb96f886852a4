import { Button, MultiSelect, SegmentedControl } from '@mantine/core';
import type { TrainingView } from '../../preload/contract/training';
import { readyValue, useExperiments, useTrainings } from '../state/index';
import { trainingShortName, trainingStatus } from '../text/trainings';
import { SMOOTHINGS, type Smoothing } from '../widgets/smoothing';
import type { CurveAxis } from './curve-axis';
import type { CurvePart } from './curve-panels';
import styles from './curves.module.css';
import { groupOf } from './members';

const PART_LABELS: Readonly<Record<CurvePart, string>> = {
  train: 'Training',
  evaluation: 'Evaluation',
  other: 'Other',
};
/** Maximum number of other trainings in one chart. */
const MAX_OTHERS = 39;

/** Controls of the curves: x axis, smoothing, part, and other trainings to compare with. */
export function CurveControls(props: {
  readonly training: TrainingView;
  readonly others: readonly string[];
  readonly onSelectOthers: (ids: readonly string[]) => void;
  /** The switch shows the first word of `label`. */
  readonly axes: readonly { readonly id: CurveAxis; readonly label: string }[];
  readonly axis: CurveAxis;
  readonly onAxis: (id: string) => void;
  readonly parts: readonly CurvePart[];
  readonly part: CurvePart | null;
  readonly onPart: (part: CurvePart | null) => void;
  readonly smoothing: Smoothing;
  readonly onSmoothing: (smoothing: Smoothing) => void;
  readonly agents: 'each' | 'mean';
  /** null: no choice. */
  readonly onAgents: ((agents: 'each' | 'mean') => void) | null;
  readonly stepName: string;
}) {
  const { axes, axis, parts, part, smoothing, agents, onAgents, stepName } = props;
  return (
    <div className={styles.controls}>
      {axes.length > 1 && (
        <SegmentedControl
          aria-label="X axis"
          value={axis}
          onChange={props.onAxis}
          data={axes.map(({ id, label }) => ({ value: id, label: label.split(' ')[0] ?? label }))}
        />
      )}
      {parts.length > 1 && (
        <SegmentedControl
          aria-label="Part"
          value={part ?? ''}
          onChange={(value) => props.onPart(parts.find((choice) => choice === value) ?? null)}
          data={[
            { value: '', label: 'All' },
            ...parts.map((value) => ({ value, label: PART_LABELS[value] })),
          ]}
        />
      )}
      <SegmentedControl
        aria-label={`Smoothing, ${stepName}`}
        value={String(smoothing)}
        onChange={(value) => props.onSmoothing(SMOOTHINGS.find((choice) => String(choice) === value) ?? 0)}
        data={SMOOTHINGS.map((value) => ({
          value: String(value),
          label: value === 0 ? 'Raw' : `Mean of ${value}`,
        }))}
      />
      {onAgents !== null && (
        <SegmentedControl
          aria-label="Agents of a team"
          value={agents}
          onChange={(value) => onAgents(value === 'each' ? 'each' : 'mean')}
          data={[
            { value: 'mean', label: 'Mean of agents' },
            { value: 'each', label: 'Each agent' },
          ]}
        />
      )}
      <OtherTrainings training={props.training} others={props.others} onSelectOthers={props.onSelectOthers} />
    </div>
  );
}

/** Selects other trainings to draw as well; first those of the same experiment, or else the same with other seeds. */
function OtherTrainings(props: {
  readonly training: TrainingView;
  readonly others: readonly string[];
  readonly onSelectOthers: (ids: readonly string[]) => void;
}) {
  const { training, others, onSelectOthers } = props;
  const experiments = readyValue(useExperiments()) ?? [];
  const all = (readyValue(useTrainings()) ?? []).filter(({ id }) => id !== training.id);
  if (all.length === 0) return null;
  const option = (view: TrainingView) => ({
    value: view.id,
    label: `${trainingShortName(view)} (${trainingStatus({ ...view, stage: null }).text.toLowerCase()})`,
  });
  const { experimentId } = training;
  const group = groupOf(training);
  const siblings = all.filter((view) =>
    experimentId === null ? groupOf(view) === group : view.experimentId === experimentId,
  );
  const rest = all.filter((view) => !siblings.includes(view));
  const name =
    experimentId === null
      ? 'Same settings, other seeds'
      : (experiments.find(({ id }) => id === experimentId)?.order.name ?? 'Same experiment');
  const isWhole = siblings.every(({ id }) => others.includes(id));
  return (
    <div className={styles.compareWith} data-filled={others.length > 0 || undefined}>
      <MultiSelect
        className={styles.others}
        classNames={{ input: styles.field ?? '', pillsList: styles.pills ?? '' }}
        size="xs"
        aria-label="Compare with other trainings"
        placeholder={others.length === 0 ? 'Compare with…' : ''}
        searchable
        clearable
        hidePickedOptions
        maxValues={MAX_OTHERS}
        maxDropdownHeight={320}
        comboboxProps={{ transitionProps: { duration: 0 } }}
        value={[...others]}
        onChange={onSelectOthers}
        data={[
          ...(siblings.length === 0 ? [] : [{ group: name, items: siblings.map(option) }]),
          ...(rest.length === 0 ? [] : [{ group: 'Other trainings', items: rest.map(option) }]),
        ]}
      />
      {siblings.length > 0 && siblings.length <= MAX_OTHERS && !isWhole && (
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => onSelectOthers([...new Set([...others, ...siblings.map(({ id }) => id)])])}
        >
          {experimentId === null ? 'All seeds' : 'Whole experiment'}
        </Button>
      )}
    </div>
  );
}
