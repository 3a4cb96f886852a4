import { Button } from '@mantine/core';
import { IconPlayerPlay, IconPlus } from '@tabler/icons-react';
import type { StudyView } from '../../preload/contract/study';
import {
  actionsOf,
  addressOf,
  isActive,
  needsAttention,
  readyValue,
  shareDone,
  stateWords,
  useQuickstartPlan,
  useWorkbench,
} from '../state/index';
import {
  count,
  duration,
  Hint,
  ProgressLine,
  plural,
  roughDuration,
  ScaleTag,
  Screen,
  Section,
  StateMark,
  TimeAgo,
  usePress,
} from '../widgets/index';
import styles from './home.module.css';

const MOST_ENDED = 12;

export function Overview(props: { readonly studies: readonly StudyView[] }) {
  const active = props.studies.filter(({ state }) => isActive(state));
  const troubled = props.studies.filter(needsAttention);
  const waiting = props.studies.filter(({ state }) => state.kind === 'paused' || state.kind === 'planned');
  const ended = props.studies.filter(({ state }) => state.kind === 'finished' || state.kind === 'cancelled');
  return (
    <Screen
      title="Home"
      actions={
        <>
          <QuickstartAgain blocked={active.length > 0} />
          <NewStudy />
        </>
      }
    >
      <Part title="Running" studies={active} none="Nothing is running." />
      {troubled.length > 0 && <Part title="Needs a look" studies={troubled} />}
      {waiting.length > 0 && <Part title="Waiting for you" studies={waiting} />}
      {ended.length > 0 && <Part title="Ended" studies={ended.slice(0, MOST_ENDED)} />}
      {ended.length > MOST_ENDED && <a href="#/studies">All {plural(ended.length, 'study', 'studies')}</a>}
    </Screen>
  );
}

function NewStudy() {
  const { location } = useWorkbench();
  return (
    <Button
      title="New study (Ctrl+N)"
      leftSection={<IconPlus size={14} aria-hidden="true" />}
      onClick={() => location.go({ kind: 'new-study', benchmarkId: null })}
    >
      New study
    </Button>
  );
}

function QuickstartAgain(props: { readonly blocked: boolean }) {
  const { studyCommands } = useWorkbench();
  const plan = readyValue(useQuickstartPlan());
  const { busy, press } = usePress(studyCommands.startQuickstart);
  const about = plan === null ? '' : `About ${roughDuration(plan.estimatedSeconds * 1000)}, pocket scale`;
  return (
    <Button
      variant="default"
      loading={busy}
      disabled={props.blocked || (plan !== null && plan.sandboxProblem !== null)}
      title={props.blocked ? 'One study runs at a time' : (plan?.sandboxProblem ?? about)}
      leftSection={<IconPlayerPlay size={14} aria-hidden="true" />}
      onClick={press}
    >
      Run the quickstart study
    </Button>
  );
}

function Part(props: {
  readonly title: string;
  readonly studies: readonly StudyView[];
  readonly none?: string;
}) {
  const { title, studies, none } = props;
  return (
    <Section title={title}>
      {studies.length === 0 ? (
        <p className={styles.soft}>{none}</p>
      ) : (
        <ul className={styles.rows}>
          {studies.map((view) => (
            <StudyLine key={view.study.id} view={view} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function StudyLine(props: { readonly view: StudyView }) {
  const { view } = props;
  const { study, state, progress } = view;
  const { words, tone } = stateWords(state);
  return (
    <li>
      <span>
        <a href={`#${addressOf({ kind: 'study', studyId: study.id })}`}>{study.name}</a>{' '}
        <ScaleTag scale={study.scale} />
      </span>
      <StateMark tone={tone} words={words} />
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
        {isActive(state) ? 'started' : view.finishedAt === null ? 'made' : 'ended'}{' '}
        <TimeAgo at={view.finishedAt ?? study.createdAt} />
      </span>
      {(state.kind === 'failed' || state.kind === 'interrupted') && <Trouble view={view} />}
    </li>
  );
}

function Trouble(props: { readonly view: StudyView }) {
  const { study, state } = props.view;
  const { studyCommands } = useWorkbench();
  const { busy, press } = usePress(() => studyCommands.start(study.id));
  const message =
    state.kind === 'failed'
      ? state.message
      : 'The workbench ended while this study ran. What was written is kept; it can go on from there.';
  return (
    <div className={styles.why}>
      <span data-selectable>{message}</span>
      {state.kind === 'failed' && state.hint !== undefined && <Hint text={state.hint} />}
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
