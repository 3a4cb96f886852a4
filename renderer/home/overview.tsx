import { Button } from '@mantine/core';
import { IconPlayerPlay, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { pocketServer, resourceConflict } from '../../preload/contract/plans/index';
import type { StudyView } from '../../preload/contract/study';
import {
  readyValue,
  stepIdsOf,
  useMachines,
  useQuickstartPlan,
  useReproductions,
  useWorkbench,
} from '../state/index';
import { reproductionIsActive } from '../text/exhibits';
import { freeGpusText } from '../text/gpus';
import { isActive, needsAttention } from '../text/studies';
import { plural, roughDuration, Screen, Section, usePress } from '../widgets/index';
import styles from './home.module.css';
import { ReproductionLine } from './reproduction-line';
import { StudyLine } from './study-line';
import { ExperimentLine, TrainingLine, useRunningTrainings } from './training-lines';

const MOST_ENDED = 12;
const MOST_REPRODUCED = 6;

export function Overview(props: { readonly studies: readonly StudyView[] }) {
  const atWork = useRunningTrainings();
  const freeGpus = freeGpusText(readyValue(useMachines()) ?? []);
  const reproductions = readyValue(useReproductions()) ?? [];
  const stuck = reproductions.filter(({ state }) => state.kind === 'failed');
  const still = reproductions.filter(({ state }) => state.kind === 'paused');
  const done = reproductions.filter(({ state }) => state.kind === 'done').slice(0, MOST_REPRODUCED);
  // Studies of a reproduction are listed with it, except those with problems.
  const parts = stepIdsOf(reproductions);
  const own = props.studies.filter(({ study }) => !parts.studies.has(study.id));
  const active = own.filter(({ state }) => isActive(state));
  const withProblems = props.studies.filter(needsAttention);
  const waiting = own.filter(({ state }) => state.kind === 'paused' || state.kind === 'planned');
  const ended = own.filter(({ state }) => state.kind === 'finished' || state.kind === 'cancelled');
  return (
    <Screen
      title="Home"
      aside={freeGpus !== null && <a href="#/machines">{freeGpus}</a>}
      actions={
        <>
          <QuickstartAgain running={props.studies.filter(({ state }) => isActive(state))} />
          <NewStudy />
        </>
      }
    >
      <StudyList title="Running" studies={active} emptyText="Nothing is running.">
        {reproductions.filter(reproductionIsActive).map((view) => (
          <ReproductionLine key={view.id} view={view} />
        ))}
        {atWork.experiments.map((experiment) => (
          <ExperimentLine key={experiment.id} experiment={experiment} />
        ))}
        {atWork.trainings.map((training) => (
          <TrainingLine key={training.id} training={training} />
        ))}
      </StudyList>
      {withProblems.length + atWork.withAlarms.length + stuck.length > 0 && (
        <StudyList title="Needs attention" studies={withProblems}>
          {stuck.map((view) => (
            <ReproductionLine key={view.id} view={view} showProblem />
          ))}
          {atWork.withAlarms.map((training) => (
            <TrainingLine key={training.id} training={training} showProblem />
          ))}
        </StudyList>
      )}
      {waiting.length + still.length > 0 && (
        <StudyList title="Paused and planned" studies={waiting}>
          {still.map((view) => (
            <ReproductionLine key={view.id} view={view} />
          ))}
        </StudyList>
      )}
      {ended.length + done.length > 0 && (
        <StudyList title="Ended" studies={ended.slice(0, MOST_ENDED)}>
          {done.map((view) => (
            <ReproductionLine key={view.id} view={view} />
          ))}
        </StudyList>
      )}
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

function QuickstartAgain(props: { readonly running: readonly StudyView[] }) {
  const { studyCommands } = useWorkbench();
  const plan = readyValue(useQuickstartPlan());
  const { busy, press } = usePress(studyCommands.startQuickstart);
  const conflict = resourceConflict(
    [pocketServer('reader')],
    props.running.map(({ study }) => study),
  );
  const about = plan === null ? '' : `About ${roughDuration(plan.estimatedSeconds * 1000)}, pocket scale`;
  return (
    <Button
      variant="default"
      loading={busy}
      disabled={conflict !== null || (plan !== null && plan.sandboxProblem !== null)}
      title={conflict?.message ?? plan?.sandboxProblem ?? about}
      leftSection={<IconPlayerPlay size={14} aria-hidden="true" />}
      onClick={press}
    >
      Run the quickstart study
    </Button>
  );
}

function StudyList(props: {
  readonly title: string;
  readonly studies: readonly StudyView[];
  readonly emptyText?: string;
  /** Other lines below the studies. */
  readonly children?: readonly ReactNode[];
}) {
  const { title, studies, emptyText: none, children = [] } = props;
  const isEmpty = studies.length === 0 && children.flat().length === 0;
  return (
    <Section title={title}>
      {isEmpty ? (
        <p className={styles.soft}>{none}</p>
      ) : (
        <ul className={styles.rows}>
          {studies.map((view) => (
            <StudyLine key={view.study.id} view={view} />
          ))}
          {children}
        </ul>
      )}
    </Section>
  );
}
