import { Button } from '@mantine/core';
import type { StudyView } from '../../preload/contract/study';
import { ScaleTag } from '../shared/studies/index';
import { pathOf, useWorkbench } from '../state/index';
import { actionsOf, isActive, needsAttention, shareDone, studyStatus } from '../text/studies';
import {
  count,
  duration,
  Hint,
  ProgressLine,
  plural,
  roughDuration,
  StateMark,
  TimeAgo,
  usePress,
} from '../widgets/index';
import styles from './home.module.css';

/** `showProblem`: with why it stopped, and a button to resume. */
export function StudyLine(props: { readonly view: StudyView; readonly showProblem?: boolean }) {
  const { view, showProblem: why = true } = props;
  const { study, state, progress } = view;
  const { text, tone } = studyStatus(state);
  return (
    <li>
      <span>
        <a href={`#${pathOf({ kind: 'study', studyId: study.id })}`} title={study.name}>
          {study.name}
        </a>
        <ScaleTag scale={study.scale} />
      </span>
      <StateMark tone={tone} text={text} />
      {state.kind === 'finished' || state.kind === 'cancelled' ? (
        <span className={styles.soft}>
          {plural(progress.nodesDone, 'program')} in {duration(progress.elapsedMs)}
        </span>
      ) : (
        <span className={styles.bar}>
          <ProgressLine
            label={`Progress of ${study.name}`}
            share={shareDone(view)}
            still={!isActive(state)}
          />
          <span className={styles.soft}>
            {count(progress.nodesDone)} of {plural(progress.nodesTotal, 'program')}
            {progress.remainingMs !== null &&
              isActive(state) &&
              `, about ${roughDuration(progress.remainingMs)} left`}
          </span>
        </span>
      )}
      <span className={styles.soft}>
        {isActive(state) ? 'started' : view.finishedAt === null ? 'created' : 'ended'}{' '}
        <TimeAgo at={view.finishedAt ?? study.createdAt} />
      </span>
      {why && needsAttention(view) && <Problem view={view} />}
    </li>
  );
}

function Problem(props: { readonly view: StudyView }) {
  const { study, state } = props.view;
  const { studyCommands } = useWorkbench();
  const { busy, press } = usePress(() => studyCommands.start(study.id));
  const { message, hint } =
    state.kind === 'failed' || state.kind === 'missing'
      ? state
      : {
          message:
            'The workbench closed while this study was running. Its results are saved; resume it to continue.',
          hint: undefined,
        };
  return (
    <div className={styles.why}>
      <span data-selectable>{message}</span>
      {hint !== undefined && <Hint text={hint} />}
      {actionsOf(state).includes('resume') && (
        <Button
          variant="default"
          loading={busy}
          onClick={press}
          mt={6}
          display="block"
          aria-label={`Resume ${study.name}`}
        >
          Resume
        </Button>
      )}
    </div>
  );
}
