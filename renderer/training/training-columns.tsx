import { IconAlertTriangle } from '@tabler/icons-react';
import {
  heldOutPart,
  isOwnTraining,
  isUntrained,
  NOT_TRAINED,
  trainingMethodOf,
} from '../../preload/contract/plans/index';
import type { TrainingView } from '../../preload/contract/training';
import type { ModelTraining, PocketTraining } from '../../preload/contract/training-spec';
import { ScaleTag } from '../shared/studies/index';
import { TrainingSpark } from '../shared/trainings/index';
import { trainingIsActive, trainingLines, trainingShare, trainingStatus } from '../text/trainings';
import {
  type Column,
  count,
  ProgressLine,
  plural,
  roughDuration,
  StateMark,
  TimeAgo,
} from '../widgets/index';
import { LatestValues, latestOf } from './latest-value';
import styles from './training.module.css';

/** Columns of the list of trainings. */
export function trainingColumns(nameOf: (machineId: string) => string): readonly Column<TrainingView>[] {
  return [
    {
      id: 'name',
      label: 'Training',
      track: 'minmax(206px, 3fr)',
      cell: (training) => {
        const [first, second] = trainingLines(training);
        return (
          <span className={styles.twoLines} title={`${training.name}\n${training.title}`}>
            <b>{first}</b>
            {second !== first && <small>{second}</small>}
          </span>
        );
      },
      sortValue: ({ name }) => name,
    },
    {
      id: 'state',
      label: 'State',
      track: 'minmax(140px, 0.4fr)',
      cell: (training) => (
        <span className={styles.state}>
          <StateMark {...trainingStatus(training)} />
          <Alarms training={training} />
        </span>
      ),
      sortValue: (training) => trainingStatus({ ...training, stage: null }).text,
    },
    {
      id: 'progress',
      label: 'Progress',
      track: 'minmax(176px, 0.6fr)',
      from: 960,
      cell: (training) => <Progress training={training} />,
      sortValue: (training) => trainingShare(training) ?? -1,
    },
    {
      id: 'reward',
      label: 'Reward',
      track: 'minmax(96px, 0.5fr)',
      isEmpty: (training) => bestOf(training, 'reward') < 0,
      cell: (training) => <LatestValues training={training} of="reward" />,
      sortValue: (training) => bestOf(training, 'reward'),
    },
    {
      id: 'pass',
      label: 'Training Pass@1, %',
      track: 'minmax(118px, 0.5fr)',
      isEmpty: (training) => bestOf(training, 'pass@1') < 0,
      cell: (training) => <LatestValues training={training} of="pass@1" />,
      sortValue: (training) => bestOf(training, 'pass@1'),
    },
    {
      id: 'held-out',
      label: 'Pass@1 (n), %',
      track: 'minmax(118px, 0.5fr)',
      from: 1_144,
      isEmpty: (training) => bestOf(training, 'pass@1', 'evaluation') < 0,
      cell: (training) => <HeldOutPass training={training} />,
      sortValue: (training) => bestOf(training, 'pass@1', 'evaluation'),
    },
    {
      id: 'curve',
      label: 'Curve',
      track: '104px',
      from: 1_016,
      cell: (training) => <TrainingSpark training={training} />,
    },
    {
      id: 'machine',
      label: 'Machine',
      track: 'minmax(84px, 0.5fr)',
      from: 1_312,
      cell: ({ machineId }) => nameOf(machineId),
      sortValue: ({ machineId }) => nameOf(machineId),
    },
    {
      id: 'scale',
      label: 'Scale',
      track: '64px',
      from: 1_218,
      cell: ({ scale }) => <ScaleTag scale={scale} />,
      sortValue: ({ scale }) => scale,
    },
    {
      id: 'made',
      label: 'Created',
      track: '82px',
      right: true,
      cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
      sortValue: ({ createdAt }) => createdAt,
    },
  ];
}

function Alarms({ training }: { readonly training: TrainingView }) {
  const [first] = training.alarms;
  if (first === undefined) return null;
  const messages = training.alarms.map(({ message }) => message).join('\n');
  return (
    <span className={styles.alarmSign} role="img" aria-label={messages} title={messages}>
      <IconAlertTriangle size={13} aria-hidden="true" />
      {training.alarms.length > 1 && training.alarms.length}
    </span>
  );
}

function Progress({ training }: { readonly training: TrainingView }) {
  const share = trainingShare(training);
  const { step, steps, secondsLeft } = training;
  const isActive = trainingIsActive(training);
  if (isUntrained(training.spec)) return <small title={trainingMethodOf('base').line}>{NOT_TRAINED}</small>;
  return (
    <span className={styles.progress}>
      {share !== null && (
        <ProgressLine label={`Progress of ${training.name}`} share={share} isStill={!isActive} width={56} />
      )}
      <span>{steps === null ? count(step) : `${count(step)} / ${count(steps)}`}</span>
      {isActive && secondsLeft !== null && (
        <small title="At the current speed">{roughDuration(secondsLeft * 1_000)} left</small>
      )}
    </span>
  );
}

function bestOf(training: TrainingView, key: string, part?: 'train' | 'evaluation'): number {
  return Math.max(-1, ...latestOf(training, key, part).map(({ value }) => value));
}

/** Two splits side by side in one list do not compare, so a validation split is named. */
function EvaluatedOn({ spec }: { readonly spec: PocketTraining | ModelTraining }) {
  const { problems } = spec.evaluation;
  const split = spec.kind === 'pocket' ? spec.evaluation.split : '';
  return (
    <small title={`${plural(problems, 'problem')} of ${heldOutPart(split, spec)}`}>
      {` (${problems}${split === 'validation' ? ' val.' : ''})`}
    </small>
  );
}

/** Of problems that it never saw, with their number. */
function HeldOutPass({ training }: { readonly training: TrainingView }) {
  const { spec } = training;
  const isKnown = isOwnTraining(spec) && bestOf(training, 'pass@1', 'evaluation') >= 0;
  return (
    <>
      <LatestValues training={training} of="pass@1" part="evaluation" />
      {isKnown && <EvaluatedOn spec={spec} />}
    </>
  );
}
