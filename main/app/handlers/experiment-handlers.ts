import { ok } from '../../base/index';
import type { ExperimentService } from '../../plans/index';
import type { Handlers } from '../dispatch';

/** Experiments of many trainings, and their results. */
export function experimentHandlers({ experiments }: { readonly experiments: ExperimentService }): Handlers {
  return {
    'experiment.list': async () => ok([...experiments.list()]),
    'experiment.start': (request) => experiments.start(request),
    'experiment.pause': ({ experimentId }) => experiments.pause(experimentId),
    'experiment.resume': ({ experimentId }) => experiments.resume(experimentId),
    'experiment.remove': ({ experimentId }) => experiments.remove(experimentId),
    'experiment.result': ({ experimentId }) => experiments.result(experimentId),
  };
}
