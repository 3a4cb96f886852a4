import { setImmediate as breathe } from 'node:timers/promises';
import type {
  ExperimentDetails,
  ExperimentRequest,
  ExperimentResult,
  Refusal,
} from '../../../preload/contract/index';
import { limitedBy } from '../../../preload/contract/plans/index';
import { ok, type Result } from '../../base/index';
import { experimentDetailsInSteps, experimentResultInSteps, type HeldOutProblem } from '../../metrics/index';
import { damageSentences } from '../../storage/index';
import { type Experiment, rowTrainingOf } from '../logic/experiments/experiment-record';
import { noteOf } from '../logic/plan-record';
import type { PlanStore } from '../plan-store';
import { readOutcomes } from './experiment-outcomes';

/** Reads what is known of the problems that the trainings are evaluated on. */
export type HeldOutProblems = (request: ExperimentRequest) => Promise<readonly HeldOutProblem[]>;

/**
 * The results of an experiment's finished trainings; computed again only when another one has finished or is damaged.
 */
export function createExperimentResults(
  store: PlanStore<Experiment>,
  heldOutProblems: HeldOutProblems,
): {
  readonly read: (id: string) => Promise<Result<ExperimentResult, Refusal>>;
  /** What exports have beside it; the window does not show it. */
  readonly details: (id: string) => Promise<Result<ExperimentDetails, Refusal>>;
  readonly forget: (id: string) => void;
} {
  const results = lastValues<ExperimentResult>();
  const details = lastValues<ExperimentDetails>();
  return {
    read: async (id) => {
      const experiment = store.find(id);
      if (!experiment.ok) return experiment;
      const { order: request } = experiment.value.record;
      const { done, files } = await readOutcomes(store, experiment.value);
      const limits = [...damageSentences(files), ...failureSentences(experiment.value)];
      const trainingOf = trainingsOf(request);
      const result = results.of(id, [files, limits], async () => {
        const value = await experimentResultInSteps({ experimentId: id, request, done, trainingOf }, () =>
          breathe(),
        );
        return limitedBy(limits, value);
      });
      return ok(await result);
    },
    details: async (id) => {
      const experiment = store.find(id);
      if (!experiment.ok) return experiment;
      const { order: request } = experiment.value.record;
      const { done, files } = await readOutcomes(store, experiment.value);
      const problems = done.length === 0 ? [] : await heldOutProblems(request);
      const trainingOf = trainingsOf(request);
      // A bundle has them in its tables and reads its problems from them.
      const found = details.of(id, [files, problems], () =>
        experimentDetailsInSteps({ request, done, problems, trainingOf }, () => breathe()),
      );
      return ok(await found);
    },
    forget: (id) => {
      results.forget(id);
      details.forget(id);
    },
  };
}

/** The last value of each experiment, and the inputs it was computed from; computed again when they change. */
function lastValues<T>() {
  const cache = new Map<string, { readonly from: string; readonly value: Promise<T> }>();
  return {
    of: (id: string, parts: readonly unknown[], compute: () => Promise<T>): Promise<T> => {
      const from = JSON.stringify(parts);
      const earlier = cache.get(id);
      if (earlier?.from === from) return earlier.value;
      const value = compute();
      cache.set(id, { from, value });
      return value;
    },
    forget: (id: string): void => void cache.delete(id),
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
