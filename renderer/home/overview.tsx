import { Button } from '@mantine/core';
import { IconPlayerPlay, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { pocketServer, resourceConflict } from '../../preload/contract/plans/index';
import type { StudyView } from '../../preload/contract/study';
import {
  readyValue,
  stepIdsOf,
  useLastVisit,
  useQuickstartPlan,
  useReproductions,
  useWorkbench,
} from '../state/index';
import { reproductionIsActive } from '../text/exhibits';
import { isActive } from '../text/studies';
import { clockTime, roughDuration, Screen, Section, usePress } from '../widgets/index';
import { Attention } from './attention';
import { ExhibitPart } from './exhibit-part';
import { GpusPart } from './gpus-part';
import styles from './home.module.css';
import { ReproductionLine } from './reproduction-line';
import { StudyLine } from './study-line';
import { ExperimentLine, TrainingLine, useRunningTrainings } from './training-lines';
import { useEnded } from './use-ended';
import { useOpenProblems } from './use-open-problems';

const MAX_EARLIER = 8;

/** The lab's morning page: what needs somebody, runs, and ended since one was here; beside it GPUs and the exhibit. */
export function Overview(props: { readonly studies: readonly StudyView[] }) {
  const since = useLastVisit();
  const problems = useOpenProblems();
  const ended = useEnded(props.studies);
  const fresh = since === null ? [] : ended.filter(({ at }) => Date.parse(at) > since);
  const earlier = ended.slice(fresh.length, fresh.length + MAX_EARLIER);
  const sinceText = since === null ? '' : clockTime(new Date(since).toISOString());
  return (
    <Screen
      title="Home"
      aside={since !== null && <span>{newsText(fresh.length, problems.length, sinceText)}</span>}
      actions={
        <>
          <QuickstartAgain running={props.studies.filter(({ state }) => isActive(state))} />
          <NewStudy />
        </>
      }
    >
      <div className={styles.morning}>
        <div>
          <Attention problems={problems} />
          {fresh.length > 0 && (
            <Section title={`Ended since ${sinceText}`}>
              <ul className={styles.ended}>{fresh.map(({ line }) => line)}</ul>
            </Section>
          )}
          <Running studies={props.studies} />
          <Waiting studies={props.studies} />
          {earlier.length > 0 && (
            <Section
              title={since === null ? 'Ended' : 'Earlier'}
              aside={
                <a className={styles.soft} href="#/studies">
                  All studies
                </a>
              }
            >
              <ul className={styles.ended}>{earlier.map(({ line }) => line)}</ul>
            </Section>
          )}
        </div>
        <div className={styles.side}>
          <ExhibitPart />
          <GpusPart />
        </div>
      </div>
    </Screen>
  );
}

/** "3 ended since 27 Nov 18:40, 2 need attention". */
function newsText(fresh: number, problems: number, since: string): string {
  const news = fresh === 0 ? `Nothing ended since ${since}` : `${fresh} ended since ${since}`;
  return problems === 0 ? news : `${news}, ${problems} ${problems === 1 ? 'needs' : 'need'} attention`;
}

/** Studies of a reproduction are listed with it. */
function useStudiesWithoutReproduction(studies: readonly StudyView[]): readonly StudyView[] {
  const parts = stepIdsOf(readyValue(useReproductions()) ?? []);
  return studies.filter(({ study }) => !parts.studies.has(study.id));
}

function Running({ studies }: { readonly studies: readonly StudyView[] }) {
  const active = useStudiesWithoutReproduction(studies).filter(({ state }) => isActive(state));
  const reproductions = (readyValue(useReproductions()) ?? []).filter(reproductionIsActive);
  const { experiments, trainings } = useRunningTrainings();
  return (
    <Lines title="Running" emptyText="Nothing is running.">
      {[
        ...active.map((view) => <StudyLine key={view.study.id} view={view} />),
        ...reproductions.map((view) => <ReproductionLine key={view.id} view={view} />),
        ...experiments.map((experiment) => <ExperimentLine key={experiment.id} experiment={experiment} />),
        ...trainings.map((training) => <TrainingLine key={training.id} training={training} />),
      ]}
    </Lines>
  );
}

function Waiting({ studies }: { readonly studies: readonly StudyView[] }) {
  const waiting = useStudiesWithoutReproduction(studies).filter(({ state }) =>
    ['queued', 'paused', 'planned'].includes(state.kind),
  );
  const paused = (readyValue(useReproductions()) ?? []).filter(({ state }) => state.kind === 'paused');
  return (
    <Lines title="Paused and planned">
      {[
        ...waiting.map((view) => <StudyLine key={view.study.id} view={view} />),
        ...paused.map((view) => <ReproductionLine key={view.id} view={view} />),
      ]}
    </Lines>
  );
}

/** Without `emptyText`: nothing where there are no lines. */
function Lines(props: {
  readonly title: string;
  readonly emptyText?: string;
  readonly children: readonly ReactNode[];
}) {
  const { title, emptyText, children } = props;
  if (children.length === 0 && emptyText === undefined) return null;
  return (
    <Section title={title}>
      {children.length === 0 ? (
        <p className={styles.quiet}>{emptyText}</p>
      ) : (
        <ul className={styles.rows}>{children}</ul>
      )}
    </Section>
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
