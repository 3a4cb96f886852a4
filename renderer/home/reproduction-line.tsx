import type { ReproductionView } from '../../preload/contract/reproduction';
import { ScaleTag } from '../shared/studies/index';
import { pathOf } from '../state/index';
import { progressMeasure, reproductionIsActive, reproductionStatus } from '../text/exhibits';
import { ProgressLine, percent, roughDuration, StateMark, TimeAgo } from '../widgets/index';
import styles from './home.module.css';

/** A reproduction that runs or waits, with its progress. */
export function ReproductionLine({ view }: { readonly view: ReproductionView }) {
  const { id, title, scale, progress, secondsLeft, createdAt, state, steps } = view;
  const running = steps.find((step) => step.state.kind === 'running');
  return (
    <li>
      <span>
        <a href={`#${pathOf({ kind: 'reproduction', reproductionId: id })}`}>{title}</a>{' '}
        <ScaleTag scale={scale} />
      </span>
      <StateMark {...reproductionStatus(view)} />
      <span className={styles.bar}>
        <ProgressLine
          label={`Progress of ${title}`}
          share={progress.share01}
          isStill={!reproductionIsActive(view)}
        />
        <span className={styles.soft} title={running?.title}>
          {percent(progress.share01, 0)} % {progressMeasure(view)}
          {state.kind === 'running' &&
            secondsLeft !== null &&
            `, about ${roughDuration(secondsLeft * 1_000)} left`}
        </span>
      </span>
      <span className={styles.soft}>
        started <TimeAgo at={createdAt} />
      </span>
    </li>
  );
}
