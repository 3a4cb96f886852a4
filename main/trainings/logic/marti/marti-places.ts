import type { MartiTraining } from '../../../../preload/contract';
import { homePath } from '../home-words';

/** Where everything of a MARTI training is on its machine; a home folder is still open in them (home-words). */
export type MartiPlaces = {
  readonly checkout: string;
  readonly data: string;
  readonly output: string;
  /** The working copy that runs. */
  readonly code: string;
  readonly logs: string;
  readonly tensorboard: string;
  /** Of this training's event files, within `tensorboard`. */
  readonly runName: string;
  readonly workflow: string;
  readonly evaluation: string;
  /** Final weights, which agents overwrite for each other. */
  readonly final: string;
  /** Of one agent, by its place. */
  readonly agentFinal: (agent: number) => string;
  readonly agentCheckpoints: (agent: number) => string;
};

export function martiPlaces(
  spec: Pick<MartiTraining, 'checkout' | 'data' | 'output'>,
  trainingId: string,
): MartiPlaces {
  const output = homePath(spec.output);
  return {
    checkout: homePath(spec.checkout),
    data: homePath(spec.data),
    output,
    code: `${output}/code`,
    logs: `${output}/logs`,
    tensorboard: `${output}/tensorboard`,
    runName: `training-${trainingId}`,
    workflow: `${output}/workflow`,
    evaluation: `${output}/evaluation`,
    final: `${output}/final`,
    agentFinal: (agent) => `${output}/final/agent${agent}`,
    agentCheckpoints: (agent) => `${output}/checkpoints/agent${agent}`,
  };
}
