import { setImmediate as breathe } from 'node:timers/promises';
import type { ExperimentResult, Refusal } from '../../../preload/contract/index';
import { ok, type Result } from '../../base/index';
import { experimentResultInSteps } from '../../metrics/index';
import { damageSentences } from '../../storage/index';
import { type Experiment, rowTrainingOf } from '../logic/experiments/experiment-record';
import type { PlanStore } from '../plan-store';
import { readOutcomes } from './experiment-outcomes';

/** What an experiment's trainings that are done show, computed anew only when another one is done or damaged. */
export function createExperimentResults(store: PlanStore<Experiment>): {
  readonly read: (id: string) => Promise<Result<ExperimentResult, Refusal>>;
  readonly forget: (id: string) => void;
} {
  /** The last result of each, with the files that it is from: these do not change any more. */
  const results = new Map<string, { readonly of: string; readonly result: Promise<ExperimentResult> }>();
  return {
    read: async (id) => {
      const experiment = store.find(id);
      if (!experiment.ok) return experiment;
      const { order: request } = experiment.value.record;
      const { done, files } = await readOutcomes(store, experiment.value);
      const of = JSON.stringify(files);
      const earlier = results.get(id);
      if (earlier?.of === of) return ok(await earlier.result);
      const computed = experimentResultInSteps(
        {
          experimentId: id,
          request,
          done,
          trainingOf: (row) => rowTrainingOf(request, row, request.seeds[0] ?? 0),
        },
        () => breathe(),
      );
      const result = computed.then((value) => ({
        ...value,
        sentences: [...damageSentences(files), ...value.sentences],
      }));
      results.set(id, { of, result });
      return ok(await result);
    },
    forget: (id) => void results.delete(id),
  };
}
