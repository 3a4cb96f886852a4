import type {
  ExperimentView,
  JobState,
  JobView,
  ReproductionView,
  ServerView,
  StudyState,
  StudyView,
  TrainingView,
} from '../../../preload/contract/index';
import { scalesOf } from '../../../preload/contract/plans/index';
import { counted } from '../../base/index';

/** What the services of the workbench work on. */
export type Work = {
  readonly studies: readonly StudyView[];
  readonly jobs: readonly JobView[];
  readonly servers: readonly ServerView[];
  readonly trainings: readonly TrainingView[];
  readonly experiments: readonly ExperimentView[];
  readonly reproductions: readonly ReproductionView[];
};

/** The names that people gave to what is worked on. */
export function namesOfWork(work: Work): readonly string[] {
  return [
    ...work.studies.map(({ study }) => study.name),
    ...work.jobs.map(({ name }) => name),
    ...work.trainings.map(({ name }) => name),
    ...work.experiments.map(({ order }) => order.name),
  ];
}

/** What stands still while no workbench is open, by the names that people gave; jobs that run go on by themselves. */
export function unfinishedNames(work: Work): readonly string[] {
  const stepsOf = new Set(
    work.reproductions.flatMap(({ steps }) => steps.flatMap(({ studyId }) => studyId ?? [])),
  );
  return [
    ...work.reproductions.filter(({ state }) => state.kind === 'running').map(({ title }) => title),
    ...work.experiments.filter(({ state }) => state.kind === 'running').map(({ order }) => order.name),
    ...work.studies
      .filter(({ state, study }) => isUnderWay(state) && !stepsOf.has(study.id))
      .map(({ study }) => study.name),
    ...work.jobs.filter(({ state }) => state.kind === 'queued').map(({ name }) => name),
  ];
}

/** It works, and was not asked to stop. */
export function isUnderWay({ kind }: StudyState): boolean {
  return kind === 'preparing' || kind === 'running';
}

/** One thing without its name: its kind, its state, and what is wrong with it. */
type Entry = { readonly title: string; readonly state: string; readonly problem: string | null };

/** The newest problems say most, and older ones are mostly of another day. */
const MAX_PROBLEMS = 20;
const LONGEST = 300;

/**
 * How many of each kind are in which state, and why what failed did, without names and commands. Messages are passed
 * through `hide` before they are cut.
 */
export function runningText(work: Work, hide: (text: string) => string): string {
  const kinds: ReadonlyArray<readonly [string, readonly Entry[]]> = [
    ['studies', work.studies.map(studyEntry)],
    ['jobs', work.jobs.map(jobEntry)],
    ['model servers', work.servers.map(serverEntry)],
    ['trainings', work.trainings.map(trainingEntry)],
    ['experiments', work.experiments.map(({ state }) => entryOf('experiment', state))],
    ['reproductions', work.reproductions.map(({ state }) => entryOf('reproduction', state))],
  ];
  const problems = kinds.flatMap(([, entries]) =>
    entries.flatMap(({ title, state, problem }) =>
      problem === null ? [] : [`${title}, ${state}: ${hide(problem).replace(/\s+/g, ' ').slice(0, LONGEST)}`],
    ),
  );
  const left = problems.length - MAX_PROBLEMS;
  return [
    ...kinds.map(([name, entries]) => `${name}: ${countedStates(entries)}`),
    ...problems.slice(0, MAX_PROBLEMS),
    ...(left > 0 ? [`and ${left} more that failed`] : []),
  ].join('\n');
}

function countedStates(entries: readonly Entry[]): string {
  const counts = new Map<string, number>();
  for (const { state } of entries) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts].map(([state, count]) => `${count} ${state}`).join(', ') || 'none';
}

function entryOf(title: string, state: { readonly kind: string; readonly message?: string }): Entry {
  return { title, state: state.kind, problem: state.message ?? null };
}

function studyEntry({ study, state, warnings }: StudyView): Entry {
  const title = `study of ${counted(study.runs.length, 'run')} at scale ${scalesOf(study).join(', ')}`;
  const entry = entryOf(title, state);
  if (warnings.length === 0 || entry.problem !== null) return entry;
  return { ...entry, problem: counted(warnings.length, 'warning') };
}

function serverEntry({ kind, state, diagnosis }: ServerView): Entry {
  const entry = entryOf(`server, ${kind}`, state);
  return { ...entry, problem: diagnosis?.cause ?? entry.problem };
}

function jobEntry({ purpose, state, attempts }: JobView): Entry {
  return workEntry(`job, ${purpose}, started ${counted(attempts, 'time')}`, state);
}

function trainingEntry({ spec, state, alarms, step, steps }: TrainingView): Entry {
  const entry = workEntry(`training, ${spec.kind}, step ${step} of ${steps ?? '?'}`, state);
  const kinds = [...new Set(alarms.map(({ kind }) => kind))].join(', ');
  return kinds === '' || entry.problem !== null ? entry : { ...entry, problem: `alarms: ${kinds}` };
}

function workEntry(title: string, state: JobState): Entry {
  const problem = state.kind === 'lost' || state.kind === 'queued' ? state.why : null;
  if (state.kind !== 'exited') return { title, state: state.kind, problem };
  if (state.code === 0) return { title, state: 'done', problem };
  return { title, state: 'failed', problem: `exit code ${state.code ?? 'not known'}, at ${state.endedAt}` };
}
