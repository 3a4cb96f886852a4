import { modelScale, type Scale, type ServerLaunch, type TrainingView } from '../../preload/contract/index';

/**
 * The scale of numbers that a saved launch's model makes: `paper` only where an engine serves one of the papers' models, as
 * it was published or as a training of that scale has made it.
 */
export function launchScale(
  launch: ServerLaunch | undefined,
  trainings: readonly Pick<TrainingView, 'id' | 'scale'>[],
): Scale {
  if (launch === undefined || launch.engine === 'pytorch') return 'own';
  const source = trainings.find(({ id }) => launch.weights.includes(`/${id}/checkpoints/`));
  return source?.scale ?? modelScale(launch.weights);
}
