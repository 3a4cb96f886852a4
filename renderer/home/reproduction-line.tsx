import type { ReproductionView } from '../../preload/contract/reproduction';
import { ScaleTag } from '../shared/studies/index';
import { pathOf } from '../state/index';
import { reproductionIsActive, reproductionShare, reproductionStatus } from '../text/exhibits';
import { count, ProgressLine, plural, roughDuration, StateMark, TimeAgo } from '../widgets/index';
import styles from './home.module.css';

/** `showProblem`: with what needs attention. */
export function ReproductionLine(props: { readonly view: ReproductionView; readonly showProblem?: boolean }) {
  const { view, showProblem: why = false } = props;
  const { id, title, scale, done, total, secondsLeft, createdAt, endedAt, state, steps } = view;
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
          share={reproductionShare(view)}
          still={!reproductionIsActive(view)}
        />
        <span className={styles.soft} title={running?.title}>
          {count(done)} of {plural(total, 'step')}
          {state.kind === 'running' &&
            secondsLeft !== null &&
            `, about ${roughDuration(secondsLeft * 1_000)} left`}
        </span>
      </span>
      <span className={styles.soft}>
        {endedAt === null ? 'started' : 'ended'} <TimeAgo at={endedAt ?? createdAt} />
      </span>
      {why && state.kind === 'failed' && (
        <div className={styles.why}>
          <span data-selectable>{state.message}</span>
        </div>
      )}
    </li>
  );
}
