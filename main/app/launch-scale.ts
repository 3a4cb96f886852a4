import {
  deskModelOf,
  modelScale,
  type Scale,
  type ServerLaunch,
  type TrainingView,
} from '../../preload/contract/index';

type Trainings = readonly Pick<TrainingView, 'id' | 'scale'>[];

/** Options of engines with which they serve something else than the weights that they are given. */
const CHANGED_WEIGHTS = /--(?:lora|adapter|quantization|control-vector|override-kv|hf-overrides)/;

/**
 * The scale of numbers that a saved launch's model makes: `paper` only where an engine serves one of the papers' models, as
 * it was published or as a training of that scale has made it; `desk` where it serves a small model by name.
 */
export function launchScale(launch: ServerLaunch | undefined, trainings: Trainings): Scale {
  if (launch === undefined) return 'own';
  const source = trainings.find(({ id }) => launch.weights.includes(`/${id}/checkpoints/`));
  const scale = source?.scale ?? (isAsPublished(launch) ? modelScale(launch.weights) : 'own');
  // An engine computes as the papers did; ours rounds otherwise.
  return launch.engine === 'pytorch' && scale === 'paper' ? 'own' : scale;
}

/** The named small model that it serves, as `deskModelOf`; null: its numbers are of another scale. */
export function launchDeskModel(launch: ServerLaunch | undefined, trainings: Trainings): string | null {
  return launch !== undefined && launchScale(launch, trainings) === 'desk'
    ? deskModelOf(launch.weights)
    : null;
}

/** An edited command may serve anything: it has to name the weights. */
function isAsPublished({ commandLine, extraArguments, weights }: ServerLaunch): boolean {
  const isNamed = commandLine === null || commandLine.split(/[\s'"=]+/).includes(weights);
  return isNamed && !CHANGED_WEIGHTS.test(`${extraArguments} ${commandLine ?? ''}`);
}
