import type { Scale, ServerLaunch, TrainingView } from '../../preload/contract/index';

/**
 * The scale of numbers that a saved launch's model makes: `own` where it is served by our own engine, or where its
 * weights are a checkpoint of one of our own trainings, whatever serves it.
 */
export function launchScale(
  launch: ServerLaunch | undefined,
  trainings: readonly Pick<TrainingView, 'id' | 'scale'>[],
): Scale {
  if (launch === undefined) return 'paper';
  const isTrainedHere = trainings.some(
    ({ id, scale }) => scale === 'own' && launch.weights.includes(`/${id}/checkpoints/`),
  );
  return launch.engine === 'pytorch' || isTrainedHere ? 'own' : 'paper';
}
