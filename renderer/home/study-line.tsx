import type { StudyView } from '../../preload/contract/study';
import { ScaleTag } from '../shared/studies/index';
import { pathOf, scalesOf } from '../state/index';
import { isActive, shareDone, studyStatus } from '../text/studies';
import { count, ProgressLine, plural, roughDuration, StateMark, TimeAgo } from '../widgets/index';
import styles from './home.module.css';

/** A study that runs or waits, with its progress. */
export function StudyLine({ view }: { readonly view: StudyView }) {
  const { study, state, progress } = view;
  const { text, tone } = studyStatus(view);
  return (
    <li>
      <span>
        <a href={`#${pathOf({ kind: 'study', studyId: study.id })}`} title={study.name}>
          {study.name}
        </a>
        <ScaleTag scale={scalesOf(study)} />
      </span>
      <StateMark tone={tone} text={text} />
      <span className={styles.bar}>
        <ProgressLine
          label={`Progress of ${study.name}`}
          share={shareDone(view)}
          isStill={!isActive(state)}
        />
        <span className={styles.soft}>
          {/* The last ones are graded when all are written. */}
          {progress.nodesDone < progress.nodesTotal
            ? `${count(progress.nodesDone)} of ${plural(progress.nodesTotal, 'program')}`
            : `${plural(progress.nodesTotal, 'program')} written, ${count(progress.gradedDone)} graded`}
          {progress.remainingMs !== null &&
            isActive(state) &&
            `, about ${roughDuration(progress.remainingMs)} left`}
        </span>
      </span>
      <span className={styles.soft}>
        {isActive(state) ? 'started' : 'created'} <TimeAgo at={study.createdAt} />
      </span>
    </li>
  );
}
