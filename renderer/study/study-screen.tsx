import { useHotkeys } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { StudyView } from '../../preload/contract/study';
import {
  actionsOf,
  readyValue,
  runPlace,
  stateWords,
  useAnalysis,
  useStudy,
  useWorkbench,
} from '../state/index';
import {
  EmptyState,
  FailedState,
  Hint,
  LoadingState,
  ScaleTag,
  Screen,
  Section,
  StateMark,
} from '../widgets/index';
import { ComparisonTable } from './comparison';
import { StudyCurves } from './curves';
import { Outcomes } from './outcomes';
import { Sentences } from './sentences';
import styles from './study.module.css';
import { StudyButtons, StudyProgress } from './study-header';

export function StudyScreen(props: { readonly studyId: string }) {
  const study = useStudy(props.studyId);
  const { studies } = useWorkbench();
  if (study.kind === 'loading') return <LoadingState what="Reading the study" />;
  if (study.kind === 'failed') {
    return (
      <Screen title="Study">
        <FailedState
          title="The study could not be read"
          message={study.error.message}
          hint={study.error.hint}
          action={{ label: 'Read again', run: () => void studies.load() }}
        />
      </Screen>
    );
  }
  if (study.value === null) {
    return (
      <Screen title="Study">
        <EmptyState title="There is no such study" action={<a href="#/studies">All studies</a>}>
          It may have been removed.
        </EmptyState>
      </Screen>
    );
  }
  return <LiveStudy view={study.value} />;
}

function LiveStudy(props: { readonly view: StudyView }) {
  const { view } = props;
  const { study, state } = view;
  const { location, studyCommands } = useWorkbench();
  const analysis = useAnalysis(study.id);
  const can = actionsOf(state);
  useHotkeys([
    [
      'p',
      () => {
        if (can.includes('pause')) void studyCommands.pause(study.id);
        else if (can.includes('resume') || can.includes('start')) void studyCommands.start(study.id);
      },
    ],
  ]);
  const openConfiguration = (configuration: string): void => {
    const run = study.runs.find((one) => one.configuration === configuration);
    if (run !== undefined) location.go(runPlace(study.id, run.id, run.problemIds[0] ?? null));
  };
  return (
    <Screen
      title={study.name}
      aside={
        <>
          <ScaleTag scale={study.scale} />
          <StateMark {...stateWords(state)} />
        </>
      }
      actions={<StudyButtons view={view} />}
      below={
        <>
          <StudyProgress view={view} />
          <Trouble view={view} />
        </>
      }
    >
      <div className={styles.parts}>
        <Outcomes study={study} />
        <Section title="Comparison">
          <ComparisonTable study={study} analysis={analysis} onOpen={openConfiguration} />
        </Section>
        <div className={styles.lower} hidden={analysis.kind === 'failed'}>
          <StudyCurves study={study} analysis={readyValue(analysis)} />
          <Section title="What can be said">
            <div className={styles.scroll}>
              <Sentences analysis={readyValue(analysis)} />
            </div>
          </Section>
        </div>
      </div>
    </Screen>
  );
}

/** What went wrong, and the early warnings, newest first. */
function Trouble(props: { readonly view: StudyView }) {
  const { state, warnings } = props.view;
  const failure =
    state.kind === 'failed'
      ? { message: state.message, hint: state.hint }
      : state.kind === 'interrupted'
        ? {
            message: 'The workbench ended while this study ran. Resume goes on from what was written.',
            hint: undefined,
          }
        : null;
  return (
    <>
      {failure !== null && (
        <div className={styles.failure} role="alert">
          <IconAlertTriangle size={14} aria-hidden="true" />
          <div>
            <span data-selectable>{failure.message}</span>
            {failure.hint !== undefined && <Hint text={failure.hint} />}
          </div>
        </div>
      )}
      {warnings.length > 0 && (
        <ul className={styles.warnings} aria-label="Warnings">
          {[...new Set(warnings)].reverse().map((warning) => (
            <li key={warning}>
              <IconAlertTriangle size={13} aria-hidden="true" />
              {warning}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
