import type { ExperimentView } from '../../preload/contract/experiment';
import { isOwnTraining } from '../../preload/contract/plans/index';
import type { TrainingView } from '../../preload/contract/training';
import { ScaleTag } from '../shared/studies/index';
import {
  pathOf,
  readyValue,
  stepIdsOf,
  useExperiments,
  useReproductions,
  useTrainings,
} from '../state/index';
import { reproductionIsActive } from '../text/exhibits';
import { experimentStatus, trainingIsActive, trainingShare, trainingStatus } from '../text/trainings';
import { count, ProgressLine, plural, roughDuration, StateMark, TimeAgo } from '../widgets/index';
import styles from './home.module.css';

/** Running experiments and single trainings; trainings with alarms separately. */
export function useRunningTrainings() {
  const experiments = (readyValue(useExperiments()) ?? []).filter(({ state }) => state.kind === 'running');
  const active = (readyValue(useTrainings()) ?? []).filter(trainingIsActive);
  const withAlarms = active.filter(({ alarms }) => alarms.length > 0);
  const parts = stepIdsOf((readyValue(useReproductions()) ?? []).filter(reproductionIsActive));
  const trainings = active.filter(
    (training) =>
      !withAlarms.includes(training) &&
      !parts.trainings.has(training.id) &&
      !experiments.some(({ id }) => id === training.experimentId),
  );
  return { experiments, trainings, withAlarms };
}

export function ExperimentLine({ experiment }: { readonly experiment: ExperimentView }) {
  const { id, order, done, total, secondsLeft, createdAt } = experiment;
  return (
    <li>
      <span>
        <a href={`#${pathOf({ kind: 'experiment', experimentId: id })}`}>{order.name}</a>{' '}
        <ScaleTag scale="pocket" />
      </span>
      <StateMark {...experimentStatus(experiment)} />
      <span className={styles.bar}>
        <ProgressLine label={`Progress of ${order.name}`} share={done / total} />
        <span className={styles.soft}>
          {count(done)} of {plural(total, 'training')}
          {secondsLeft !== null && `, about ${roughDuration(secondsLeft * 1_000)} left`}
        </span>
      </span>
      <span className={styles.soft}>
        started <TimeAgo at={createdAt} />
      </span>
    </li>
  );
}

/** `showProblem`: with what needs attention. */
export function TrainingLine(props: { readonly training: TrainingView; readonly showProblem?: boolean }) {
  const { training, showProblem: why = false } = props;
  const { id, name, scale, spec, step, steps, secondsLeft, createdAt, alarms } = training;
  const share = trainingShare(training);
  const made = isOwnTraining(spec) ? 'update' : 'step';
  return (
    <li>
      <span>
        <a href={`#${pathOf({ kind: 'training', trainingId: id, tab: 'curves' })}`}>{name}</a>{' '}
        <ScaleTag scale={scale} />
      </span>
      <StateMark {...trainingStatus({ ...training, stage: null })} />
      <span className={styles.bar}>
        {share !== null && <ProgressLine label={`Progress of ${name}`} share={share} />}
        <span className={styles.soft}>
          {steps === null ? plural(step, made) : `${count(step)} of ${plural(steps, made)}`}
          {secondsLeft !== null && `, about ${roughDuration(secondsLeft * 1_000)} left`}
        </span>
      </span>
      <span className={styles.soft}>
        started <TimeAgo at={createdAt} />
      </span>
      {why && (
        <div className={styles.why}>
          {alarms.map(({ kind, agentId, message }) => (
            <p key={`${kind} ${agentId}`} data-selectable>
              {message}
            </p>
          ))}
        </div>
      )}
    </li>
  );
}
