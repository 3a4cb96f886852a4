import type { CheckedPayload, Refusal } from '../../../preload/contract/index';
import { mars2Search } from '../../../preload/contract/plans/index';
import { failed, ok, type Result } from '../../base/index';
import { trainingEvaluationView } from '../../metrics/index';
import type { ServerService } from '../../servers/index';
import type { Registry } from '../../storage/index';
import type { TrainingService } from '../../trainings/index';
import { type CheckpointServing, createCheckpointServing } from '../checkpoint-serving';
import type { Handlers } from '../dispatch';
import { startTrainings } from '../start-trainings';
import { readSweepTable } from '../training-sweep';

/** Trainings, their recipes, and the use of their checkpoints. */
export function trainingHandlers(deps: {
  readonly trainings: TrainingService;
  readonly servers: ServerService;
  readonly registry: Registry;
  /** An evaluation is a study like any other. */
  readonly studies: Pick<Handlers, 'study.create' | 'study.start'>;
}): Handlers {
  const { trainings, studies } = deps;
  const serving = createCheckpointServing(deps);
  return {
    'training.list': async () => ok([...trainings.list()]),
    'training.plan': ({ request, check }) => trainings.plan(request, check),
    'training.start': (request) => trainings.start(request),
    'training.startMany': ({ requests }) => startTrainings(requests, trainings),
    'training.watch': (request) => trainings.watch(request),
    'training.stop': ({ trainingId }) => trainings.stop(trainingId),
    'training.resume': ({ trainingId }) => trainings.resume(trainingId),
    'training.remove': ({ trainingId }) => trainings.remove(trainingId),
    'training.restore': ({ trainingId }) => trainings.restore(trainingId),
    'training.trash': async () => ok(await trainings.inTrash()),
    'training.delete': ({ trainingId, checkpoints }) => trainings.deleteForGood(trainingId, { checkpoints }),
    'training.curves': async ({ trainingId, points }) => copied(await trainings.curves(trainingId, points)),
    'training.gpus': ({ trainingId, points }) => trainings.gpus(trainingId, points),
    'training.export': async ({ trainingId, format, path }) =>
      trainings.exportCurves(trainingId, format, path),
    'training.rollouts': async ({ trainingId, ...query }) =>
      copied(await trainings.rollouts(trainingId, query)),
    'training.checkpoints': async ({ trainingId }) => copied(await trainings.checkpoints(trainingId)),
    'training.fetchCheckpoint': async ({ trainingId, checkpointId }) => {
      const fetched = await trainings.fetchCheckpoint(trainingId, checkpointId);
      return fetched.ok ? ok({ path: fetched.value }) : fetched;
    },
    'training.evaluation': async ({ trainingId }) => {
      const training = trainings.view(trainingId);
      if (!training.ok) return training;
      const evaluation = await trainings.evaluation(trainingId);
      if (!evaluation.ok) return evaluation;
      const { value } = evaluation;
      return ok(value === null ? null : trainingEvaluationView(value, training.value.spec));
    },
    'training.sweep': ({ trainingId }) => readSweepTable(trainingId, trainings),
    'training.serve': ({ trainingId, checkpointId }) => serving.serve(trainingId, checkpointId),
    'training.member': (reference) => serving.member(reference),
    'training.evaluate': (request) => evaluate(request, serving, studies),
    'recipe.list': async () => ok(await trainings.recipes()),
  };
}

function copied<T>(result: Result<readonly T[], Refusal>): Result<T[], Refusal> {
  return result.ok ? ok([...result.value]) : result;
}

async function evaluate(
  request: CheckedPayload<'training.evaluate'>,
  serving: CheckpointServing,
  studies: Pick<Handlers, 'study.create' | 'study.start'>,
): Promise<Result<{ studyId: string }, Refusal>> {
  const { 'study.create': create, 'study.start': start } = studies;
  if (create === undefined || start === undefined) throw new Error('The study handlers are missing');
  if (request.team && request.checkpoints.length < 2) {
    return failed({
      code: 'bad-input',
      message: 'A team needs at least two checkpoints. Choose another one.',
    });
  }
  const configurations = await serving.configurations(request.checkpoints, request.team);
  if (!configurations.ok) return configurations;
  const created = await create({
    name: request.name,
    benchmarkId: request.benchmarkId,
    ...(request.problems === undefined ? {} : { problems: request.problems }),
    includeExcluded: false,
    needsPublicTests: false,
    configurations: configurations.value,
    // As the papers search at test time.
    search: mars2Search({ nodes: request.nodes, samplesPerAgent: request.samples }),
    seeds: [1],
  });
  if (!created.ok || !request.start) return created;
  const started = await start({ studyId: created.value.studyId });
  return started.ok ? created : started;
}
