import type {
  Environment,
  MartiTraining,
  ModelTraining,
  ServerLaunch,
  TrainingCheckpoint,
  TrainingView,
} from '../../preload/contract/index';
import { serverLaunchSchema } from '../../preload/contract/index';
import { checkpointLaunchNames } from '../../preload/contract/plans/index';

export type ServableCheckpoint = {
  readonly training: TrainingView;
  readonly checkpoint: TrainingCheckpoint;
};

/**
 * A launch on the machine of the training, in the environment that it was trained in: a model of our own training by our
 * own server, as it trained, and others by vLLM.
 */
export function launchOf({ training, checkpoint }: ServableCheckpoint): ServerLaunch {
  const { spec } = training;
  return serverLaunchSchema.parse({
    ...checkpointLaunchNames({ training, checkpoint }),
    engine: 'vllm',
    machineId: training.machineId,
    environment: spec.kind === 'marti' || spec.kind === 'model' ? environmentOf(spec) : { kind: 'path' },
    weights: checkpoint.path,
    contextTokens: spec.kind === 'marti' ? contextOf(spec) : null,
    ...(spec.kind === 'model' ? ownServing(spec) : {}),
  });
}

/** The number of concurrent requests that the server writes in one batch. */
const OWN_REQUESTS = 16;

function ownServing({ device, dtype, threads }: ModelTraining): Partial<ServerLaunch> {
  return {
    engine: 'pytorch',
    gpus: device === 'cuda' ? 1 : 0,
    extraArguments: `--dtype ${dtype}${threads === null ? '' : ` --threads ${threads}`}`,
    maxInFlight: OWN_REQUESTS,
  };
}

function contextOf({ flags }: MartiTraining): number {
  const own = flags.max_len;
  // MARTI's scripts: --max_len.
  return typeof own === 'number' ? own : 40_000;
}

/** The environment of the training's Python, derived from its path; that of the system has none. */
function environmentOf({ python }: Pick<MartiTraining, 'python'>): Environment {
  const environmentPath = /^(.+)\/bin\/python[\d.]*$/.exec(python)?.[1];
  if (environmentPath === undefined || /^\/usr(\/local)?$/.test(environmentPath)) return { kind: 'path' };
  return environmentPath.includes('/envs/')
    ? { kind: 'conda', place: environmentPath }
    : { kind: 'venv', place: environmentPath };
}
