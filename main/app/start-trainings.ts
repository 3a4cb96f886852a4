import type { Refusal, TrainingRequest, Value } from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import type { TrainingService } from '../trainings/index';

/** Starts them together; none where the plan of one of them has a problem. */
export async function startTrainings(
  requests: readonly TrainingRequest[],
  trainings: Pick<TrainingService, 'plan' | 'startMany'>,
): Promise<Result<Value<'training.startMany'>, Refusal>> {
  for (const request of requests) {
    const plan = await trainings.plan(request, false);
    const problem = plan.ok ? plan.value.problems[0] : plan.error.message;
    if (problem === undefined) continue;
    return failed({ code: 'bad-input', message: `None was started. "${request.name}": ${problem}` });
  }
  const started = await trainings.startMany(requests);
  const [first] = started;
  const views = started.flatMap((training) => (training.ok ? [training.value] : []));
  if (views.length === 0 && first !== undefined && !first.ok) return first;
  const refused = started.flatMap((training, at) =>
    training.ok ? [] : [{ name: requests[at]?.name ?? '', message: training.error.message }],
  );
  return ok({ trainings: views, refused });
}
