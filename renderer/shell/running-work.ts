import type { ExperimentView } from '../../preload/contract/experiment';
import type { ReproductionView } from '../../preload/contract/reproduction';
import type { StudyView } from '../../preload/contract/study';
import type { TrainingView } from '../../preload/contract/training';
import { type Activity, pathOf } from '../state/index';
import { reproductionIsActive, reproductionStatus } from '../text/exhibits';
import { isActive, shareDone, studyStatus } from '../text/studies';
import { stageAfterUpdates, trainingShare, trainingStatus } from '../text/trainings';

/** Long work that is running now, as a line of the status bar. */
export type RunningWork = {
  readonly name: string;
  /** Of its screen. */
  readonly path: string;
  /** Share done in [0, 1]; null: unknown. */
  readonly share: number | null;
  /** What it does instead of advancing ("Pausing", "Queued"); null while it advances. */
  readonly status: string | null;
  readonly remainingMs: number | null;
};

/** What is running, the work that contains most first: reproductions, experiments, studies, single trainings. */
export function runningWork(
  activity: Pick<Activity, 'reproductions' | 'experiments' | 'studies' | 'trainings'>,
): readonly RunningWork[] {
  return [
    ...activity.reproductions.filter(reproductionIsActive).map(ofReproduction),
    ...activity.experiments.map(ofExperiment),
    ...activity.studies.filter(({ state }) => isActive(state)).map(ofStudy),
    ...activity.trainings.map(ofTraining),
  ];
}

function ofReproduction(view: ReproductionView): RunningWork {
  const { id, title, progress, secondsLeft, state } = view;
  return {
    name: title,
    path: pathOf({ kind: 'reproduction', reproductionId: id }),
    share: progress.share01,
    status: state.kind === 'running' ? null : reproductionStatus(view).text,
    remainingMs: milliseconds(secondsLeft),
  };
}

function ofExperiment({ id, order, done, total, secondsLeft }: ExperimentView): RunningWork {
  return {
    name: order.name,
    path: pathOf({ kind: 'experiment', experimentId: id }),
    share: total === 0 ? 0 : done / total,
    status: null,
    remainingMs: milliseconds(secondsLeft),
  };
}

function ofStudy(view: StudyView): RunningWork {
  const { study, state, progress } = view;
  return {
    name: study.name,
    path: pathOf({ kind: 'study', studyId: study.id }),
    share: shareDone(view),
    status: state.kind === 'running' ? null : studyStatus(view).text,
    remainingMs: progress.remainingMs,
  };
}

function ofTraining(training: TrainingView): RunningWork {
  const { id, name, state, secondsLeft } = training;
  const stage = stageAfterUpdates(training);
  const share = stage === null ? trainingShare(training) : null;
  const advances = state.kind === 'running' && share !== null;
  return {
    name,
    path: pathOf({ kind: 'training', trainingId: id, tab: 'curves' }),
    share,
    status: advances ? null : trainingStatus({ ...training, stage }).text,
    remainingMs: milliseconds(secondsLeft),
  };
}

function milliseconds(seconds: number | null): number | null {
  return seconds === null ? null : seconds * 1_000;
}
