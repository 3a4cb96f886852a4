import { ok } from '../../base/index';
import type { ReproductionService } from '../../plans/index';
import type { Handlers } from '../dispatch';

/** Reproductions of exhibits, and what they have measured. */
export function reproductionHandlers({
  reproductions,
}: {
  readonly reproductions: ReproductionService;
}): Handlers {
  return {
    'exhibit.result': ({ exhibitId, scale, reproductionId }) =>
      reproductions.result(exhibitId, scale, reproductionId),
    'reproduction.list': async () => ok([...reproductions.list()]),
    'reproduction.plan': (order) => reproductions.plan(order),
    'reproduction.start': (order) => reproductions.start(order),
    'reproduction.pause': ({ reproductionId }) => reproductions.pause(reproductionId),
    'reproduction.resume': ({ reproductionId }) => reproductions.resume(reproductionId),
    'reproduction.retry': ({ reproductionId, stepId }) => reproductions.retry(reproductionId, stepId),
    'reproduction.move': ({ reproductionId, stepId, machineId }) =>
      reproductions.move(reproductionId, stepId, machineId),
    'reproduction.remove': ({ reproductionId }) => reproductions.remove(reproductionId),
    'reproduction.decisions': ({ reproductionId }) => reproductions.decisions(reproductionId),
  };
}
