import type { Amount, RunView, StudyView } from '../../../preload/contract/index';
import type { Reproduction } from '../logic/reproductions/record';
import { notedAmounts, UNKNOWN_AMOUNT } from '../logic/reproductions/taken-over';
import { jobAmount, nodesOf, tokensOf } from './amounts';
import type { ReproductionDeps } from './deps';
import { runViews } from './run-views';

/**
 * What the work took that a plan uses again, by its step: as the reproduction noted that had it made, else as the job or
 * the study says. A cell so costs the same whether its work is done for it or was there.
 */
export async function takenOverAmounts(
  { plan, work }: Pick<Reproduction, 'plan' | 'work'>,
  earlier: readonly Reproduction[],
  deps: Pick<ReproductionDeps, 'trainings' | 'jobs' | 'studies' | 'comparison' | 'registry' | 'clock'>,
): Promise<ReadonlyMap<string, Amount>> {
  const noted = notedAmounts(earlier);
  const jobs = new Map(deps.jobs.list().map((job) => [job.id, job]));
  const ofTraining = (trainingId: string): Amount => {
    const training = deps.trainings.list().find(({ id }) => id === trainingId);
    const job = jobs.get(training?.jobId ?? '');
    return job === undefined ? UNKNOWN_AMOUNT : jobAmount(job, deps.clock.now());
  };
  /** Per study, because all its runs are read to divide its time: once for all runs that are reused. */
  const views = new Map<string, Promise<ReadonlyMap<string, RunView>>>();
  const viewsOf = ({ study }: StudyView): Promise<ReadonlyMap<string, RunView>> => {
    const reading =
      views.get(study.id) ??
      runViews(
        deps,
        study.runs.map(({ id }) => id),
      ).then((read) => read.views);
    views.set(study.id, reading);
    return reading;
  };
  const ofRun = async (run: { readonly studyId: string; readonly runId: string }): Promise<Amount> => {
    const study = deps.studies.list().find((view) => view.study.id === run.studyId);
    return study === undefined
      ? UNKNOWN_AMOUNT
      : runAmount(study, await viewsOf(study), run.runId, plan.order.scale);
  };
  const amounts = new Map<string, Amount>();
  for (const { id, reuse } of plan.steps) {
    const own = work.get(id);
    if (reuse === null || own === undefined) continue;
    if (own.kind === 'train' && own.trainingId !== null) {
      amounts.set(id, noted.trainings.get(own.trainingId) ?? ofTraining(own.trainingId));
    }
    if (own.kind === 'search' && own.run !== null) {
      amounts.set(id, noted.runs.get(own.run.runId) ?? (await ofRun(own.run)));
    }
  }
  return amounts;
}

/** A run's part of its study by its programs. What the servers of a study's own took of GPUs is not known. */
function runAmount(
  { progress }: StudyView,
  views: ReadonlyMap<string, RunView>,
  runId: string,
  scale: 'pocket' | 'paper',
): Amount {
  const view = views.get(runId);
  if (view === undefined) return UNKNOWN_AMOUNT;
  const all = [...views.values()].reduce((sum, other) => sum + nodesOf(other), 0);
  return {
    seconds: all === 0 ? 0 : (progress.elapsedMs / 1_000) * (nodesOf(view) / all),
    gpuSeconds: scale === 'pocket' ? 0 : null,
    tokens: tokensOf(view),
  };
}
