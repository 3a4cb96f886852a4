import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import type { JobView } from '../../preload/contract/job';
import type { ServerView } from '../../preload/contract/server';
import { pathOf, readyValue, useActivity, useMachines, useNotices, useWorkbench } from '../state/index';
import { jobStatus } from '../text/jobs';
import { type Task, taskLabel, taskShare } from '../text/tasks';
import { count, EmptyState, plural, Screen, Section, StateMark, TaskLine, TimeAgo } from '../widgets/index';
import { Attention } from './attention';
import styles from './home.module.css';
import { ReproductionLine } from './reproduction-line';
import { StudyLine } from './study-line';
import { ExperimentLine, TrainingLine } from './training-lines';
import { useOpenProblems } from './use-open-problems';

/** Everything that is running, and what is stuck and needs attention. */
export function ActivityScreen() {
  const { tasks } = useWorkbench();
  const running = [...useStore(tasks.store).values()];
  const problems = useOpenProblems();
  const failed = useNotices().filter(({ level, path }) => level === 'error' && path !== undefined);
  const { reproductions, studies, experiments, trainings, servers, jobs } = useActivity();
  const going = [reproductions, studies, experiments, trainings, servers, jobs, running];
  const isRunning = going.some((part) => part.length > 0);
  const isQuiet = !isRunning && problems.length + failed.length === 0;
  return (
    <Screen
      title="Activity"
      aside={<span>{isQuiet ? '' : isRunning ? 'running now' : 'nothing is running'}</span>}
    >
      {isQuiet && (
        <EmptyState
          title="Nothing is running"
          action={
            <>
              <a href="#/exhibits">Reproduce an exhibit</a>
              <a href="#/studies/new">New study</a>
            </>
          }
        >
          Running reproductions, studies, trainings, servers and jobs appear here.
        </EmptyState>
      )}
      <Attention problems={problems} />
      <Part title="Failed since the window was opened" size={failed.length}>
        {[...failed].reverse().map(({ id, title, message, path }) => (
          <li key={id} className={styles.task}>
            <a href={`#${path}`}>{title}</a> <span className={styles.soft}>{message}</span>
          </li>
        ))}
      </Part>
      <Part title="Reproductions" size={reproductions.length}>
        {reproductions.map((view) => (
          <ReproductionLine key={view.id} view={view} />
        ))}
      </Part>
      <Part title="Studies" size={studies.length}>
        {studies.map((view) => (
          <StudyLine key={view.study.id} view={view} />
        ))}
      </Part>
      <Part title="Training" size={experiments.length + trainings.length}>
        {experiments.map((experiment) => (
          <ExperimentLine key={experiment.id} experiment={experiment} />
        ))}
        {trainings.map((training) => (
          <TrainingLine key={training.id} training={training} />
        ))}
      </Part>
      <Part title="Servers" size={servers.length}>
        {servers.map((server) => (
          <ServerLine key={server.id} server={server} />
        ))}
      </Part>
      <Part title="Jobs" size={jobs.length}>
        {jobs.map((job) => (
          <JobLine key={job.id} job={job} />
        ))}
      </Part>
      <Part title="Background tasks" size={running.length}>
        {running.map((task) => (
          <TaskItem key={task.kind} task={task} />
        ))}
      </Part>
    </Screen>
  );
}

function Part(props: { readonly title: string; readonly size: number; readonly children: ReactNode }) {
  return props.size === 0 ? null : (
    <Section title={props.title}>
      <ul className={styles.rows}>{props.children}</ul>
    </Section>
  );
}

function ServerLine({ server }: { readonly server: ServerView }) {
  const { id, model, state, inFlight, answered, startedAt } = server;
  return (
    <li>
      <span>
        <a href={`#${pathOf({ kind: 'servers', serverId: id })}`}>{model}</a>
      </span>
      <StateMark
        tone={state.kind === 'starting' ? 'active' : 'good'}
        text={state.kind === 'starting' ? 'Starting' : 'Ready'}
      />
      <span className={styles.soft}>
        {state.kind === 'starting'
          ? state.stage
          : `${plural(inFlight, 'request')} in flight, ${count(answered)} answered`}
      </span>
      <span className={styles.soft}>
        started <TimeAgo at={startedAt} />
      </span>
    </li>
  );
}

function JobLine({ job }: { readonly job: JobView }) {
  const machines = readyValue(useMachines()) ?? [];
  const { id, name, machineId, createdAt, startedAt, gpuIds } = job;
  const machine = machines.find(({ spec }) => spec.id === machineId)?.spec.name ?? machineId;
  return (
    <li>
      <span>
        <a href={`#${pathOf({ kind: 'jobs', jobId: id })}`}>{name}</a>
      </span>
      <StateMark {...jobStatus(job)} />
      <span className={styles.soft}>
        on {machine}
        {gpuIds.length > 0 && `, ${plural(gpuIds.length, 'GPU')}`}
      </span>
      <span className={styles.soft}>
        {startedAt === null ? 'created' : 'started'} <TimeAgo at={startedAt ?? createdAt} />
      </span>
    </li>
  );
}

function TaskItem({ task }: { readonly task: Task }) {
  const { tasks } = useWorkbench();
  return (
    <li className={styles.task}>
      <TaskLine
        label={taskLabel(task)}
        share={taskShare(task)}
        onCancel={() => void tasks.cancel(task.kind)}
      />
    </li>
  );
}
