import type { ExperimentView } from '../../preload/contract/experiment';
import { isOwnTraining, isUntrained, NOT_TRAINED } from '../../preload/contract/plans/index';
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
import {
  experimentStatus,
  stageAfterUpdates,
  trainingIsActive,
  trainingShare,
  trainingStatus,
} from '../text/trainings';
import { count, ProgressLine, plural, roughDuration, StateMark, TimeAgo } from '../widgets/index';
import styles from './home.module.css';

/** Running experiments and trainings, without the trainings of an experiment or a running reproduction. */
export function useRunningTrainings() {
  const experiments = (readyValue(useExperiments()) ?? []).filter(({ state }) => state.kind === 'running');
  const parts = stepIdsOf((readyValue(useReproductions()) ?? []).filter(reproductionIsActive));
  const trainings = (readyValue(useTrainings()) ?? []).filter(
    (training) =>
      trainingIsActive(training) &&
      !parts.trainings.has(training.id) &&
      !experiments.some(({ id }) => id === training.experimentId),
  );
  return { experiments, trainings };
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

export function TrainingLine({ training }: { readonly training: TrainingView }) {
  const { id, name, scale, spec, step, steps, secondsLeft, createdAt } = training;
  const stage = stageAfterUpdates(training);
  const share = stage === null ? trainingShare(training) : null;
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
          {isUntrained(spec)
            ? NOT_TRAINED
            : steps === null
              ? plural(step, made)
              : `${count(step)} of ${plural(steps, made)}`}
          {stage !== null && `, ${stage}`}
          {secondsLeft !== null && `, about ${roughDuration(secondsLeft * 1_000)} left`}
        </span>
      </span>
      <span className={styles.soft}>
        started <TimeAgo at={createdAt} />
      </span>
    </li>
  );
}
