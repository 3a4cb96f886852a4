import { setImmediate as breathe } from 'node:timers/promises';
import type {
  ExperimentDetails,
  ExperimentRequest,
  ExperimentResult,
  Refusal,
} from '../../../preload/contract/index';
import { ok, type Result } from '../../base/index';
import { experimentDetailsInSteps, experimentResultInSteps, type HeldOutProblem } from '../../metrics/index';
import { damageSentences } from '../../storage/index';
import { type Experiment, rowTrainingOf } from '../logic/experiments/experiment-record';
import { noteOf } from '../logic/plan-record';
import type { PlanStore } from '../plan-store';
import { readOutcomes } from './experiment-outcomes';

/** Reads what is known of the problems that the trainings are evaluated on. */
export type HeldOutProblems = (request: ExperimentRequest) => Promise<readonly HeldOutProblem[]>;

/** What an experiment's trainings that are done show, computed anew only when another one is done or damaged. */
export function createExperimentResults(
  store: PlanStore<Experiment>,
  heldOutProblems: HeldOutProblems,
): {
  readonly read: (id: string) => Promise<Result<ExperimentResult, Refusal>>;
  /** What exports have beside it, computed at each call: the window does not show it. */
  readonly details: (id: string) => Promise<Result<ExperimentDetails, Refusal>>;
  readonly forget: (id: string) => void;
} {
  /** The last result of each, with what it is from: files do not change any more. */
  const results = new Map<string, { readonly of: string; readonly result: Promise<ExperimentResult> }>();
  return {
    read: async (id) => {
      const experiment = store.find(id);
      if (!experiment.ok) return experiment;
      const { order: request } = experiment.value.record;
      const { done, files } = await readOutcomes(store, experiment.value);
      const limits = [...damageSentences(files), ...failureSentences(experiment.value)];
      const of = JSON.stringify([files, limits]);
      const earlier = results.get(id);
      if (earlier?.of === of) return ok(await earlier.result);
      const computed = experimentResultInSteps(
        {
          experimentId: id,
          request,
          done,
          trainingOf: trainingsOf(request),
        },
        () => breathe(),
      );
      const result = computed.then((value) => ({ ...value, sentences: [...limits, ...value.sentences] }));
      results.set(id, { of, result });
      return ok(await result);
    },
    details: async (id) => {
      const experiment = store.find(id);
      if (!experiment.ok) return experiment;
      const { order: request } = experiment.value.record;
      const { done } = await readOutcomes(store, experiment.value);
      const problems = done.length === 0 ? [] : await heldOutProblems(request);
      const trainingOf = trainingsOf(request);
      return ok(await experimentDetailsInSteps({ request, done, problems, trainingOf }, () => breathe()));
    },
    forget: (id) => void results.delete(id),
  };
}

/** A row's training in full; with each seed it is the same. */
function trainingsOf(request: ExperimentRequest) {
  return (row: ExperimentRequest['rows'][number]) => rowTrainingOf(request, row, request.seeds[0] ?? 0);
}

/** Exports have no other place for why a training does not count, e.g. that its evaluation is damaged. */
function failureSentences({ record, plan }: Experiment): string[] {
  const failures = plan.steps.flatMap(({ id, title }) => {
    const { state } = noteOf(record, id);
    return state.kind === 'failed' ? [`${title}: ${state.message}`] : [];
  });
  return failures.length === 0 ? [] : [`Trainings that failed do not count: ${failures.join(' ')}`];
}
