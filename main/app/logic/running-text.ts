import type {
  ExperimentView,
  JobState,
  JobView,
  ReproductionView,
  ServerView,
  StudyView,
  TrainingView,
} from '../../../preload/contract/index';

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

/** One thing without its name: its kind, its state, and what is wrong with it. */
type Thing = { readonly what: string; readonly state: string; readonly problem: string | null };

/** The newest problems say most, and older ones are mostly of another day. */
const MOST_PROBLEMS = 20;
const LONGEST = 300;

/**
 * How many of each kind are in which state, and why what failed did, without names and commands. Messages are passed
 * through `hide` before they are cut.
 */
export function runningText(work: Work, hide: (text: string) => string): string {
  const kinds: ReadonlyArray<readonly [string, readonly Thing[]]> = [
    ['studies', work.studies.map(studyThing)],
    ['jobs', work.jobs.map(jobThing)],
    ['model servers', work.servers.map(serverThing)],
    ['trainings', work.trainings.map(trainingThing)],
    ['experiments', work.experiments.map(({ state }) => stateThing('experiment', state))],
    ['reproductions', work.reproductions.map(({ state }) => stateThing('reproduction', state))],
  ];
  const problems = kinds.flatMap(([, things]) =>
    things.flatMap(({ what, state, problem }) =>
      problem === null ? [] : [`${what}, ${state}: ${hide(problem).replace(/\s+/g, ' ').slice(0, LONGEST)}`],
    ),
  );
  const left = problems.length - MOST_PROBLEMS;
  return [
    ...kinds.map(([name, things]) => `${name}: ${counted(things)}`),
    ...problems.slice(0, MOST_PROBLEMS),
    ...(left > 0 ? [`and ${left} more that failed`] : []),
  ].join('\n');
}

function counted(things: readonly Thing[]): string {
  const counts = new Map<string, number>();
  for (const { state } of things) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts].map(([state, count]) => `${count} ${state}`).join(', ') || 'none';
}

function stateThing(what: string, state: { readonly kind: string; readonly message?: string }): Thing {
  return { what, state: state.kind, problem: state.message ?? null };
}

function studyThing({ study, state, warnings }: StudyView): Thing {
  const what = `study of ${study.runs.length} runs at scale ${study.scale}`;
  const thing = stateThing(what, state);
  if (warnings.length === 0 || thing.problem !== null) return thing;
  return { ...thing, problem: `${warnings.length} warnings` };
}

function serverThing({ kind, state, diagnosis }: ServerView): Thing {
  const thing = stateThing(`server, ${kind}`, state);
  return { ...thing, problem: diagnosis?.cause ?? thing.problem };
}

function jobThing({ purpose, state, attempts }: JobView): Thing {
  return workThing(`job, ${purpose}, started ${attempts} times`, state);
}

function trainingThing({ spec, state, alarms, step, steps }: TrainingView): Thing {
  const thing = workThing(`training, ${spec.kind}, step ${step} of ${steps ?? '?'}`, state);
  const kinds = [...new Set(alarms.map(({ kind }) => kind))].join(', ');
  return kinds === '' || thing.problem !== null ? thing : { ...thing, problem: `alarms: ${kinds}` };
}

function workThing(what: string, state: JobState): Thing {
  const problem = state.kind === 'lost' || state.kind === 'queued' ? state.why : null;
  if (state.kind !== 'exited') return { what, state: state.kind, problem };
  if (state.code === 0) return { what, state: 'done', problem };
  return { what, state: 'failed', problem: `exit code ${state.code ?? 'not known'}, at ${state.endedAt}` };
}
