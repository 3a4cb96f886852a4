import type { ExperimentResult } from '../../preload/contract/experiment';
import type { GpuCurves } from '../../preload/contract/gpu';
import type { Rollout, TrainingCheckpoint, TrainingCurve } from '../../preload/contract/training';
import type { TrainingEvaluationView } from '../../preload/contract/training-evaluation';
import type { TrainingSweep } from '../../preload/contract/training-sweep';
import type { WorkbenchClient } from '../workbench-client';
import { createResource, type Resource } from './resource';
import { createThrottled } from './throttled';

/** Points of a curve on a chart: more cannot be seen and only cost transfer time. */
export const MAX_CURVE_POINTS = 2_000;
/** Points of a sparkline. */
const SPARK_POINTS = 60;
/** Main reports a training about once a second; with many at once, curves are not reloaded more often than this. */
const CURVES_PAUSE_MS = 500;
/** Rollouts are being read and should not change all the time; checkpoints and results are rare. */
const SLOW_PAUSE_MS = 3_000;
const MAX_ROLLOUTS = 60;

export type RolloutsQuery = {
  readonly trainingId: string;
  /** null: all agents. */
  readonly agentId: string | null;
  /** None after this step; null: the latest. */
  readonly upToStep: number | null;
};

export type TrainingResources = {
  /** By training id, whole curves. */
  readonly curves: Resource<TrainingCurve[]>;
  /** By training id: what the GPUs of its job did, on the axis of its curves. */
  readonly gpus: Resource<GpuCurves>;
  /** By training id, thinned for sparklines. */
  readonly sparks: Resource<TrainingCurve[]>;
  /** By training id. */
  readonly checkpoints: Resource<TrainingCheckpoint[]>;
  /** By `rolloutsKey`. */
  readonly rollouts: Resource<Rollout[]>;
  /** By training id; null: not evaluated yet. */
  readonly evaluations: Resource<TrainingEvaluationView | null>;
  /** By training id; null: part of no sweep by a foreign trainer. */
  readonly sweeps: Resource<TrainingSweep | null>;
  /** By experiment id. */
  readonly results: Resource<ExperimentResult>;
  /** Reloads the subscribed data of the training, a few times a second at most. */
  readonly trainingChanged: (trainingId: string) => void;
  readonly experimentChanged: (experimentId: string) => void;
  readonly dispose: () => void;
};

export function rolloutsKey({ trainingId, agentId, upToStep }: RolloutsQuery): string {
  return JSON.stringify([trainingId, agentId, upToStep]);
}

function parseRolloutsKey(key: string): RolloutsQuery {
  const [trainingId, agentId, upToStep] = JSON.parse(key) as [string, string | null, number | null];
  return { trainingId, agentId, upToStep };
}

export function createTrainingResources(client: WorkbenchClient): TrainingResources {
  const curves = createResource((trainingId) =>
    client.call('training.curves', { trainingId, points: MAX_CURVE_POINTS }),
  );
  const sparks = createResource(
    (trainingId) => client.call('training.curves', { trainingId, points: SPARK_POINTS }),
    300,
  );
  const gpus = createResource((trainingId) => client.call('training.gpus', { trainingId }));
  const checkpoints = createResource((trainingId) => client.call('training.checkpoints', { trainingId }));
  const rollouts = createResource((key) => {
    const { trainingId, agentId, upToStep } = parseRolloutsKey(key);
    return client.call('training.rollouts', {
      trainingId,
      limit: MAX_ROLLOUTS,
      ...(agentId === null ? {} : { agentId }),
      ...(upToStep === null ? {} : { upToStep }),
    });
  });
  const evaluations = createResource((trainingId) => client.call('training.evaluation', { trainingId }));
  const sweeps = createResource((trainingId) => client.call('training.sweep', { trainingId }));
  const results = createResource((experimentId) => client.call('experiment.result', { experimentId }));

  const refreshCurves = createThrottled((trainingId) => {
    curves.refresh(trainingId);
    sparks.refresh(trainingId);
  }, CURVES_PAUSE_MS);
  const refreshSlow = createThrottled((trainingId) => {
    checkpoints.refresh(trainingId);
    evaluations.refresh(trainingId);
    rollouts.refreshMatching((key) => parseRolloutsKey(key).trainingId === trainingId);
  }, SLOW_PAUSE_MS);
  // Of whichever training it was: the sweep that is seen may be its sweep too.
  const refreshSweeps = createThrottled(() => sweeps.refreshAll(), SLOW_PAUSE_MS);
  const refreshResults = createThrottled((experimentId) => results.refresh(experimentId), SLOW_PAUSE_MS);

  return {
    curves,
    gpus,
    sparks,
    checkpoints,
    rollouts,
    evaluations,
    sweeps,
    results,
    trainingChanged: (trainingId) => {
      refreshCurves.schedule(trainingId);
      refreshSlow.schedule(trainingId);
      refreshSweeps.schedule('');
    },
    experimentChanged: refreshResults.schedule,
    dispose: () => {
      refreshCurves.dispose();
      refreshSlow.dispose();
      refreshSweeps.dispose();
      refreshResults.dispose();
    },
  };
}
