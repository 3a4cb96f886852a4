import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import {
  isOwnTraining,
  isUntrained,
  NOT_TRAINED,
  passOneLabel,
  problemsKeptText,
  trainingMethodOf,
} from '../../preload/contract/plans/index';
import type { TrainingView } from '../../preload/contract/training';
import {
  pathOf,
  readyValue,
  useExperiments,
  useMachine,
  useReproductions,
  useWorkbench,
} from '../state/index';
import {
  explainTraining,
  isOnlyWatched,
  isPreTraining,
  trainingIsActive,
  trainingIsDone,
  trainingRanMs,
  trainingShare,
  trainingStatus,
  trainingWasStopped,
} from '../text/trainings';
import {
  clockTime,
  count,
  duration,
  ProgressAnnouncement,
  ProgressLine,
  roughDuration,
  TimeAgo,
  useNow,
  usePress,
} from '../widgets/index';
import { LatestValues, latestOf } from './latest-value';
import styles from './training.module.css';

/** Title, progress, an explanation of the state, and alarms. */
export function TrainingHead({ training }: { readonly training: TrainingView }) {
  const machineName = useMachine(training.machineId)?.spec.name ?? training.machineId;
  const explanation = explainTraining(training, machineName);
  return (
    <>
      <p className={styles.title}>
        {training.title !== training.name && <span>{training.title}</span>}
        <a href={`#${pathOf({ kind: 'machine', machineId: training.machineId })}`}>{machineName}</a>
        <OfExperiment experimentId={training.experimentId} />
        <OfReproduction reproductionId={training.reproductionId ?? null} />
      </p>
      <Progress training={training} />
      {training.problemsKept !== undefined && (
        <p className={styles.caption} data-selectable>
          {problemsKeptText(training.problemsKept)}
        </p>
      )}
      {explanation !== null && (
        <div className={styles.explanation} data-tone={toneOf(training)}>
          <span data-selectable>{explanation}</span>
          {training.state.kind === 'unknown' && <ConnectButton machineId={training.machineId} />}
        </div>
      )}
      <Restarts training={training} />
      <div role="alert">
        {training.alarms.length > 0 && (
          <ul className={styles.alarms} aria-label="Alarms">
            {training.alarms.map(({ kind, agentId, message, step }) => (
              <li key={`${kind} ${agentId} ${step}`}>
                <IconAlertTriangle size={14} aria-hidden="true" />
                <span data-selectable>{message}</span>
                {step !== null && <small>since step {count(step)}</small>}
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  );
}

/** What was started again by itself and from where, and why it no longer is. */
function Restarts({ training: { restarts = [], notRestarted } }: { readonly training: TrainingView }) {
  if (restarts.length === 0 && notRestarted === undefined) return null;
  return (
    <ul className={styles.restarts} aria-label="Restarts">
      {restarts.map(({ at, why }) => (
        <li key={at} data-selectable>
          Restarted <TimeAgo at={at} />: {why}
        </li>
      ))}
      {notRestarted !== undefined && <li data-selectable>{notRestarted}</li>}
    </ul>
  );
}

function toneOf(training: TrainingView): 'bad' | 'unsure' | 'quiet' {
  if (training.state.kind === 'unknown') return 'unsure';
  if (isOnlyWatched(training)) return 'quiet';
  return trainingIsActive(training) || trainingWasStopped(training) ? 'quiet' : 'bad';
}

function OfExperiment({ experimentId }: { readonly experimentId: string | null }) {
  const experiments = readyValue(useExperiments()) ?? [];
  if (experimentId === null) return null;
  const name = experiments.find(({ id }) => id === experimentId)?.order.name ?? 'an experiment';
  return (
    <span>
      part of <a href={`#${pathOf({ kind: 'experiment', experimentId })}`}>{name}</a>
    </span>
  );
}

function OfReproduction({ reproductionId }: { readonly reproductionId: string | null }) {
  const reproductions = readyValue(useReproductions()) ?? [];
  if (reproductionId === null) return null;
  const title = reproductions.find(({ id }) => id === reproductionId)?.title ?? 'a reproduction';
  return (
    <span>
      part of <a href={`#${pathOf({ kind: 'reproduction', reproductionId })}`}>{title}</a>
    </span>
  );
}

/** What the head shows of samples that it learned from, and of held-out problems. */
const HERO_PARTS = [
  { part: 'train', values: ['reward', 'pass@1'] },
  { part: 'evaluation', values: ['pass@1'] },
] as const;
const NOT_SMOOTHED = 'One value each; the charts show means of several';

function Progress({ training }: { readonly training: TrainingView }) {
  const now = useNow(1_000);
  const share = trainingShare(training);
  const ran = trainingRanMs(training, now);
  const { step, steps, secondsLeft, endedAt, spec } = training;
  const isActive = trainingIsActive(training);
  const name = isOwnTraining(spec) ? 'update' : 'step';
  return (
    <div className={styles.head}>
      {share !== null && (
        <>
          <ProgressLine
            label={`Progress of ${training.name}`}
            share={share}
            isStill={!isActive}
            width={180}
          />
          <ProgressAnnouncement
            label={`Progress of ${training.name}`}
            share={share}
            end={isActive ? null : trainingStatus(training).text}
          />
        </>
      )}
      {isUntrained(spec) ? (
        <span title={trainingMethodOf('base').line}>{NOT_TRAINED}</span>
      ) : (
        <span>
          {name} <b>{count(step)}</b>
          {steps !== null && ` of ${count(steps)}`}
        </span>
      )}
      {isPreTraining(training) && <span>pre-training</span>}
      {isActive && secondsLeft !== null && (
        <span title="At the current speed">about {roughDuration(secondsLeft * 1_000)} left</span>
      )}
      {ran !== null && (
        <span title={training.earlierStarts === undefined ? undefined : 'Over all of its starts'}>
          {`${durationLabel(training)} ${duration(ran)}`}
        </span>
      )}
      {endedAt !== null && trainingIsDone(training) && <span>done at {clockTime(endedAt)}</span>}
      <span className={styles.heroes}>
        {HERO_PARTS.filter(({ part, values }) =>
          values.some((of) => latestOf(training, of, part).length > 0),
        ).map(({ part, values }) => (
          <span key={part} className={styles.heroes} title={part === 'train' ? NOT_SMOOTHED : undefined}>
            <small>{part === 'train' ? `last ${name}` : 'last evaluation'}</small>
            {values.map((of) => (
              <HeadValue
                key={of}
                training={training}
                of={of}
                part={part}
                label={of === 'reward' ? 'Reward' : `${passOneLabel(part, spec)}, %`}
              />
            ))}
          </span>
        ))}
      </span>
    </div>
  );
}

function durationLabel(training: TrainingView): string {
  if (training.state.kind === 'unknown') return 'for at least';
  return trainingIsActive(training) ? 'for' : 'took';
}

function HeadValue(props: {
  readonly training: TrainingView;
  readonly of: string;
  readonly part: 'train' | 'evaluation';
  readonly label: string;
}) {
  const { training, of, part } = props;
  if (latestOf(training, of, part).length === 0) return null;
  return (
    <span className={styles.hero}>
      <small>{props.label}</small>
      <LatestValues training={training} of={of} part={part} />
    </span>
  );
}

function ConnectButton(props: { readonly machineId: string }) {
  const { machineActions } = useWorkbench();
  const { busy, press } = usePress(() => machineActions.connect(props.machineId));
  return (
    <Button variant="default" size="compact-xs" loading={busy} onClick={press}>
      Connect now
    </Button>
  );
}
